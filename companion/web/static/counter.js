// A table without rules: the cubes thrown into the tower, and those taken out of the tray again.
import { cubeLine } from "./cubes.js";
import { h } from "./dom.js";
import { colour, t, withColon } from "./i18n.js";
import { button, countRows } from "./widgets.js";

export const BOX = [
  "blue",
  "red",
  "yellow",
  "black",
  "purple",
  "green",
  "white",
  "orange",
  "brown",
  "grey",
  "pink",
  "wood",
];

/** The card between two throws: the cubes to throw, counted by colour, and the tray. */
export function counterCards(table, form, act) {
  const { game } = table;
  const counts = Object.fromEntries(game.colours.map((name) => [name, form.cubes?.[name] ?? 0]));
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const lying = withoutZeros(game.tray);
  // the tray's cubes go in with every throw, even alone
  const isRethrow = total === 0 && Object.keys(lying).length > 0;
  const throwButton = button(
    "counter-throw",
    t(isRethrow ? "counter.again" : "counter.throw"),
    () => act.sendCommand({ kind: "throw", cubes: withoutZeros(counts) }),
    isRethrow ? "big" : "main big",
  );
  throwButton.disabled = total === 0 && !isRethrow;
  return [
    h(
      "section",
      { class: "card", "aria-label": t("counter.title") },
      h(
        "div",
        { class: "row" },
        h("h2", { class: "grow" }, t("counter.title")),
        h("span", { class: "muted" }, t("total", { n: total })),
      ),
      countRows(game.colours, counts, null, (cubes) => act.changeForm({ cubes }), "throw"),
      game.supply
        ? h(
            "p",
            { class: "muted small" },
            game.colours
              .map((name) => `${withColon(colour(name))}${t("in_supply", { n: game.supply[name] ?? 0 })}`)
              .join(" · "),
          )
        : null,
      h(
        "div",
        { class: "decide" },
        throwButton.disabled
          ? null
          : h(
              "div",
              { class: "in-short", "aria-hidden": "true" },
              cubeLine(addCounts(counts, lying), game.colours),
            ),
        h(
          "div",
          { class: "row" },
          throwButton,
          isRethrow ? button("counter-series", t("counter.series"), act.startSeries, "big") : null,
        ),
      ),
    ),
    Object.keys(lying).length || justThrown(table) ? trayCard(table, lying, form, act) : null,
    otherBox(table, act),
  ];
}

/**
 * Everything that goes in; screen readers hear it from the rows and the tray, which a phone shows outside the
 * window.
 */
const addCounts = (some, more) =>
  Object.fromEntries(Object.keys(some).map((name) => [name, some[name] + (more[name] ?? 0)]));

const withoutZeros = (counts) => Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));

/** Whether nothing that counts has happened since the last throw, so that the tray holds what came out. */
export const justThrown = ({ undo }) => Boolean(undo?.throw);

/** The tray's cubes: take all out, or only some colours while the others wait for the next throw. */
function trayCard(table, lying, form, act) {
  const colours = table.game.colours.filter((name) => name in lying);
  const takenOut = Object.fromEntries(
    colours.map((name) => [name, Math.min(form.out?.[name] ?? lying[name], lying[name])]),
  );
  const takesAll = colours.every((name) => takenOut[name] === lying[name]);
  const clearButton = button("counter-clear", t(takesAll ? "counter.clear" : "counter.out"), () =>
    act.sendCommand({ kind: "take_out", cubes: withoutZeros(takenOut) }),
  );
  clearButton.disabled = !Object.keys(withoutZeros(takenOut)).length;
  return h(
    "section",
    { class: "card", "aria-label": t("tray") },
    h("h2", {}, t("tray")),
    cubeLine(lying, table.game.colours),
    colours.length
      ? [
          h("p", { class: "muted small" }, t("counter.tray")),
          countRows(colours, takenOut, lying, (next) => act.changeForm({ out: next }), "out"),
        ]
      : null,
    h(
      "div",
      { class: "row" },
      colours.length ? clearButton : null,
      justThrown(table) ? button("correct", t("correct"), act.startCorrecting, "quiet") : null,
    ),
  );
}

let unfolded = false;
let typed = { at: "", box: {} }; // kept across redraws while others throw
// saved by this page; shown until something else is typed, or others change the box
let saved = { table: "", box: {} };

const sameBox = (some, others) => BOX.every((name) => (some[name] ?? 0) === (others[name] ?? 0));

/** Correct the box given when the table began; tower and tray stay as they are. */
function otherBox({ table, game }, act) {
  const at = JSON.stringify([table, game.box]);
  const box = Object.fromEntries(
    BOX.map((name) => [name, (typed.at === at ? typed.box : game.box)[name] ?? 0]),
  );
  const change = (next) => {
    typed = { at, box: next };
    act.changeForm({});
  };
  const save = async () => {
    if (!(await act.sendCommand({ kind: "correct_box", box: withoutZeros(box) }))) return;
    [typed, saved] = [
      { at: "", box: {} },
      { table, box },
    ];
    act.changeForm({});
  };
  const isSaved = saved.table === table && sameBox(saved.box, game.box) && sameBox(box, game.box);
  return h(
    "details",
    { class: "card", open: unfolded, ontoggle: (event) => (unfolded = event.target.open) },
    h("summary", { "data-key": "box-other" }, t("counter.box_other")),
    boxFields(box, BOX, change),
    h(
      "div",
      { class: "row" },
      button("box-save", t("save"), save, "main"),
      h("span", { role: "status", id: "box-saved" }, isSaved ? t("counter.box_saved") : null),
    ),
  );
}

/** Fields for a box: each colour with its number of cubes. */
export function boxFields(box, colours, change) {
  return h(
    "fieldset",
    {},
    h("legend", {}, t("counter.box")),
    countRows(colours, box, null, change, "box"),
    h("p", { class: "muted small" }, t("counter.box_note")),
  );
}
