// What a person is counting, kept by this tab: it survives a reload and a look at another page, and no longer than its throw.
const KEY = "tenshu.counting";

/** {table, expected, look, counts, places}; a look of null: counted by hand. */
export const keep = (draft) => sessionStorage.setItem(KEY, JSON.stringify(draft));
export const drop = () => sessionStorage.removeItem(KEY);

/** What was counted for the throw that this table awaits, or null. */
export function kept({ table, expected }) {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return draft?.table === table && draft.expected === expected ? draft : null;
  } catch {
    return null;
  }
}
