// The history page: every event in words, undo back to any of them, and corrections of facts.
import { fetchBody, listen, post, refusalText } from "./api.js";
import { correctForm, enteredFact } from "./correctform.js";
import { focusIfLost, h, put } from "./dom.js";
import { formatTime, loadMessages, t } from "./i18n.js";
import { isOlder, momentKey } from "./newer.js";
import { PastLoader } from "./pastloader.js";
import { eventLine, notableEvents, undidOnlyUndo, undoLine } from "./told.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { undoBatch } from "./undoing.js";
import { button } from "./widgets.js";
import { authorName, reasonText } from "./words.js";

const byId = (id) => document.getElementById(id);
const PAGE = 40;
const linesOf = (some) => some.filter((entry) => notableEvents(entry).length || entry.kind === "undone");
const NO_MOMENT = new Set(["undone", "tower_showing"]); // kinds that leave the map as it was
const past = new PastLoader("history", "entries", {
  hasEnough: (loaded) => linesOf(loaded).length >= shownCount,
  pageSize: (loaded) => (loaded.length ? 2 * PAGE : Math.max(2 * PAGE, past.items.length)),
});
let table = null;
let loadedMoment = null; // the moment up to which the entries are loaded
let shownCount = PAGE; // number of lines shown
let savedBatch = 0; // the correction just made here, until its entry appears

async function show(view) {
  if (isOlder(view, table)) return;
  const tableChanged = table && table.table !== view.table;
  table = view;
  if (tableChanged) openCorrectForm(); // the form's fields are from the previous table
  if (momentKey(view) === loadedMoment) return;
  loadedMoment = momentKey(view);
  await showLoaded(past.reload());
}

async function showLoaded(load) {
  const finished = await load;
  if (finished === false) loadedMoment = null; // retry with the next view
  if (finished !== null) draw();
}

async function loadMore() {
  const firstNew = document.querySelectorAll("#history li").length;
  shownCount += 2 * PAGE;
  await showLoaded(past.more());
  focusIfLost(document.querySelectorAll("#history li")[firstNew]);
}

function draw() {
  const names = Object.fromEntries(
    (table.game?.provinces ?? []).map((province) => [province.id, province.name]),
  );
  const lines = linesOf(past.items);
  const seasons = [];
  for (const entry of lines.slice(0, shownCount)) {
    const key = entry.season
      ? t("round.season", { season: t(`season.${entry.season}`), year: entry.year })
      : t("past");
    if (seasons.at(-1)?.[0] !== key) seasons.push([key, []]);
    seasons.at(-1)[1].push(entry);
  }
  put(
    byId("history"),
    lines.length
      ? seasons.map(([key, some]) =>
          h(
            "section",
            { class: "card", "aria-label": key },
            h("h2", {}, key),
            h(
              "ol",
              { class: "entries" },
              some.map((entry) => entryRow(entry, names)),
            ),
          ),
        )
      : h("p", { class: "card" }, t("history.empty")),
    lines.length > shownCount || past.older ? button("more", t("history.more"), loadMore) : null,
  );
  document.body.classList.add("still");
  scrollToSaved();
}

/**
 * Scroll to the correction just made: it comes first in the list, below the form that fills a phone's window.
 */
function scrollToSaved() {
  if (!savedBatch || !(past.items[0]?.batch >= savedBatch)) return;
  savedBatch = 0;
  document.querySelector("#history li")?.scrollIntoView({ block: "nearest" });
}

function entryRow(entry, names) {
  return h(
    "li",
    { class: entry.undone ? "undone" : null, tabindex: -1 },
    h(
      "div",
      { class: "what" },
      entry.kind === "undone"
        ? h("p", {}, undoLine(entry, names))
        : notableEvents(entry).map((fact) => h("p", {}, eventLine(fact, names))),
      h(
        "small",
        { class: "muted" },
        [
          authorName(entry.author),
          formatTime(entry.ts_ms),
          reasonText(entry.reason),
          entry.undone ? t("undone_tag") : null,
        ]
          .filter(Boolean)
          .join(" · "),
      ),
    ),
    h(
      "div",
      { class: "row" },
      entry.throw && entry.evidence
        ? h(
            "a",
            {
              class: "btn quiet",
              href: `/throws#throw=${entry.batch}`,
              "data-key": `picture-${entry.batch}`,
            },
            t("history.picture"),
          )
        : null,
      entry.undone || NO_MOMENT.has(entry.kind) || !table.game?.provinces
        ? null
        : h(
            "a",
            { class: "btn quiet", href: `/map#moment=${entry.batch}`, "data-key": `see-${entry.batch}` },
            t("history.map"),
          ),
      entry.undone || entry.batch <= 1
        ? null
        : button(
            `back-${entry.batch}`,
            t(entry.kind === "undone" && !undidOnlyUndo(entry) ? "redo" : "history.back"),
            () => undoTo(entry.batch),
            "quiet",
          ),
    ),
  );
}

async function undoTo(batch) {
  const answer = await undoBatch(table.expected, batch);
  if (answer) takeAnswer(answer);
}

function takeAnswer(answer) {
  put(byId("notice"), answer.ok ? null : h("p", { class: "note bad" }, refusalText(answer.body.error)));
  const view = answer.ok ? answer.body : answer.body.table;
  if (view?.rev) show(view);
}

/**
 * The form for correcting facts, since the real table is right: with a reason, and undoable like anything
 * else.
 */
function openCorrectForm(entered = {}) {
  if (!table?.game?.players?.[0]?.seat) return put(byId("correct"));
  const save = async (fact) => {
    const answer = await post("commands", {
      expected: table.expected,
      command: { kind: "correct", ...fact },
    });
    takeAnswer(answer);
    if (!answer.ok) return;
    savedBatch = answer.body.expected - 1;
    scrollToSaved();
  };
  return correctForm(byId("correct"), () => table.game, save, entered);
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("history_page")}`;
  drawTop("history", start);
  put(byId("title"), t("history_page"));
  put(
    byId("ways"),
    h("a", { class: "btn", href: "/winter" }, t("winter_page")),
    h("a", { class: "btn", href: "/throws" }, t("throws_page")),
    h("a", { class: "btn", href: "/end" }, t("end_page")),
    h(
      "a",
      { class: "btn quiet", href: "/api/v1/history", download: "tenshu-history.json" },
      t("history.json"),
    ),
  );
  loadedMoment = null;
  await show(await fetchBody("table"));
  openCorrectForm(enteredFact(byId("correct")));
}

await startWithRetries(start, "history");
listen(show, (up) => setConnected(up, "history", start));
