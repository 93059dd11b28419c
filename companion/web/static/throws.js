// The page of past throws with their pictures, newest first.
import { listen, send } from "./api.js";
import { focusIfLost, h, put } from "./dom.js";
import { cubeLine } from "./cubes.js";
import { formatTime, loadMessages, t } from "./i18n.js";
import { modelOf, settledThrow } from "./model.js";
import { isOlder, momentKey } from "./newer.js";
import { PastLoader } from "./pastloader.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { trayPicture } from "./tray.js";
import { button } from "./widgets.js";
import { authorName, verdictWords } from "./words.js";

const place = document.getElementById("throws");
const PAGE = 20;
const past = new PastLoader("throws", "throws", {
  hasEnough: (loaded) => loaded.length >= shownCount && loaded.at(-1).batch <= (wantedThrow || Infinity),
  pageSize: (loaded) => Math.max(PAGE, shownCount - loaded.length),
});
let table = null;
let loadedMoment = null; // the table and event up to which they are loaded
let shownCount = PAGE; // number of throws shown; not all, since each has a picture
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
  await showLoaded(past.reload());
}

async function showLoaded(load) {
  const finished = await load;
  if (finished === false) loadedMoment = null; // retry with the next view
  if (!finished) return;
  shownCount = Math.max(shownCount, past.items.length);
  draw();
  const card = wantedThrow && document.getElementById(`throw-${wantedThrow}`);
  if (card) {
    card.scrollIntoView();
    card.focus({ preventScroll: true });
  }
  wantedThrow = 0;
}

async function loadMore() {
  const firstNew = place.querySelectorAll(".throw").length;
  shownCount += PAGE;
  await showLoaded(past.more());
  focusIfLost(place.querySelectorAll(".throw")[firstNew]);
}

function draw() {
  const game = table.game && modelOf(table.game); // null before a game has begun
  const names = Object.fromEntries((game?.provinces ?? []).map((province) => [province.id, province.name]));
  const order = game?.colours ?? [];
  put(
    place,
    h("h1", {}, t("throws_page")),
    past.items.length
      ? past.items.map((entry) => throwCard(entry, names, order))
      : h("p", { class: "card" }, t("no_throws")),
    past.older ? button("more", t("history.more"), loadMore) : null,
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
