// The tower's statistics: what went in, what stayed, what came out, and how that compares with expectation.
import { fetchBody, listen, refusalText, send } from "./api.js";
import {
  chartWidth,
  colourBars,
  columnsWithOdds,
  legend,
  lineChart,
  numbersTable,
  pairedBars,
} from "./charts.js";
import { h, put } from "./dom.js";
import { colour, formatTenth, loadMessages, t, withColon } from "./i18n.js";
import { momentKey } from "./newer.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { provinceNames } from "./words.js";

const byId = (id) => document.getElementById(id);
const OF = ["game", "all"];
const SLOW_MS = 60000; // all tables ever played are read
let scope = new URLSearchParams(location.hash.slice(1)).get("of") === "all" ? "all" : "game";
let wanted = scope; // chosen, while its figures are not there yet
let refusal = null; // why the figures of a choice did not come
let figures = null;
let names = {};
let host = false;
let openTables = new Set();
let newest = null; // the moment up to which the figures are loaded
let requests = 0; // counts the requests for the figures

async function loadFigures(view) {
  if (view && momentKey(view) === newest) return;
  if (view?.game?.provinces) names = provinceNames(view.game);
  newest = view ? momentKey(view) : newest;
  const request = (requests += 1);
  const of = wanted;
  const answer = await send(`statistics?of=${of}`, null, SLOW_MS);
  if (request !== requests) return; // overtaken by another choice, since all tables take long
  refusal = answer.ok ? null : refusalText(answer.body.error);
  if (!answer.ok) {
    newest = null; // retry with the next view
    return draw();
  }
  figures = answer.body;
  scope = of;
  history.replaceState(null, "", scope === "all" ? "#of=all" : location.pathname);
  draw();
}

function draw() {
  if (!figures) return;
  openTables = new Set(
    [...document.querySelectorAll("details[open][data-numbers]")].map((details) => details.dataset.numbers),
  );
  put(
    byId("ways"),
    h(
      "div",
      { class: "row", role: "group", "aria-label": t("statistics.of") },
      OF.map((choice) =>
        h(
          "button",
          {
            type: "button",
            class: "btn",
            "data-key": `of-${choice}`,
            "aria-pressed": String(choice === scope),
            onclick: () => choose(choice),
          },
          t(`statistics.of_${choice}`),
        ),
      ),
    ),
    refusal ? h("p", { class: "note bad", role: "alert" }, refusal) : null,
  );
  put(
    byId("figures"),
    figures.throws ? cards() : [h("p", { class: "card" }, t("no_throws")), downloadsCard()],
  );
  for (const details of document.querySelectorAll("details[data-numbers]"))
    details.open = openTables.has(details.dataset.numbers);
  document.body.classList.add("still");
}

function choose(choice) {
  wanted = choice;
  loadFigures();
}

