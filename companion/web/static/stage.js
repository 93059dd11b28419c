// The middle of the page: what the table has to do now.
import { h, s } from "./dom.js";
import { cube, line } from "./cubes.js";
import { colour, lead, t } from "./i18n.js";
import { undoButton } from "./undoing.js";
import { FARMERS } from "./model.js";
import { namesOf, purpose, verdict } from "./words.js";
import { button, choices, stepper } from "./widgets.js";

/** A new battle: who, where, how many. */
export function newBattle(table, form, act) {
  const game = table.game;
  const place = game.provinces.find((one) => one.id === form.province);
  return h(
    "section",
    { class: "card", "aria-label": t("new_battle") },
    h("h2", {}, t("new_battle")),
    choices(
      "attacker",
      t("attacker"),
      [...game.players, ...(owned(game).length ? [FARMERS] : [])].map((name) => ({ value: name, text: name === FARMERS ? t("new_revolt") : colour(name), mark: cube(name, false), more: game.supply ? t("in_supply", { n: game.supply[name] ?? 0 }) : null })),
      form.attacker,
      (value) => act.form({ attacker: value }),
    ),
    owned(game).length > FEW ? null : choices(
      "province",
      t("province"),
      faces(game, form.province).map((one) => ({
        value: one.id,
        text: one.name,
        mark: one.owner ? cube(one.owner, false) : null,
        disabled: !isTarget(one, form.attacker),
        more: one.owner ? `${colour(one.owner)}, ${t("armies", { n: one.armies })}` : t("neutral"),
      })),
      form.province,
      (value) => act.form({ province: value, defenders: game.provinces.find((one) => one.id === value).armies }),
    ),
    elsewhere(game, form, act),
    fromWhere(game, form, act),
    h(
      "div",
      { class: "two" },
      h("div", {}, h("h3", {}, t(form.attacker === FARMERS ? "farmers_rise" : "attackers")), numberOf("attackers", form.attackers, fewest(place, form.attacker), Math.max(1, atHand(game, form)), act, form.attacker === FARMERS)),
      place?.owner ? h("div", {}, h("h3", {}, t("defenders")), numberOf("defenders", form.defenders, 1, 62, act)) : null,
    ),
    h("div", { class: form.touched ? "decide" : "" }, chosen(game, form, place), // below a result it would offer a battle that nobody chose
      h("div", { class: "row" }, button("to-battle", t("to_battle"), act.attack, "main big"), game.whole ? button("cancel", t("cancel"), act.cancel, "quiet") : null)),
  );
}

/** What the form says, in a sentence beside its button: a phone shows a third of it. */
function chosen(game, { attacker, attackers, defenders }, place) {
  if (!place) return null;
  const revolt = attacker === FARMERS;
  const side = (name, n) => t("count_of", { colour: colour(name), n: t("armies", { n }) });
  const sides = [revolt ? t("farmers", { n: attackers }) : side(attacker, attackers), place.owner ? side(place.owner, defenders) : null].filter(Boolean);
  return h("div", { class: "chosen", "aria-hidden": "true" }, h("p", { class: "verdict" }, purpose({ attacker, revolt, province: place.id, defender: place.owner }, namesOf(game))), h("p", { class: "muted" }, sides.join(" · ")));
}

const FEW = 12;
const MOST = 62;

/** What a player can attack with; all cubes where supplies are not told. */
export const inSupply = (game, name) => (game.supply ? (game.supply[name] ?? 0) : MOST);

/** The attacker's provinces that border on the target and can send an army: one stays behind. */
export const origins = (game, { attacker, province }) => game.provinces.filter((one) => one.owner === attacker && one.armies > 1 && one.near.includes(province));

/** With how many somebody can attack: of the province they leave, or of the supply. */
export function atHand(game, { attacker, origin }) {
  const left = game.provinces.find((one) => one.id === origin);
  return left ? left.armies - 1 : inSupply(game, attacker);
}

const SUPPLY = "supply";

/** What the armies leave, so that the books take them from there. */
function fromWhere(game, form, act) {
  const there = origins(game, form);
  if (!there.length) return null;
  const faces = there.map((one) => ({ value: one.id, text: one.name, mark: cube(one.owner, false), more: t("armies", { n: one.armies }) }));
  return choices("origin", t("origin"), [...faces, { value: SUPPLY, text: t("origin.none"), more: t("origin.supply") }], form.origin ?? SUPPLY, (value) => act.form({ origin: value === SUPPLY ? null : value }));
}

/** Whom somebody can attack: not himself; farmers rise against owners only (B-12). */
export const isTarget = (place, attacker) => (attacker === FARMERS ? place.owner !== null : place.owner !== attacker);

/** Farmers are as many as the revolt markers at least. */
export const fewest = (place, attacker) => (attacker === FARMERS ? Math.max(1, place.markers) : 1);

const owned = (game) => game.provinces.filter((one) => one.owner);

/** Provinces shown as faces while they are few: those that somebody owns, and the chosen one. */
const faces = (game, chosen) => game.provinces.filter((one) => one.owner || one.id === chosen);

