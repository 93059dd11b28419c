// The tower's statistics: what went in, what stayed, what came out, and how that compares with expectation.
import { got, listen, send } from "./api.js";
import { columnsWithOdds, course, legend, numbers, pairs, rowsOfColours, widthOf } from "./charts.js";
import { h, put } from "./dom.js";
import { colour, known, lead, loadMessages, plainColours, t, tenth } from "./i18n.js";
import { momentOf } from "./newer.js";
import { drawTop, setConnected, untilThere } from "./top.js";
import { button } from "./widgets.js";
import { namesOf } from "./words.js";

const place = (id) => document.getElementById(id);
const OF = ["game", "all"];
const SLOW_MS = 60000; // all tables ever played are read
let of = new URLSearchParams(location.hash.slice(1)).get("of") === "all" ? "all" : "game";
let told = null;
let names = {};
let host = false;
let open = new Set();
let newest = null; // the moment up to which the figures are loaded
let asked = 0; // counts the requests for the figures

async function load(view) {
  if (view && momentOf(view) === newest) return;
  if (view?.game) plainColours(!view.game.cubes);
  if (view?.game?.provinces) names = namesOf(view.game);
  newest = view ? momentOf(view) : newest;
  const mine = (asked += 1);
  const answer = await send(`statistics?of=${of}`, null, SLOW_MS);
  if (mine !== asked) return; // overtaken by another choice, since all tables take long
  if (!answer.ok) {
    newest = null; // retry with the next view
    return;
  }
  told = answer.body;
  draw();
}

function draw() {
  if (!told) return;
  open = new Set(
    [...document.querySelectorAll("details[open][data-numbers]")].map((one) => one.dataset.numbers),
  );
  put(
    place("ways"),
    h(
      "div",
      { class: "row", role: "group", "aria-label": t("statistics.of") },
      OF.map((one) =>
        h(
          "button",
          {
            type: "button",
            class: "btn",
            "data-key": `of-${one}`,
            "aria-pressed": String(one === of),
            onclick: () => choose(one),
          },
          t(`statistics.of_${one}`),
        ),
      ),
    ),
  );
  put(place("figures"), told.throws ? cards() : [h("p", { class: "card" }, t("no_throws")), away()]);
  for (const one of document.querySelectorAll("details[data-numbers]"))
    one.open = open.has(one.dataset.numbers);
  document.body.classList.add("still");
}

function choose(one) {
  of = one;
  history.replaceState(null, "", one === "all" ? "#of=all" : location.pathname);
  load();
}

function cards() {
  const wide = widthOf(place("figures"));
  const half = matchMedia("(min-width: 1080px)").matches
    ? Math.min(wide, widthOf({ clientWidth: (place("figures").clientWidth - 16) / 2 }))
    : wide;
  return [
    sample(),
    told.colours.length ? card("colours", colours(wide)) : null,
    h(
      "div",
      { class: "pair" },
      told.kept.length ? card("kept", kept(half)) : null,
      told.battles.number ? card("battles", battles(half)) : null,
    ),
    h(
      "div",
      { class: "pair" },
      told.inside.length > 1 ? card("inside", inside(half)) : null,
      told.upsets.length ? card("upsets", upsets()) : null,
    ),
    told.coloured ? card("rates", rates()) : null,
    away(),
  ];
}

const card = (key, inside) =>
  h(
    "section",
    { class: "card", "aria-label": t(`statistics.${key}`) },
    h("h2", {}, t(`statistics.${key}`)),
    inside,
  );
const note = (key, params = {}) => h("p", { class: "muted small" }, t(key, params));