function cards() {
  const wide = chartWidth(byId("figures"));
  const half = matchMedia("(min-width: 1080px)").matches
    ? Math.min(wide, chartWidth({ clientWidth: (byId("figures").clientWidth - 16) / 2 }))
    : wide;
  return [
    sampleCard(),
    figures.colours.length ? card("colours", coloursChart(wide)) : null,
    h(
      "div",
      { class: "pair" },
      figures.kept.length ? card("kept", keptChart(half)) : null,
      figures.battles.number ? card("battles", battlesChart(half)) : null,
    ),
    h(
      "div",
      { class: "pair" },
      figures.inside.length > 1 ? card("inside", insideChart(half)) : null,
      figures.upsets.length ? card("upsets", upsetsList()) : null,
    ),
    figures.coloured ? card("rates", ratesWords()) : null,
    downloadsCard(),
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
function sampleCard() {
  // two standard deviations of a proportion of one half, in percentage points
  const margin = Math.round(98 / Math.sqrt(figures.throws));
  const facts = [
    figures.of === "all" ? t("statistics.tables", { n: figures.tables }) : null,
    figures.undone ? t("statistics.undone", { n: figures.undone }) : null,
    figures.read.by_hand ? t("statistics.by_hand", { n: figures.read.by_hand }) : null,
    figures.read.corrected ? t("statistics.put_right", { n: figures.read.corrected }) : null,
  ];
  const withoutColours = figures.throws - figures.coloured;
  return h(
    "section",
    { class: "card", "aria-label": t("statistics.sample") },
    h("h2", {}, t("statistics.throws", { n: figures.throws })),
    facts.some(Boolean) ? h("p", { class: "muted" }, facts.filter(Boolean).join(" · ")) : null,
    h(
      "p",
      { class: "note", id: "sure" },
      figures.throws > 1
        ? t("statistics.sure", { n: figures.throws, points: margin })
        : t("statistics.sure_one"),
    ), // a message of its own, since the plural "one" includes 21 in Russian
    withoutColours
      ? h("p", { class: "note", id: "untold" }, t("statistics.untold", { n: withoutColours }))
      : null,
    note("statistics.model", { fresh: percent(figures.odds.fresh), stuck: percent(figures.odds.stuck) }),
  );
}

function coloursChart(width) {
  const rows = figures.colours.map((row) => ({
    ...row,
    name: colour(row.colour),
    stayed: row.went_in - row.came_out,
  }));
  // if not, expectation and bars cover different throws
  const sameThrows = rows.every((row) => row.known_out === row.came_out);
  const barsOf = (row) => [
    { look: "solid", value: row.went_in },
    { look: "specks", value: Math.max(0, row.stayed), text: signedText(row.stayed) },
    { look: "hatch", value: row.came_out },
  ];
  const chartRows = rows.map((row) => ({
    colour: row.colour,
    name: row.name,
    expected: sameThrows ? row.expected : 0,
    spread: sameThrows ? row.spread : 0,
    bars: barsOf(row),
  }));
  const rowSummary = (row) =>
    [
      `${t("statistics.in")} ${row.went_in}`,
      `${t("statistics.stayed")} ${row.stayed}`,
      `${t("statistics.out")} ${row.came_out}`,
    ].join(", ");
  const label = rows.map((row) => `${withColon(row.name)}${rowSummary(row)}`).join("; ");
  return [
    legend("colours", [
      ["solid", t("statistics.in")],
      ["specks", t("statistics.stayed")],
      ["hatch", t("statistics.out")],
      ...(sameThrows ? [["range", t("statistics.range")]] : []),
    ]),
    colourBars("colours", width, chartRows, label),
    note("statistics.colours_note"),
    numbersTable(
      "colours",
      ["", t("statistics.in"), t("statistics.stayed"), t("statistics.out"), t("statistics.by_odds")],
      rows.map((row) => [
        row.name,
        row.went_in,
        row.stayed,
        row.came_out,
        row.spread ? `${row.known_out} / ${withSpread(row)}` : "–",
      ]),
    ),
  ];
}

function keptChart(width) {
  // if not, the expectation covers fewer throws than the bars
  const sameThrows = figures.kept.every((row) => row.known === row.throws);
  const isCounted = figures.kept.map((row) => row.throws > 0);
  const rows = sameThrows
    ? figures.kept
    : figures.kept.slice(isCounted.indexOf(true), isCounted.lastIndexOf(true) + 1);
  const columns = rows.map((row) => ({
    name: signedText(row.cubes),
    value: row.throws,
    expected: sameThrows ? row.expected : null,
  }));
  const expectedText = (row) =>
    sameThrows ? formatTenth(row.expected) : `${row.known} / ${formatTenth(row.expected)}`;
  return [
    legend("kept", [
      ["solid", t("statistics.counted")],
      ...(sameThrows ? [["line", t("statistics.by_odds")]] : []),
    ]),
    columnsWithOdds(
      "kept",
      width,
      columns,
      columns
        .filter((row) => row.value)
        .map((row) => `${withColon(row.name)}${row.value}`)
        .join("; "),
      t("statistics.kept_axis"),
    ),
    note("statistics.kept_note"),
    numbersTable(
      "kept",
      [t("statistics.kept_axis"), t("statistics.counted"), t("statistics.by_odds")],
      rows.map((row) => [signedText(row.cubes), row.throws, expectedText(row)]),
    ),
  ];
}

function battlesChart(width) {
  const groups = ["ahead", "even", "behind"].map((key) => ({
    name: t(`statistics.${key}`),
    ...figures.battles[key],
  }));
  return [
    legend("battles", [
      ["solid", t("statistics.counted")],
      ["hatch", t("statistics.by_odds")],
      ["range", t("statistics.range")],
    ]),
    pairedBars(
      "battles",
      width,
      groups,
      groups
        .map(
          (group) =>
            `${withColon(group.name)}${group.counted}, ${t("statistics.by_odds")} ${formatTenth(group.expected)}`,
        )
        .join("; "),
    ),
    figures.battles.chance === null
      ? null
      : h(
          "p",
          { id: "verdict" },
          t(figures.battles.chance < 0.05 ? "statistics.strange" : "statistics.fits"),
        ),
    note("statistics.battles_note", { n: figures.battles.number }),
    numbersTable(
      "battles",
      ["", t("statistics.counted"), t("statistics.by_odds")],
      groups.map((group) => [group.name, group.counted, withSpread(group)]),
    ),
  ];
}

const withSpread = ({ expected, spread }) => `${formatTenth(expected)} ±\u00a0${formatTenth(2 * spread)}`;
const signedText = (number) => String(number).replace("-", "−");
const percent = (share) => Math.round(100 * share);
// "± 0" would be wrong
const rate = (share, spread) =>
  [share, 2 * spread].map((x) => (spread < 0.01 ? formatTenth(100 * x) : percent(x)));

function insideChart(width) {
  const values = figures.inside.map((point) => point.cubes);
  const unplotted = figures.throws - values.length; // throws between a knock on the tower and its opening
  return [
    lineChart(
      "inside",
      width,
      values,
      `${withColon(t("statistics.inside"))}${values.join(", ")}`,
      t("statistics.inside_axis"),
    ),
    unplotted ? note("statistics.inside_left", { n: unplotted }) : null,
    note("tower_note"),
  ];
}

// as all province names are written
const nameFromId = (id) => id.replace(/(^|-)./g, (first) => first.toUpperCase());

/** The most unlikely results. */
function upsetsList() {
  return [
    h(
      "ol",
      { class: "upsets" },
      figures.upsets.map((upset) => h("li", {}, upsetWords(upset))),
    ),
    note("statistics.upsets_note"),
  ];
}

function upsetWords(upset) {
  // for all tables, while the current one has no map
  const province = names[upset.province] ?? nameFromId(upset.province ?? "");
  const words = upset.attacker
    ? t("attacks", { attacker: colour(upset.attacker), province })
    : t("fight.revolt", { province, defender: colour(upset.defender) });
  return [
    words,
    h(
      "b",
      {},
      ` · ${t("statistics.chance", { share: Math.max(0.1, Number((100 * upset.chance).toFixed(1))) })}`,
    ),
    figures.of === "all" ? h("small", { class: "muted" }, ` · ${upset.table}`) : null,
  ];
}

function ratesWords() {
  const { fit } = figures;
  if (!fit) return h("p", { id: "no-rates" }, noRatesReason(figures));
  const [[fresh, fresh_more], [stuck, stuck_more]] = [
    rate(fit.rates.fresh, fit.fresh_sd),
    rate(fit.rates.stuck, fit.stuck_sd),
  ];
  return [
    h("p", { id: "rates" }, t("statistics.rates_are", { fresh, fresh_more, stuck, stuck_more })),
    note("statistics.rates_note", { n: fit.throws }),
  ];
}

function noRatesReason({ coloured, known, fewest }) {
  if (coloured < fewest) return t("statistics.rates_few", { n: fewest });
  return known < fewest ? t("statistics.rates_unknown", { n: known, fewest }) : t("statistics.rates_none");
}

/** Downloads of the figures and of every throw. */
function downloadsCard() {
  const link = (path, key) =>
    h(
      "a",
      {
        class: "btn",
        href: `/api/v1/${path}?of=${scope}`,
        download: path.includes(".") ? "" : "tenshu-statistics.json",
        "data-key": `away-${path}`,
      },
      t(key),
    );
  const rows = scope === "game" || host;
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
  put(byId("title"), t("statistics.title"));
  host = Boolean((await fetchBody("seats")).host);
  newest = null;
  await loadFigures(await fetchBody("table"));
}

let redrawTimer = null;
addEventListener("resize", () => {
  clearTimeout(redrawTimer);
  redrawTimer = setTimeout(draw, 200);
});
await startWithRetries(start, "statistics");
listen(loadFigures, (up) => setConnected(up, "statistics", start));
