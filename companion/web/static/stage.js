// The middle of the battle page: what has to be done now.
import { h, s } from "./dom.js";
import { cube, cubeLine } from "./cubes.js";
import { colour, t } from "./i18n.js";
import { cubesThatCameOut } from "./model.js";
import { undoButton } from "./undoing.js";
import { provinceNames, verdictWords } from "./words.js";
import { button } from "./widgets.js";

export function fallingCard(table, act) {
  const unseen = table.phase === "unseen";
  const hasNoPicture = unseen || table.health.camera.name === "none";
  const fallingCube = (name, x, y, kind) =>
    s("rect", { x, y, width: 14, height: 14, rx: 2, fill: `var(--c-${name})`, class: `bit ${kind}` });
  return h(
    "section",
    { class: "card" },
    unseen
      ? null
      : h(
          "div",
          { class: "falling" },
          s(
            "svg",
            { viewBox: "0 0 120 120", "aria-hidden": "true" },
            s("path", {
              d: "M30 8h60l-14 22v44l20 26H24l20-26V30z",
              fill: "none",
              stroke: "currentColor",
              "stroke-width": 3,
              "stroke-linejoin": "round",
            }),
            fallingCube("red", 46, 40, "b1"),
            fallingCube("blue", 60, 34, "b2"),
            fallingCube("green", 53, 46, "b3"),
            s("path", { d: "M10 104h100v10H10z", fill: "currentColor", opacity: ".5" }),
          ),
          hasNoPicture ? null : button("look", t("look_now"), act.look),
        ),
    h(
      "div",
      { class: "row" },
      button("by-hand", t("by_hand"), act.byHand, hasNoPicture ? "main" : "quiet"),
      table.game.battle?.optional ? button("call-off", t("call_off"), act.callOff, "quiet") : null,
    ),
  );
}

/** The outcome of the last throw; null if nothing was thrown. */
export function lastThrowCard(table, act) {
  if (table.game.last) return resultCard(table, act);
  return table.undo?.throw ? fillCard(table, act) : null;
}

/** The tower's first cubes, which decide nothing, but may have been counted wrong. */
function fillCard(table, act) {
  return h(
    "section",
    { class: "card", id: "result", "aria-label": t("after") },
    h("div", { role: "status" }, h("h2", { class: "verdict" }, t("verdict.filled"))),
    h("h3", {}, t("came_out")),
    cubeLine(cubesThatCameOut(table), table.game.colours),
    h("div", { class: "row" }, button("correct", t("correct"), act.startCorrecting), undoButton(table, act)),
  );
}

/** The outcome of the last battle; read-only without `act`. */
export function resultCard(table, act = null) {
  const game = table.game;
  const settled = game.last;
  const names = provinceNames(game);
  const { battle, tray: emerged } = settled;
  const defender = battle.defender ? [battle.defender, "green"] : ["green"];
  return h(
    "section",
    { class: "card", id: "result", "aria-label": t("after") },
    h("div", { role: "status" }, h("h2", { class: "verdict" }, verdictWords(settled, names))),
    h(
      "div",
      { class: "beforeafter" },
      h(
        "div",
        {},
        h("h3", {}, t("count_of", { colour: names[battle.province], n: t("before") })),
        holder(battle.defender, battle.defenders),
      ),
      h("div", { class: "arrow", "aria-hidden": "true" }, "➜"),
      h(
        "div",
        {},
        h("h3", {}, t("count_of", { colour: names[battle.province], n: t("after") })),
        holder(settled.owner, settled.armies),
      ),
    ),
    h(
      "div",
      { class: "two" },
      h(
        "div",
        {},
        h("h3", {}, t("came_out")),
        cubeLine(emerged, [...new Set([battle.attacker, ...defender, ...game.colours])]),
      ),
      h("div", {}, h("h3", {}, t("returned")), cubeLine(settled.returned, game.colours)),
      h("div", {}, h("h3", {}, t("stays")), cubeLine(settled.stays, game.colours)),
    ),
    act
      ? h(
          "div",
          { class: "row" },
          table.undo?.throw
            ? button("correct", t("correct"), act.startCorrecting)
            : game.whole
              ? h("a", { class: "btn", href: "/history", "data-key": "correct-fact" }, t("history.correct"))
              : null, // a throw that later steps build on is corrected through facts
          undoButton(table, act),
        )
      : null,
  );
}

function holder(owner, armies) {
  if (!owner) return h("p", { class: "muted" }, t("neutral"));
  return h(
    "div",
    {},
    h("p", {}, `${colour(owner)}, ${t("armies", { n: armies })}`),
    h(
      "span",
      { class: "cubes", "aria-hidden": "true" },
      Array.from({ length: Math.min(armies, 20) }, () => cube(owner, false)),
    ),
  );
}