/** Sample size, what is left out, and the resulting uncertainty. */
function sample() {
  // two standard deviations of a proportion of one half, in percentage points
  const sure = Math.round(98 / Math.sqrt(told.throws));
  const facts = [
    told.of === "all" ? t("statistics.tables", { n: told.tables }) : null,
    told.undone ? t("statistics.undone", { n: told.undone }) : null,
    told.read.by_hand ? t("statistics.by_hand", { n: told.read.by_hand }) : null,
    told.read.corrected ? t("statistics.put_right", { n: told.read.corrected }) : null,
  ];
  const untold = told.throws - told.coloured;
  return h(
    "section",
    { class: "card", "aria-label": t("statistics.sample") },
    h("h2", {}, t("statistics.throws", { n: told.throws })),
    facts.some(Boolean) ? h("p", { class: "muted" }, facts.filter(Boolean).join(" · ")) : null,
    h(
      "p",
      { class: "note", id: "sure" },
      told.throws > 1 ? t("statistics.sure", { n: told.throws, points: sure }) : t("statistics.sure_one"),
    ), // a message of its own, since the plural "one" includes 21 in Russian
    untold ? h("p", { class: "note", id: "untold" }, t("statistics.untold", { n: untold })) : null,
    note("statistics.model", { fresh: percent(told.odds.fresh), stuck: percent(told.odds.stuck) }),
  );
}

function colours(width) {
  const rows = told.colours.map((one) => ({
    ...one,
    name: known(`colour.${one.colour}`) ? colour(one.colour) : one.colour,
    stayed: one.went_in - one.came_out,
  }));
  // if not, expectation and bars cover different throws
  const all = rows.every((one) => one.known_out === one.came_out);
  const bars = (one) => [
    { look: "solid", value: one.went_in },
    { look: "specks", value: Math.max(0, one.stayed), text: signed(one.stayed) },
    { look: "hatch", value: one.came_out },
  ];
  const shown = rows.map((one) => ({
    colour: one.colour,
    name: one.name,
    expected: all ? one.expected : 0,
    spread: all ? one.spread : 0,
    bars: bars(one),
  }));
  const label = rows
    .map(
      (one) =>
        `${lead(one.name)}${t("statistics.in")} ${one.went_in}, ${t("statistics.stayed")} ${one.stayed}, ${t("statistics.out")} ${one.came_out}`,
    )
    .join("; ");
  return [
    legend("colours", [
      ["solid", t("statistics.in")],
      ["specks", t("statistics.stayed")],
      ["hatch", t("statistics.out")],
      ...(all ? [["range", t("statistics.range")]] : []),
    ]),
    rowsOfColours("colours", width, shown, label),
    note("statistics.colours_note"),
    numbers(
      "colours",
      ["", t("statistics.in"), t("statistics.stayed"), t("statistics.out"), t("statistics.by_odds")],
      rows.map((one) => [
        one.name,
        one.went_in,
        one.stayed,
        one.came_out,
        one.spread ? `${one.known_out} / ${ranged(one)}` : "–",
      ]),
    ),
  ];
}

function kept(width) {
  // if not, the expectation covers fewer throws than the bars
  const all = told.kept.every((one) => one.known === one.throws);
  const counted = told.kept.map((one) => one.throws > 0);
  const rows = all ? told.kept : told.kept.slice(counted.indexOf(true), counted.lastIndexOf(true) + 1);
  const columns = rows.map((one) => ({
    name: signed(one.cubes),
    value: one.throws,
    expected: all ? one.expected : null,
  }));
  const byOdds = (one) => (all ? tenth(one.expected) : `${one.known} / ${tenth(one.expected)}`);
  return [
    legend("kept", [["solid", t("statistics.counted")], ...(all ? [["line", t("statistics.by_odds")]] : [])]),
    columnsWithOdds(
      "kept",
      width,
      columns,
      columns
        .filter((one) => one.value)
        .map((one) => `${lead(one.name)}${one.value}`)
        .join("; "),
      t("statistics.kept_axis"),
    ),
    note("statistics.kept_note"),
    numbers(
      "kept",
      [t("statistics.kept_axis"), t("statistics.counted"), t("statistics.by_odds")],
      rows.map((one) => [signed(one.cubes), one.throws, byOdds(one)]),
    ),
  ];
}

function battles(width) {
  const groups = ["ahead", "even", "behind"].map((key) => ({
    name: t(`statistics.${key}`),
    ...told.battles[key],
  }));
  return [
    legend("battles", [
      ["solid", t("statistics.counted")],
      ["hatch", t("statistics.by_odds")],
      ["range", t("statistics.range")],
    ]),
    pairs(
      "battles",
      width,
      groups,
      groups
        .map((one) => `${lead(one.name)}${one.counted}, ${t("statistics.by_odds")} ${tenth(one.expected)}`)
        .join("; "),
    ),
    told.battles.chance === null
      ? null
      : h("p", { id: "verdict" }, t(told.battles.chance < 0.05 ? "statistics.strange" : "statistics.fits")),
    note("statistics.battles_note", { n: told.battles.number }),
    numbers(
      "battles",
      ["", t("statistics.counted"), t("statistics.by_odds")],
      groups.map((one) => [one.name, one.counted, ranged(one)]),
    ),
  ];
}