/** All others by name; all of them when they are many. */
function elsewhere(game, form, act) {
  if (owned(game).length > FEW) return everywhere(game, form, act);
  if (form.attacker === FARMERS) return null;
  const choose = h(
    "select",
    { "aria-label": t("elsewhere"), "data-key": "elsewhere" },
    h("option", { value: "" }, t("elsewhere")),
    game.provinces.filter((one) => !one.owner).map((one) => h("option", { value: one.id }, one.name)),
  );
  choose.addEventListener("change", () => choose.value && act.form({ province: choose.value, defenders: 0 }));
  return choose;
}

function everywhere(game, form, act) {
  const name = (one) => (one.owner ? `${lead(one.name)}${colour(one.owner)}, ${t("armies", { n: one.armies })}` : `${lead(one.name)}${t("neutral")}`);
  const choose = h(
    "select",
    { id: "everywhere", "data-key": "everywhere" },
    game.provinces
      .filter((one) => isTarget(one, form.attacker))
      .map((one) => h("option", { value: one.id, selected: one.id === form.province }, name(one))),
  );
  choose.addEventListener("change", () => act.form({ province: choose.value, defenders: game.provinces.find((one) => one.id === choose.value).armies }));
  return h("fieldset", {}, h("legend", {}, h("label", { for: "everywhere" }, t("province"))), choose);
}

function numberOf(key, value, min, max, act, rises = false) {
  const name = t(key === "attackers" && rises ? "farmers_rise" : key);
  return stepper({
    key,
    label: name,
    less: `${name} −1`,
    more: `${name} +1`,
    value,
    min,
    max,
    onchange: (now) => act.form({ [key]: now }),
  });
}

export function falling(table, act) {
  const unseen = table.phase === "unseen";
  const blind = unseen || table.health.camera.name === "none";
  const bit = (name, x, y, kind) => s("rect", { x, y, width: 14, height: 14, rx: 2, fill: `var(--c-${name})`, class: `bit ${kind}` });
  return h(
    "section",
    { class: "card" },
    unseen ? null : h(
      "div",
      { class: "falling" },
      s(
        "svg",
        { viewBox: "0 0 120 120", "aria-hidden": "true" },
        s("path", { d: "M30 8h60l-14 22v44l20 26H24l20-26V30z", fill: "none", stroke: "currentColor", "stroke-width": 3, "stroke-linejoin": "round" }),
        bit("red", 46, 40, "b1"), bit("blue", 60, 34, "b2"), bit("green", 53, 46, "b3"),
        s("path", { d: "M10 104h100v10H10z", fill: "currentColor", opacity: ".5" }),
      ),
      blind ? null : button("look", t("look_now"), act.look),
    ),
    h("div", { class: "row" },
      button("by-hand", t("by_hand"), act.byHand, blind ? "main" : "quiet"),
      table.game.battle?.optional ? button("call-off", t("call_off"), act.callOff, "quiet") : null),
  );
}

/** What the last throw decided; without `act` only to look at. */
export function result(table, act = null) {
  const game = table.game;
  const settled = game.last;
  const names = namesOf(game);
  const { battle, tray: out } = settled;
  const defender = battle.defender ? [battle.defender, "green"] : ["green"];
  return h(
    "section",
    { class: "card", id: "result", "aria-label": t("after") },
    h("div", { role: "status" }, h("h2", { class: "verdict" }, verdict(settled, names))),
    h(
      "div",
      { class: "beforeafter" },
      h("div", {}, h("h3", {}, t("count_of", { colour: names[battle.province], n: t("before") })), holder(battle.defender, battle.defenders)),
      h("div", { class: "arrow", "aria-hidden": "true" }, "➜"),
      h("div", {}, h("h3", {}, t("count_of", { colour: names[battle.province], n: t("after") })), holder(settled.owner, settled.armies)),
    ),
    h(
      "div",
      { class: "two" },
      h("div", {}, h("h3", {}, t("came_out")), line(out, [...new Set([battle.attacker, ...defender, ...game.colours])])),
      h("div", {}, h("h3", {}, t("returned")), line(settled.returned, game.colours)),
      h("div", {}, h("h3", {}, t("stays")), line(settled.stays, game.colours)),
    ),
    act ? h(
      "div",
      { class: "row" },
      table.undo?.throw ? button("correct", t("correct"), act.startCorrecting) : game.whole ? h("a", { class: "btn", href: "/history", "data-key": "correct-fact" }, t("history.correct")) : null, // what later steps build on is put right as facts
      undoButton(table, act),
    ) : null,
  );
}

function holder(owner, armies) {
  if (!owner) return h("p", { class: "muted" }, t("neutral"));
  return h("div", {}, h("p", {}, `${colour(owner)}, ${t("armies", { n: armies })}`), h("span", { class: "cubes", "aria-hidden": "true" }, Array.from({ length: Math.min(armies, 20) }, () => cube(owner, false))));
}
