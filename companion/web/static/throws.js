// The page of past throws with their pictures, newest first.
import { listen, send } from "./api.js";
import { h, put } from "./dom.js";
import { cubeLine } from "./cubes.js";
import { formatTime, loadMessages, t } from "./i18n.js";
import { modelOf, settledThrow } from "./model.js";
import { isOlder, momentKey } from "./newer.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { trayPicture } from "./tray.js";
import { button } from "./widgets.js";
import { authorName, verdictWords } from "./words.js";

const place = document.getElementById("throws");
const PAGE = 20;
const AT_MOST = 500; // the server's limit per request
let table = null;
let throws = [];
let older = 0; // number of earlier throws not loaded yet
let loadedMoment = null; // the table and event up to which they are loaded
let shownCount = PAGE; // number of throws shown
let lastLoad = 0; // counts the loads; only the last may finish
let isLoading = false; // the last load is under way
// the throw to scroll to; 0: none
let wantedThrow = Number(new URLSearchParams(location.hash.slice(1)).get("throw"));

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("throws_page")}`;
  drawTop("throws", start);
  loadedMoment = null;
  const { ok, body } = await send("table");
  if (ok) await show(body);
  if (loadedMoment === null) throw new Error("refused");
}

async function show(view) {
  if (isOlder(view, table)) return;
  table = view;
  if (momentKey(view) === loadedMoment) return;
  loadedMoment = momentKey(view);
  await loadThrows([], Infinity);
}

const hasEnough = (loaded) => loaded.length >= shownCount && loaded.at(-1).batch <= (wantedThrow || Infinity);

/**
 * Load on until there are as many as are shown; not all, since each has a picture and there may be thousands.
 */
async function loadThrows(loaded, remaining) {
  const load = (lastLoad += 1);
  isLoading = true;
  while (remaining && !hasEnough(loaded)) {
    const last = Math.min(AT_MOST, Math.max(PAGE, shownCount - loaded.length));
    const { ok, body } = await send(
      `throws?${new URLSearchParams({ last, ...(loaded.length ? { before: loaded.at(-1).batch } : {}) })}`,
    );
    if (load !== lastLoad) return;
    if (!ok) {
      isLoading = false;
      loadedMoment = null; // retry with the next view
      return;
    }
    [loaded, remaining] = [[...loaded, ...body.throws], body.older];
  }
  isLoading = false;
  [throws, older] = [loaded, remaining];
  shownCount = Math.max(shownCount, throws.length);
  draw();
  const card = wantedThrow && document.getElementById(`throw-${wantedThrow}`);
  if (card) {
    card.scrollIntoView();
    card.focus({ preventScroll: true });
  }
  wantedThrow = 0;
}

function loadMore() {
  shownCount += PAGE;
  return isLoading ? null : loadThrows(throws, older); // a load under way continues by itself
}

function draw() {
  const game = table.game && modelOf(table.game); // null before a game has begun
  const names = Object.fromEntries((game?.provinces ?? []).map((province) => [province.id, province.name]));
  const order = game?.colours ?? [];
  put(
    place,
    h("h1", {}, t("throws_page")),
    throws.length
      ? throws.map((entry) => throwCard(entry, names, order))
      : h("p", { class: "card" }, t("no_throws")),
    older ? button("more", t("history.more"), loadMore) : null,
  );
}

/** A throw's heading; games without battles have throws too. */
function throwHeading(result, names) {
  const settled = settledThrow(result);
  if (settled) return verdictWords(settled, names);
  return t(result.kind === "tower_filled" ? "verdict.filled" : "verdict.counted");
}

function throwCard(entry, names, order) {
  const retained =
    entry.possible &&
    Object.fromEntries(
      order.map((name) => [name, Math.max(0, (entry.possible[name] ?? 0) - (entry.accepted[name] ?? 0))]),
    );
  const thrown = Object.fromEntries(
    order.map((name) => [name, (entry.from_table[name] ?? 0) + (entry.from_tray[name] ?? 0)]),
  );
  return h(
    "article",
    { class: `card throw${entry.undone ? " is-undone" : ""}`, id: `throw-${entry.batch}`, tabindex: -1 },
    entry.reading && entry.evidence
      ? trayPicture(`/api/v1/evidence/${entry.evidence}`, entry.reading)
      : h("p", { class: "muted" }, t("no_picture")),
    h(
      "div",
      { class: "side-by" },
      h("h2", {}, throwHeading(entry.result, names)),
      h(
        "p",
        { class: "muted" },
        `${formatTime(entry.ts_ms)} · ${t(`by.${entry.by}`, { author: authorName(entry.author) })}`,
      ),
      h(
        "p",
        { class: "row" },
        entry.corrected ? h("span", { class: "tag bad" }, t("corrected")) : null,
        entry.undone ? h("span", { class: "tag" }, t("undone_tag")) : null,
      ),
      cubesPart("thrown", thrown, order),
      entry.corrected && entry.seen ? cubesPart("seen", entry.seen, order) : null,
      cubesPart("came_out", entry.accepted, order),
      retained && cubesPart("retained", retained, order),
    ),
  );
}

const cubesPart = (key, counts, order) => h("div", {}, h("h3", {}, t(key)), cubeLine(counts, order));

await startWithRetries(start, "throws");
listen(show, (up) => setConnected(up, "throws", start));
