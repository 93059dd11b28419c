// The form for a new battle: who, where, from where, and how many on either side.
import {
  CUBES_PER_COLOUR,
  availableAttackers,
  isAttackable,
  minAttackers,
  possibleOrigins,
  targetProvince,
} from "./battleform.js";
import { h } from "./dom.js";
import { cube } from "./cubes.js";
import { colour, t, withColon } from "./i18n.js";
import { FARMERS } from "./model.js";
import { provinceNames, purposeWords } from "./words.js";
import { button, choices, stepper } from "./widgets.js";

/** The card with the form. */
export function newBattleCard(table, form, act) {
  const game = table.game;
  const place = targetProvince(game, form);
  return h(
    "section",
    { class: "card", "aria-label": t("new_battle") },
    h("h2", {}, t("new_battle")),
    choices(
      "attacker",
      t("attacker"),
      [...game.players, ...(ownedProvinces(game).length ? [FARMERS] : [])].map((name) => ({
        value: name,
        text: name === FARMERS ? t("new_revolt") : colour(name),
        mark: cube(name, false),
        more: game.supply ? t("in_supply", { n: game.supply[name] ?? 0 }) : null,
      })),
      form.attacker,
      (value) => act.changeForm({ attacker: value }),
    ),
    ownedProvinces(game).length > FEW
      ? null
      : choices(
          "province",
          t("province"),
          provinceChoices(game, form).map((province) => ({
            value: province.id,
            text: province.name,
            mark: province.owner ? cube(province.owner, false) : null,
            disabled: !isAttackable(province, form.attacker),
            more: province.owner
              ? `${colour(province.owner)}, ${t("armies", { n: province.armies })}`
              : t("neutral"),
          })),
          form.province,
          (value) => act.changeForm({ province: value }),
        ),
    neutralSelect(game, form, act),
    h(
      "div",
      { class: "two" },
      h(
        "div",
        {},
        h("h3", {}, t(form.attacker === FARMERS ? "farmers_rise" : "attackers")),
        numberField(
          "attackers",
          form.attackers,
          minAttackers(place, form.attacker),
          Math.max(1, availableAttackers(game, form)),
          act,
          form.attacker === FARMERS,
        ),
      ),
      place?.owner
        ? h(
            "div",
            {},
            h("h3", {}, t("defenders")),
            numberField("defenders", form.defenders, 1, CUBES_PER_COLOUR, act),
          )
        : null,
    ),
    // below the numbers, which would jump under the finger as it changes with the attacker
    originChoice(game, form, act),
    h(
      "div",
      { class: form.touched ? "decide" : "" },
      // not fixed until touched: below a result it would offer a battle that nobody chose
      choiceSentence(game, form, place),
      h(
        "div",
        { class: "row" },
        button("to-battle", t("to_battle"), act.attack, "main big"),
        game.whole ? button("cancel", t("cancel"), act.cancel, "quiet") : null,
      ),
    ),
  );
}

/** The form's choice as a sentence beside the button, since a phone shows only a third of the form. */
function choiceSentence(game, { attacker, attackers, defenders }, place) {
  if (!place) return null;
  const revolt = attacker === FARMERS;
  const side = (name, n) => t("count_of", { colour: colour(name), n: t("armies", { n }) });
  const sides = [
    revolt ? t("farmers", { n: attackers }) : side(attacker, attackers),
    place.owner ? side(place.owner, defenders) : null,
  ].filter(Boolean);
  return h(
    "div",
    { class: "chosen", "aria-hidden": "true" },
    h(
      "p",
      { class: "verdict" },
      purposeWords({ attacker, revolt, province: place.id, defender: place.owner }, provinceNames(game)),
    ),
    h("p", { class: "muted" }, sides.join(" · ")),
  );
}

const FEW = 12;
const SUPPLY = "supply";

/** The province the armies come from, so that they are subtracted there. */
function originChoice(game, form, act) {
  const sources = possibleOrigins(game, form);
  if (!sources.length) return null;
  const faces = sources.map((province) => ({
    value: province.id,
    text: province.name,
    mark: cube(province.owner, false),
    more: t("armies", { n: province.armies }),
  }));
  return choices(
    "origin",
    t("origin"),
    [...faces, { value: SUPPLY, text: t("origin.none"), more: t("origin.supply") }],
    form.origin ?? SUPPLY,
    (value) => act.changeForm({ origin: value === SUPPLY ? null : value }),
  );
}

const ownedProvinces = (game) => game.provinces.filter((province) => province.owner);

/**
 * Provinces shown as faces while they are few: those that somebody owns, the chosen one, and a neutral one
 * that was: nothing moves where farmers, who cannot rise there, are tried.
 */
const provinceChoices = (game, { province, neutral }) =>
  game.provinces.filter((candidate) => candidate.owner || [province, neutral].includes(candidate.id));

/** A select for the unowned provinces, or for all provinces if many are owned. */
function neutralSelect(game, form, act) {
  if (ownedProvinces(game).length > FEW) return targetSelect(game, form, act);
  const choose = h(
    "select",
    { "aria-label": t("elsewhere"), "data-key": "elsewhere", disabled: form.attacker === FARMERS },
    h("option", { value: "" }, t("elsewhere")),
    game.provinces
      .filter((province) => !province.owner)
      .map((province) => h("option", { value: province.id }, province.name)),
  );
  choose.addEventListener(
    "change",
    () => choose.value && act.changeForm({ province: choose.value, neutral: choose.value }),
  );
  return choose;
}

function targetSelect(game, form, act) {
  const name = (province) =>
    province.owner
      ? `${withColon(province.name)}${colour(province.owner)}, ${t("armies", { n: province.armies })}`
      : `${withColon(province.name)}${t("neutral")}`;
  const choose = h(
    "select",
    { id: "everywhere", "data-key": "everywhere" },
    game.provinces
      .filter((province) => isAttackable(province, form.attacker))
      .map((province) =>
        h("option", { value: province.id, selected: province.id === form.province }, name(province)),
      ),
  );
  choose.addEventListener("change", () => act.changeForm({ province: choose.value }));
  return h("fieldset", {}, h("legend", {}, h("label", { for: "everywhere" }, t("province"))), choose);
}

function numberField(key, value, min, max, act, rises = false) {
  const name = t(key === "attackers" && rises ? "farmers_rise" : key);
  return stepper({
    key,
    label: name,
    less: `${name} −1`,
    more: `${name} +1`,
    value,
    min,
    max,
    onchange: (now) => act.changeForm({ [key]: now }),
  });
}
