// A series: what lies in the tray is thrown again and again. Kept by this tab, so that a page loaded anew goes on with it.
import { justThrown } from "./counter.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { thisTab } from "./kept.js";

const KEY = "tenshu.series";

/** {table, from, counted}: the table's throws as the series began, and those of it that are counted; or null. */
function held({ table }) {
  try {
    const one = JSON.parse(thisTab.get(KEY) ?? "null");
    return one?.table === table ? one : null;
  } catch {
    return null;
  }
}

const hold = (one) => thisTab.set(KEY, JSON.stringify(one));

export const begin = ({ table, game }) => hold({ table, from: game.throws, counted: 0 });
export const end = () => thisTab.drop(KEY);

/** Whether the table, between two throws, has counted the one that was awaited: then the next is to begin. Whoever calls
    one off or undoes it, throws another way or empties the tray, has ended the series. */
export function goesOn(table) {
  const one = held(table);
  if (!one) return false;
  const { throws, tray } = table.game;
  const goes = throws === one.from + one.counted + 1 && justThrown(table) && Object.keys(tray ?? {}).length > 0;
  if (goes) hold({ ...one, counted: one.counted + 1 });
  else end();
  return goes;
}

/** What a table that waits says of the series, or null where none is going on here. */
export function note(table) {
  const one = held(table);
  if (!one) return null;
  const counted = one.counted ? h("strong", {}, t("counter.series_counted", { n: one.counted })) : null;
  return h("p", { class: "note", id: "series" }, t("counter.series_on"), counted ? " " : null, counted);
}
