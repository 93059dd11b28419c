// The load cell page: live trace, drops, and the quality of the weighing.
import { timeoutSignal } from "./api.js";
import { requestHeaders } from "./device.js";
import { h, put } from "./dom.js";
import { loadMessages, t } from "./i18n.js";
import { Strip } from "./strip.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { ZeroAndScale } from "./cellset.js";
import { cellTroubleText } from "./celltrouble.js";

const EVERY_MS = 250;
const LISTED = 12;
const byId = (id) => document.getElementById(id);
let strip = null;
let newest = 0;
let shown = "";
let numbers = {};
let zeroAndScale = null;

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("cell.page")}`;
  drawTop("sensor", start);
  put(byId("title"), t("cell.page"));
  strip = new Strip(byId("strip"));
  zeroAndScale = new ZeroAndScale(byId("set"));
  newest = 0;
  shown = "";
}

/** Ask for news again and again, each time once the last answer is there: two would tell the same news. */
async function poll() {
  await fetchTrace();
  setTimeout(poll, EVERY_MS);
}

async function fetchTrace() {
  if (document.hidden) return;
  try {
    const cell = await (
      await fetch(`/api/v1/sensor?after=${newest}`, { headers: requestHeaders(), signal: timeoutSignal() })
    ).json();
    setConnected(true, "sensor", start);
    show(cell);
  } catch {
    setConnected(false, "sensor", start);
  }
}

function show(cell) {
  const anew = cell.epoch !== numbers.epoch || cell.newest < newest;
  strip.feed(cell.points, cell.marks, cell.cube.unit_mg, anew);
  newest = cell.newest;
  numbers = cell;
  const none = cell.health.up === null;
  for (const part of [byId("strip"), document.querySelector(".cell-under")]) part.hidden = none;
  const state = JSON.stringify([cell.health, cell.cube, cell.version, cell.marks, none]);
  if (state !== shown) {
    shown = state;
    put(
      byId("trouble"),
      none
        ? h("p", { class: "note" }, t("cell.none"))
        : cell.health.name
          ? h("p", { class: "note bad" }, cellTroubleText(cell.health))
          : null,
    );
    facts(cell);
    drawDrops(cell);
  }
  live(cell);
  zeroAndScale.show(cell);
}

/** Draw the facts once; changing values are filled in by `live`. */
function facts(cell) {
  const fact = (name, key, more) =>
    h(
      "div",
      {},
      h("dt", {}, t(key)),
      h(
        "dd",
        {},
        h("b", { id: `fact-${name}` }, " "),
        more && h("span", { class: "muted small", id: `more-${name}` }, " "),
      ),
    );
  put(
    byId("facts"),
    h("h2", {}, t("cell.well")),
    h(
      "dl",
      { class: "facts" },
      fact("mass", "cell.now", true),
      fact("cubes", "cell.by_weight", true),
      fact("noise", "cell.noise"),
      fact("rate", "cell.rate"),
      fact("unit", "cell.unit", true),
      fact("board", "cell.board"),
    ),
  );
}

function live(cell) {
  const { weight, cube } = cell;
  const unknown = t("cell.unknown");
  setText(
    "fact-mass",
    cell.mass_mg === null ? unknown : t("cell.grams", { mass: round(cell.mass_mg / 1000, 2) }),
  );
  setText("more-mass", cell.mass_mg === null ? " " : t(cell.moving ? "cell.moving" : "cell.still"));
  setText("fact-cubes", weight ? t("total", { n: weight.cubes }) : unknown);
  setText("more-cubes", weight ? t("cell.sure", { share: percent(weight.sure) }) : " ");
  setText("fact-noise", cell.noise_mg === null ? unknown : t("cell.mg", { n: cell.noise_mg }));
  setText("fact-rate", cell.samples_per_s === null ? unknown : String(cell.samples_per_s));
  setText("fact-unit", t("cell.mg", { n: Math.round(cube.unit_mg) }));
  setText("more-unit", cube.cubes ? t("cell.learned", { n: cube.cubes }) : t("cell.usual"));
  setText(
    "fact-board",
    cell.version
      ? t(cell.newer ? "cell.program_old" : "cell.program", {
          port: cell.health.port,
          version: cell.version,
          newer: cell.newer,
        })
      : unknown,
  );
}

function setText(id, text) {
  const node = byId(id).firstChild;
  if (node.data !== text) node.data = ` ${text}`.trim() || " ";
}

function drawDrops(cell) {
  const marks = cell.marks
    .filter((mark) => mark.kind !== "motion")
    .slice(-LISTED)
    .reverse();
  put(
    byId("drops"),
    h("h2", {}, t("cell.events")),
    marks.length
      ? h(
          "ol",
          { class: "drops" },
          marks.map((mark) =>
            h(
              "li",
              {},
              h("span", { class: "when" }, t("cell.at", { s: round(mark.ms / 1000, 1) })),
              h("span", {}, markWords(mark, cell.cube.unit_mg)),
            ),
          ),
        )
      : h("p", { class: "muted" }, t("cell.no_events")),
  );
}

function markWords(mark, unit) {
  const mass = round(Math.abs(mark.mass_mg) / 1000, 2);
  if (mark.kind === "settled") return t("cell.rest", { mass: round(mark.mass_mg / 1000, 2) });
  return t(mark.mass_mg > 0 ? "cell.fell" : "cell.out", {
    mass,
    n: Math.round(Math.abs(mark.mass_mg) / unit),
  });
}

const round = (value, digits) => Number(value.toFixed(digits)) + 0; // no "-0"
/** A percentage, "100" only if certain. */
const percent = (share) => (share >= 1 ? 100 : Math.min(99.9, round(100 * share, 1)));

await startWithRetries(start, "sensor");
await poll();
