// A reading, or counting by hand: the picture, the counts, and one question.
import { refusalText } from "./api.js";
import { cubeLine } from "./cubes.js";
import { h } from "./dom.js";
import { colour, t } from "./i18n.js";
import { cubesThatCameOut } from "./model.js";
import { openQuestions, placeQuestions } from "./places.js";
import { mainReasonNote, otherReasons } from "./reasons.js";
import { switchablePicture } from "./sight.js";
import { button, countRows } from "./widgets.js";
import { provinceNames, verdictWords } from "./words.js";

/** Colours that were seen but are not in this game: shown so that they can be set to zero. */
const foreignColours = (table) =>
  Object.keys(table.look?.counts ?? {}).filter(
    (name) => table.look.counts[name] && !table.game.colours.includes(name),
  );

const CONTRADICTING = 0.9; // confidence of the load cell's number needed to contradict a person's

const sum = (counts) => Object.values(counts).reduce((total, n) => total + n, 0);

/** Whether the tray was read as empty: mostly nobody has thrown yet. */
export const isTrayEmpty = (look) => Boolean(look?.doubts.some((doubt) => doubt.key === "empty"));

/** The card; without a look a person counts by hand. */
export function lookCard(table, edit, act) {
  const look = table.look;
  const foreign = foreignColours(table);
  const order = [...table.game.colours, ...foreign];
  const openPlaces = openQuestions(look, table.game.colours);
  const doubts = look?.doubts.filter((doubt) => doubt.key !== "not_in_tower" || !foreign.length) ?? [];
  return h(
    "section",
    { class: `card looking${look ? " with-picture" : ""}`, "aria-label": t(look ? "seen" : "hand.title") },
    look
      ? h(
          "div",
          { class: "sight" },
          edit.isReread ? h("p", { class: "note", id: "anew" }, t("anew")) : null,
          switchablePicture(look.picture, look, openPlaces, act.onStudied),
          mainReasonNote(look, doubts, openPlaces),
          placeQuestions(look, openPlaces, edit.places, act.choosePlace),
        )
      : null,
    h(
      "div",
      { class: "tell" },
      byWeight(table, sum(edit.counts)),
      h(
        "div",
        { class: "row" },
        h("h2", { class: "grow" }, t(look ? "seen" : "hand.title")),
        h("span", { class: "muted", id: "total" }, t("total", { n: sum(edit.counts) })),
      ),
      countRows(order, edit.counts, look?.counts ?? null, act.editCounts, "count", maximums(edit)),
      decision(table, edit, act, order),
      table.phase === "countdown" || !look
        ? null
        : // not in the bar, which would cover the counts
          h("div", { class: "row" }, button("look", t("look_now"), act.look)),
      otherReasons(look, doubts, openPlaces),
      look?.read_ms
        ? h(
            "p",
            { class: "muted small" },
            t("read_in", { ms: Math.round(look.read_ms), rest: look.since_rest_ms }),
          )
        : null,
    ),
  );
}

/** The load cell's number; highlighted if a count by hand differs from it. */
function byWeight({ weight, look }, total) {
  if (!weight) return null;
  const differs = !look && total > 0 && weight.cubes !== total && weight.sure >= CONTRADICTING;
  return h(
    "p",
    { class: differs ? "note" : "muted", id: "by-weight" },
    t("cell.says", { n: weight.cubes, share: Math.min(99.9, Number((100 * weight.sure).toFixed(1))) }),
  );
}

/**
 * Attributes of a preview line; an outdated one only keeps its space, so that nothing jumps under the finger.
 */
const previewAttributes = (kind, id, edit) =>
  edit.isPreviewPending ? { class: `${kind} earlier` } : { class: kind, id };

/**
 * The counts again beside the buttons, for windows in which the picture hides their rows; screen readers get
 * the rows.
 */
const countsLine = (counts, order) =>
  h("div", { class: "in-short", "aria-hidden": "true" }, cubeLine(counts, order));

