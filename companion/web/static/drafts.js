// Unfinished counts, stored for this tab: they survive a reload and a visit to another page, but not the end
// of their throw.
import { tabStore } from "./kept.js";
import { throwKey } from "./newer.js";

const KEY = "tenshu.counting";

/** Store {look, counts, places} for the throw that the view awaits; a null look means counted by hand. */
export const storeDraft = (view, draft) =>
  tabStore.set(KEY, JSON.stringify({ at: throwKey(view), ...draft }));
export const dropDraft = () => tabStore.drop(KEY);

/** The draft for the throw that this view awaits, or null. */
export function storedDraft(view) {
  try {
    const draft = JSON.parse(tabStore.get(KEY) ?? "null");
    return draft?.at === throwKey(view) ? draft : null;
  } catch {
    return null;
  }
}
