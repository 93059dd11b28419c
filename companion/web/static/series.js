// A series: the tray's cubes are thrown again and again. Stored for this tab, so that a reloaded page
// continues it.
import { justThrown } from "./counter.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { tabStore } from "./kept.js";

const KEY = "tenshu.series";

/**
 * The series {table, from, counted}: number of throws when it began, and how many of it are counted; or null.
 */
function readSeries({ table }) {
  try {
    const stored = JSON.parse(tabStore.get(KEY) ?? "null");
    return stored?.table === table ? stored : null;
  } catch {
    return null;
  }
}

const storeSeries = (series) => tabStore.set(KEY, JSON.stringify(series));

export const begin = ({ table, game }) => storeSeries({ table, from: game.throws, counted: 0 });
export const end = () => tabStore.drop(KEY);

/**
 * Whether the awaited throw has been counted, so that the next one is to begin. Calling a throw off, undoing
 * it, throwing otherwise or emptying the tray ends the series.
 */
export function continuesSeries(table) {
  const series = readSeries(table);
  if (!series) return false;
  const { throws, tray } = table.game;
  const continues =
    throws === series.from + series.counted + 1 && justThrown(table) && Object.keys(tray ?? {}).length > 0;
  if (continues) storeSeries({ ...series, counted: series.counted + 1 });
  else end();
  return continues;
}

/** A note about the series while a throw is awaited, or null if there is none. */
export function seriesNote(table) {
  const series = readSeries(table);
  if (!series) return null;
  const total = series.counted ? h("strong", {}, t("counter.series_counted", { n: series.counted })) : null;
  return h("p", { class: "note", id: "series" }, t("counter.series_on"), total ? " " : null, total);
}