/** The outcome of these counts, and the buttons that accept them. */
function decision(table, edit, act, order) {
  const { look, phase } = table;
  const running = phase === "countdown" && look;
  const changed = !look || order.some((name) => (look.counts[name] ?? 0) !== (edit.counts[name] ?? 0));
  const isAskingEmpty = edit.emptyAsked && !sum(edit.counts);
  const nothing = isTrayEmpty(look) && !sum(edit.counts);
  return h(
    "div",
    { class: "decide" },
    look && !nothing ? countsLine(edit.counts, order) : null,
    edit.preview && !nothing
      ? h(
          "p",
          previewAttributes("verdict", "preview", edit),
          verdictWords(edit.preview, provinceNames(table.game)),
        )
      : null,
    edit.impossible ? h("p", previewAttributes("note bad", "impossible", edit), edit.impossible) : null,
    edit.excess
      ? h(
          "div",
          previewAttributes("note bad", "over", edit),
          h("p", {}, tooMany(edit)),
          h("p", { class: "hide-s" }, t("over.do")),
        )
      : null,
    isAskingEmpty ? h("p", { class: "note", id: "empty" }, t("hand.none")) : null,
    running ? h("div", { class: "bar", "aria-hidden": "true" }, h("i", { id: "bar" })) : null,
    h(
      "div",
      { class: "row" },
      button(
        "accept",
        t(
          isAskingEmpty
            ? "hand.none_yes"
            : nothing
              ? "accept_nothing"
              : changed
                ? "accept_changed"
                : "accept",
        ),
        () => act.settle(false),
        nothing ? "quiet" : "main big",
        Boolean(edit.impossible || edit.excess),
      ),
      running ? button("hold", t("hold"), act.hold, "big") : null,
      edit.excess ? button("insist", t("insist.not_in_tower"), () => act.settle(true), "big") : null,
      look ? null : button("cancel", t("cancel"), act.cancel, "quiet"),
    ),
  );
}

/** For each colour with too many cubes, how many are possible; null if the tower's content is not shown. */
function maximums({ counts, excess }) {
  return Object.fromEntries(
    Object.entries(excess?.params.more ?? {}).map(([name, more]) => [
      name,
      more ? counts[name] - more : null,
    ]),
  );
}

function tooMany(edit) {
  const lines = Object.entries(maximums(edit))
    .filter(([, number]) => number !== null)
    .map(([name, number]) =>
      t("over.colour", { colour: colour(name), n: edit.counts[name] ?? 0, most: number }),
    );
  return lines.length ? lines.join(" ") : refusalText(edit.excess);
}

/** Correct the last throw, with its picture if it was kept. */
export function correctionCard(table, edit, act) {
  const { evidence } = edit;
  return h(
    "section",
    { class: `card looking${evidence ? " with-picture" : ""}`, "aria-label": t("correcting") },
    evidence ? h("div", { class: "sight" }, switchablePicture(evidence.picture, evidence.reading, [])) : null,
    h(
      "div",
      { class: "tell" },
      h(
        "div",
        { class: "row" },
        h("h2", { class: "grow" }, t("correcting")),
        h("span", { class: "muted", id: "total" }, t("total", { n: sum(edit.counts) })),
      ),
      countRows(table.game.colours, edit.counts, cubesThatCameOut(table), act.editCounts, "correct"),
      h(
        "div",
        { class: "decide" },
        evidence ? countsLine(edit.counts, table.game.colours) : null,
        edit.preview
          ? h(
              "p",
              previewAttributes("verdict", "preview", edit),
              t("would", { verdict: verdictWords(edit.preview, provinceNames(table.game)) }),
            )
          : null,
        edit.impossible ? h("p", previewAttributes("note bad", "impossible", edit), edit.impossible) : null,
        h(
          "div",
          { class: "row" },
          button("save", t("save"), act.saveCorrection, "main big", Boolean(edit.impossible)),
          button("cancel", t("cancel"), act.cancel, "quiet"),
        ),
      ),
    ),
  );
}
