// The purpose of a throw before it falls (battle, revolt, the tower's first cubes), and what to do between
// throws.
import { cube, cubePiles } from "./cubes.js";
import { h } from "./dom.js";
import { colour, t } from "./i18n.js";
import { undoButton } from "./undoing.js";
import { button } from "./widgets.js";
import { provinceNames, purposeWords } from "./words.js";

const SHOWN = 30;

/** What to throw, with the buttons for counting by hand. */
export function throwCard(table, act) {
  const { battle, plan, colours } = table.game;
  const hasNoCamera = table.health.camera.name === "none";
  const byHand = button(
    "by-hand",
    t("by_hand"),
    act.byHand,
    table.demo ? "" : hasNoCamera ? "main big" : "main",
  );
  return h(
    "section",
    { class: "card", "aria-label": t("to_throw") },
    h("h2", {}, purposeWords(battle, provinceNames(table.game))),
    battle.fight === "fill" || battle.fight === "count"
      ? [
          h("h3", {}, t("fight.from_table")),
          h("div", { class: "two" }, cubePiles(cubesThrown(battle, plan), colours)),
        ]
      : opposingArmies(battle),
    Object.keys(plan.from_tray).length && !isTrayOnly(battle, plan)
      ? [h("h3", {}, t("from_tray")), cubePiles(plan.from_tray, colours)]
      : null,
    hasNoCamera ? h("p", { class: "muted" }, t("no_camera")) : null,
    hasNoCamera && !table.demo ? h("div", { class: "decide" }, h("div", { class: "row" }, byHand)) : null,
    h(
      "div",
      { class: "row" },
      table.demo ? button("fall", t("let_fall"), act.letCubesFall, "main big") : null,
      hasNoCamera ? null : button("look", t("look_now"), act.look),
      hasNoCamera && !table.demo ? null : byHand,
      battle.optional ? button("call-off", t("call_off"), act.callOff, "quiet") : null,
      undoButton(table, act),
    ),
  );
}

/** Whether only the tray's cubes go in. */
const isTrayOnly = (battle, plan) => battle.fight === "count" && !Object.keys(plan.from_table).length;

/** The cubes of a throw that is no battle. */
export const cubesThrown = (battle, plan) => (isTrayOnly(battle, plan) ? plan.from_tray : plan.from_table);

/** Both armies, side by side. */
export function opposingArmies({ attacker, attackers, defender, defenders }) {
  const number = (name, n) => t(name === "green" ? "farmers" : "armies", { n });
  const side = (name, n) =>
    h(
      "div",
      { class: "army" },
      h(
        "span",
        { class: "name" },
        cube(name, false),
        name === "green" ? null : colour(name),
        h("span", { class: name === "green" ? "" : "muted" }, number(name, n)),
      ),
      h(
        "span",
        { class: "cubes", "aria-hidden": "true" },
        Array.from({ length: Math.min(n, SHOWN) }, () => cube(name, false)),
      ),
    );
  return h(
    "div",
    { class: "versus" },
    side(attacker, attackers),
    h("span", { class: "x", "aria-hidden": "true" }, "✕"),
    side(defender ?? "green", defenders),
  );
}

/**
 * Between throws of a whole game: where it continues or how it ended, and a battle out of turn on request.
 */
export function betweenThrowsCard({ over }, act) {
  return h(
    "section",
    { class: "card", "aria-label": t(over ? "end_page" : "map_page") },
    over ? null : h("p", {}, t("fight.go_on")),
    h(
      "div",
      { class: "row" },
      over ? h("a", { class: "btn main big", href: "/end" }, t("end_page")) : null,
      h("a", { class: `btn big${over ? "" : " main"}`, href: "/map" }, t("map_page")),
      over ? null : h("a", { class: "btn big", href: "/seat" }, t("seat_page")),
      button("declare", t("fight.aside"), act.declareAside, "quiet"),
    ),
  );
}
