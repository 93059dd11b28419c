// Unfinished counts, stored for this tab: they survive a reload and a visit to another page, but not the end
// of their throw.
import { thisTab } from "./kept.js";

const KEY = "tenshu.counting";

/** Store {table, expected, look, counts, places}; a null look means counted by hand. */
export const keep = (draft) => thisTab.set(KEY, JSON.stringify(draft));
export const drop = () => thisTab.drop(KEY);

/** The draft for the throw that this table awaits, or null. */
export function kept({ table, expected }) {
  try {
    const draft = JSON.parse(thisTab.get(KEY) ?? "null");
    return draft?.table === table && draft.expected === expected ? draft : null;
  } catch {
    return null;
  }
}
