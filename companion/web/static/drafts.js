// Unfinished counts, stored for this tab: they survive a reload and a visit to another page, but not the end
// of their throw.
import { tabStore } from "./kept.js";

const KEY = "tenshu.counting";

/** Store {table, expected, look, counts, places}; a null look means counted by hand. */
export const storeDraft = (draft) => tabStore.set(KEY, JSON.stringify(draft));
export const dropDraft = () => tabStore.drop(KEY);

/** The draft for the throw that this table awaits, or null. */
export function storedDraft({ table, expected }) {
  try {
    const draft = JSON.parse(tabStore.get(KEY) ?? "null");
    return draft?.table === table && draft.expected === expected ? draft : null;
  } catch {
    return null;
  }
}