const ranged = ({ expected, spread }) => `${tenth(expected)} ±\u00a0${tenth(2 * spread)}`;
const signed = (number) => String(number).replace("-", "−");
const percent = (share) => Math.round(100 * share);
const rate = (share, spread) =>
  [share, 2 * spread].map((one) => (spread < 0.01 ? tenth(100 * one) : percent(one))); // "± 0" would be wrong

function inside(width) {
  const values = told.inside.map((one) => one.cubes);
  const left = told.throws - values.length; // throws between a knock on the tower and its opening
  return [
    course(
      "inside",
      width,
      values,
      `${lead(t("statistics.inside"))}${values.join(", ")}`,
      t("statistics.inside_axis"),
    ),
    left ? note("statistics.inside_left", { n: left }) : null,
    note("tower_note"),
  ];
}

// as all province names are written
const named = (id) => id.replace(/(^|-)./g, (first) => first.toUpperCase());

/** The most unlikely results. */
function upsets() {
  return [
    h(
      "ol",
      { class: "upsets" },
      told.upsets.map((one) => h("li", {}, upset(one))),
    ),
    note("statistics.upsets_note"),
  ];
}

function upset(one) {
  // for all tables, while the current one has no map
  const province = names[one.province] ?? named(one.province ?? "");
  const words = one.attacker
    ? t("attacks", { attacker: colour(one.attacker), province })
    : t("fight.revolt", { province, defender: colour(one.defender) });
  return [
    words,
    h(
      "b",
      {},
      ` · ${t("statistics.chance", { share: Math.max(0.1, Number((100 * one.chance).toFixed(1))) })}`,
    ),
    told.of === "all" ? h("small", { class: "muted" }, ` · ${one.table}`) : null,
  ];
}

function rates() {
  const { fit } = told;
  if (!fit) return h("p", { id: "no-rates" }, rateless(told));
  const [[fresh, fresh_more], [stuck, stuck_more]] = [
    rate(fit.rates.fresh, fit.fresh_sd),
    rate(fit.rates.stuck, fit.stuck_sd),
  ];
  return [
    h("p", { id: "rates" }, t("statistics.rates_are", { fresh, fresh_more, stuck, stuck_more })),
    note("statistics.rates_note", { n: fit.throws }),
  ];
}

function rateless({ coloured, known, fewest }) {
  if (coloured < fewest) return t("statistics.rates_few", { n: fewest });
  return known < fewest ? t("statistics.rates_unknown", { n: known, fewest }) : t("statistics.rates_none");
}

/** Downloads of the figures and of every throw. */
function away() {
  const link = (path, key) =>
    h(
      "a",
      {
        class: "btn",
        href: `/api/v1/${path}?of=${of}`,
        download: path.includes(".") ? "" : "tenshu-statistics.json",
        "data-key": `away-${path}`,
      },
      t(key),
    );
  const rows = of === "game" || host;
  return h(
    "section",
    { class: "card away", "aria-label": t("statistics.away") },
    h("h2", {}, t("statistics.away")),
    h(
      "div",
      { class: "row" },
      rows
        ? [
            link("throwlog.xlsx", "statistics.xlsx"),
            link("throwlog.csv", "statistics.csv"),
            link("throwlog.json", "statistics.json"),
          ]
        : null,
      link("statistics", "statistics.figures"),
    ),
    rows ? null : note("statistics.host_rows"),
  );
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("statistics_page")}`;
  drawTop("statistics", start);
  put(place("title"), t("statistics.title"));
  host = Boolean((await got("seats")).host);
  newest = null;
  await load(await got("table"));
}

let later = null;
addEventListener("resize", () => {
  clearTimeout(later);
  later = setTimeout(draw, 200);
});
await untilThere(start, "statistics");
listen(load, (up) => setConnected(up, "statistics", start));
