// What a person is counting, kept by this tab: it survives a reload and a look at another page, and no longer than its throw.
import { thisTab } from "./kept.js";

const KEY = "tenshu.counting";

/** {table, expected, look, counts, places}; a look of null: counted by hand. */
export const keep = (draft) => thisTab.set(KEY, JSON.stringify(draft));
export const drop = () => thisTab.drop(KEY);

/** What was counted for the throw that this table awaits, or null. */
export function kept({ table, expected }) {
  try {
    const draft = JSON.parse(thisTab.get(KEY) ?? "null");
    return draft?.table === table && draft.expected === expected ? draft : null;
  } catch {
    return null;
  }
}
