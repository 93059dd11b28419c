// The page of past throws with their pictures, newest first.
import { listen, send } from "./api.js";
import { h, put } from "./dom.js";
import { line } from "./cubes.js";
import { loadMessages, t, time } from "./i18n.js";
import { modelOf, settledOf } from "./model.js";
import { isOlder, momentOf } from "./newer.js";
import { drawTop, setConnected, untilThere } from "./top.js";
import { tray } from "./tray.js";
import { button } from "./widgets.js";
import { byWhom, verdict } from "./words.js";

const place = document.getElementById("throws");
const PAGE = 20;
const AT_MOST = 500; // the server's limit per request
let table = null;
let throws = [];
let older = 0; // number of earlier throws not loaded yet
let known = null; // the table and event up to which they are loaded
let most = PAGE; // number of throws shown
let begun = 0; // counts the loads; only the last may finish
let busy = false; // the last load is under way
// the throw to scroll to; 0: none
let wanted = Number(new URLSearchParams(location.hash.slice(1)).get("throw"));

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("throws_page")}`;
  drawTop("throws", start);
  known = null;
  const { ok, body } = await send("table");
  if (ok) await show(body);
  if (known === null) throw new Error("refused");
}

async function show(view) {
  if (isOlder(view, table)) return;
  table = view;
  if (momentOf(view) === known) return;
  known = momentOf(view);
  await read([], Infinity);
}

const enough = (some) => some.length >= most && some.at(-1).batch <= (wanted || Infinity);

/**
 * Load on until there are as many as are shown; not all, since each has a picture and there may be thousands.
 */
async function read(some, left) {
  const mine = (begun += 1);
  busy = true;
  while (left && !enough(some)) {
    const last = Math.min(AT_MOST, Math.max(PAGE, most - some.length));
    const { ok, body } = await send(
      `throws?${new URLSearchParams({ last, ...(some.length ? { before: some.at(-1).batch } : {}) })}`,
    );
    if (mine !== begun) return;
    if (!ok) {
      busy = false;
      known = null; // retry with the next view
      return;
    }
    [some, left] = [[...some, ...body.throws], body.older];
  }
  busy = false;
  [throws, older] = [some, left];
  most = Math.max(most, throws.length);
  draw();
  const card = wanted && document.getElementById(`throw-${wanted}`);
  if (card) {
    card.scrollIntoView();
    card.focus({ preventScroll: true });
  }
  wanted = 0;
}

function further() {
  most += PAGE;
  return busy ? null : read(throws, older); // a load under way continues by itself
}

function draw() {
  const game = table.game && modelOf(table.game); // null before a game has begun
  const names = Object.fromEntries((game?.provinces ?? []).map((one) => [one.id, one.name]));
  const order = game?.colours ?? [];
  put(
    place,
    h("h1", {}, t("throws_page")),
    throws.length ? throws.map((one) => card(one, names, order)) : h("p", { class: "card" }, t("no_throws")),
    older ? button("more", t("history.more"), further) : null,
  );
}

/** A throw's heading; games without battles have throws too. */
function heading(result, names) {
  const settled = settledOf(result);
  if (settled) return verdict(settled, names);
  return t(result.kind === "tower_filled" ? "verdict.filled" : "verdict.counted");
}

function card(one, names, order) {
  const retained =
    one.possible &&
    Object.fromEntries(
      order.map((name) => [name, Math.max(0, (one.possible[name] ?? 0) - (one.accepted[name] ?? 0))]),
    );
  const thrown = Object.fromEntries(
    order.map((name) => [name, (one.from_table[name] ?? 0) + (one.from_tray[name] ?? 0)]),
  );
  return h(
    "article",
    { class: `card throw${one.undone ? " is-undone" : ""}`, id: `throw-${one.batch}`, tabindex: -1 },
    one.reading && one.evidence
      ? tray(`/api/v1/evidence/${one.evidence}`, one.reading)
      : h("p", { class: "muted" }, t("no_picture")),
    h(
      "div",
      { class: "side-by" },
      h("h2", {}, heading(one.result, names)),
      h("p", { class: "muted" }, `${time(one.ts_ms)} · ${t(`by.${one.by}`, { author: byWhom(one.author) })}`),
      h(
        "p",
        { class: "row" },
        one.corrected ? h("span", { class: "tag bad" }, t("corrected")) : null,
        one.undone ? h("span", { class: "tag" }, t("undone_tag")) : null,
      ),
      part("thrown", thrown, order),
      one.corrected && one.seen ? part("seen", one.seen, order) : null,
      part("came_out", one.accepted, order),
      retained && part("retained", retained, order),
    ),
  );
}

const part = (key, counts, order) => h("div", {}, h("h3", {}, t(key)), line(counts, order));

await untilThere(start, "throws");
listen(show, (up) => setConnected(up, "throws", start));
