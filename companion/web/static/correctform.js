// The form that corrects a fact: which fact of the game, what the app believes, and what the table shows.
import { h, put } from "./dom.js";
import { colour, t, withColon } from "./i18n.js";
import { HOUSE } from "./hostcards.js";
import { cardName, SPACES } from "./seatplan.js";
import { eventCard, SPECIALS } from "./telling.js";
import { button } from "./widgets.js";

const BUILDINGS = ["castle", "temple", "theatre"];
const EVENTS = Array.from({ length: 12 }, (_, at) => String(at + 1));
const ROW = 10;
const CHESTS = 5;

const provinceOptions = (game) => game.provinces.map((province) => [province.id, province.name]);
const seatOptions = (game) => game.seats.map((seat) => [seat, colour(seat)]);
const cubeOptions = (game) => [...game.seats, "green"].map((name) => [name, colour(name)]);
const buildingOptions = () => BUILDINGS.map((building) => [building, t(`building.${building}`)]);
const actionOptions = () =>
  SPACES.filter((space) => space !== "auction").map((space) => [space, t(`action.${space}`)]);
const nothingOption = () => ["", t("nothing")];
const spaceOptions = () => [...actionOptions(), ["auction", t("seat.bid")]];
const eventOptions = (game) => EVENTS.map((id) => [id, eventName(game, id)]);
const findProvince = (game, id) => game.provinces.find((candidate) => candidate.id === id);
const findPlayer = (game, seat) => game.players.find((candidate) => candidate.seat === seat);

/** An event card by its number in the history and its text, since the printed card has no number. */
const eventName = (game, id) =>
  `${withColon(id)}${eventCard(game.cards.event_cards.find((card) => String(card.id) === id))}`;

/**
 * For each fact: its group; `where` and `also`, what it is a fact about; `kind` of its value; `now`, what the
 * app believes.
 */
const FACTS = {
  armies: {
    group: "board",
    where: provinceOptions,
    kind: "number",
    now: (game, at) => findProvince(game, at).armies,
  },
  owner: {
    group: "board",
    where: provinceOptions,
    kind: "choice",
    options: (game) => [["", t("neutral")], ...seatOptions(game)],
    now: (game, at) => findProvince(game, at).owner ?? "",
  },
  markers: {
    group: "board",
    where: provinceOptions,
    kind: "number",
    now: (game, at) => findProvince(game, at).markers,
  },
  buildings: {
    group: "board",
    where: provinceOptions,
    kind: "several",
    options: buildingOptions,
    now: (game, at) => findProvince(game, at).buildings,
  },
  border: {
    group: "board",
    where: provinceOptions,
    also: provinceOptions,
    kind: "yes",
    now: (game, at, also) => findProvince(game, at).near.includes(also),
  },
  points: {
    group: "players",
    where: seatOptions,
    kind: "number",
    now: (game, at) => findPlayer(game, at).points,
  },
  chests: {
    group: "players",
    where: seatOptions,
    kind: "number",
    now: (game, at) => findPlayer(game, at).chests,
  },
  rice: {
    group: "players",
    where: seatOptions,
    kind: "number",
    now: (game, at) => findPlayer(game, at).rice,
  },
  special: {
    group: "players",
    where: seatOptions,
    kind: "choice",
    options: () => [nothingOption(), ...SPECIALS.map((special) => [special, t(`special.${special}`)])],
    now: (game, at) => findPlayer(game, at).special ?? "",
  },
  card: {
    group: "players",
    where: seatOptions,
    also: spaceOptions,
    kind: "choice",
    note: "correct.card_note",
    options: cardsOf,
    now: () => "",
  },
  tower: {
    group: "tower",
    where: cubeOptions,
    kind: "number",
    now: (game, at) => (game.cubes.tower ? (game.cubes.tower[at] ?? 0) : null),
  },
  tray: { group: "tower", where: cubeOptions, kind: "number", now: (game, at) => game.cubes.tray[at] ?? 0 },
  event: {
    group: "cards",
    kind: "choice",
    options: (game) => [nothingOption(), ...eventOptions(game)],
    now: (game) => String(game.cards.event?.id ?? ""),
  },
  year_events: {
    group: "cards",
    kind: "several",
    options: eventOptions,
    now: (game) => game.cards.year_events.map((card) => String(card.id)),
  },
  row: {
    group: "cards",
    kind: "places",
    places: () => ROW,
    note: "correct.row_note",
    options: () => [nothingOption(), ...actionOptions()],
    now: (game) => Array.from({ length: ROW }, (_, at) => game.cards.actions[at] ?? ""),
  },
  order: {
    group: "cards",
    kind: "places",
    places: (game) => game.seats.length,
    options: seatOptions,
    now: (game) => (game.cards.order.length ? game.cards.order : game.seats),
  },
  bank: { group: "cards", kind: "number", now: (game) => game.bank },
  tiles: { group: "cards", where: buildingOptions, kind: "number", now: (game, at) => game.tiles[at] },
  house: {
    group: "rules",
    where: () => Object.keys(HOUSE).map((rule) => [rule, t(`house.${rule}`)]),
    kind: "house",
    now: (game, at) => game.house[at],
  },
};
const GROUPS = ["board", "players", "tower", "cards", "rules"];

/** The cards that may lie on a player's board: own provinces and chests. */
function cardsOf(game, at) {
  const names = Object.fromEntries(game.provinces.map((province) => [province.id, province]));
  const chests = Array.from({ length: CHESTS }, (_, n) => `chest_${n}`);
  return [
    nothingOption(),
    ...[...findPlayer(game, at).provinces, ...chests].map((card) => [card, cardName(card, names)]),
  ];
}

/** What is entered in the form drawn in `place`: values and ticks by the fields' ids. */
export const enteredFact = (place) =>
  Object.fromEntries(
    [...place.querySelectorAll("input, select")].map(({ id, value, checked }) => [id, { value, checked }]),
  );

/**
 * Draw the form into `place`; `game()` returns the newest view, `save({fact, where, value, reason})` sends
 * the filled-in form. `entered`, from `enteredFact`, is filled in again.
 */
export function correctForm(place, game, save, entered = {}) {
  const fact = h(
    "select",
    { id: "fact", onchange: () => fill() },
    GROUPS.map((group) =>
      h(
        "optgroup",
        { label: t(`factgroup.${group}`) },
        Object.entries(FACTS)
          .filter(([, definition]) => definition.group === group)
          .map(([key]) => h("option", { value: key }, t(`fact.${key}`))),
      ),
    ),
  );
  const valueFields = h("div", { class: "fields" });
  const reason = h("input", { type: "text", id: "reason", maxlength: 200, autocomplete: "off" });
  let form = null;
  function fill(at = null, also = null) {
    form = factForm(FACTS[fact.value], game(), at, also, fill);
    put(valueFields, form.fields);
  }
  const send = () => {
    if ([...place.querySelectorAll("input")].every((input) => input.reportValidity()))
      save({ fact: fact.value, where: form.where(), value: form.value(), reason: reason.value.trim() });
  };
  if (entered.fact) fact.value = entered.fact.value;
  fill(entered.where?.value, entered.also?.value);
  put(
    place,
    h("summary", {}, t("history.correct")),
    h("div", { class: "fields" }, labelledField("fact", t("history.fact"), fact)),
    valueFields,
    h(
      "div",
      { class: "fields" },
      labelledField("reason", t("undoing.reason"), reason),
      button("save-fact", t("save"), send, "main"),
    ),
  );
  for (const input of place.querySelectorAll("input, select"))
    if (input.id in entered) Object.assign(input, entered[input.id]);
}

const labelledField = (id, words, input) => h("div", {}, h("label", { for: id }, words), input);

/** The fields of one fact, with functions that read its place and value. */
function factForm(fact, game, at, also, again) {
  const first = fact.where ? selectOf("where", fact.where(game), at, () => again(first.value, null)) : null;
  const others = fact.also
    ? fact.also(game).filter(([id]) => fact.also !== provinceOptions || id !== first.value)
    : null;
  const second = others ? selectOf("also", others, also, () => again(first.value, second.value)) : null;
  const now = fact.now(game, first?.value, second?.value);
  const value = FIELDS[fact.kind](fact, now, game, first?.value);
  return {
    where: () => [first?.value, second?.value].filter(Boolean).join("."),
    value: value.read,
    fields: [
      first ? labelledField("where", t("history.where"), first) : null,
      second
        ? labelledField("also", t(fact.also === spaceOptions ? "correct.space" : "correct.second"), second)
        : null,
      value.fields,
      fact.note ? h("p", { class: "muted small" }, t(fact.note)) : null,
      now === null ? h("p", { class: "muted small" }, t("correct.hidden")) : null,
    ],
  };
}

const selectOf = (id, options, chosen, onchange = null) =>
  h(
    "select",
    { id, "data-key": id, onchange },
    options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)),
  );

/** For each kind of value: its input, and its value in the form that the rules expect. */
const FIELDS = {
  number(_, now) {
    const input = h("input", {
      type: "number",
      id: "value",
      required: true,
      min: 0,
      max: 999,
      value: now ?? 0,
      inputmode: "numeric",
    });
    return { fields: labelledField("value", t("history.value"), input), read: () => Number(input.value) };
  },
  choice(fact, now, game, at) {
    const input = selectOf("value", fact.options(game, at), now);
    return {
      fields: labelledField("value", t("history.value"), input),
      read: () => (fact === FACTS.event && input.value ? Number(input.value) : input.value || null),
    };
  },
  yes(_, now) {
    const input = selectOf(
      "value",
      [
        ["1", t("correct.yes")],
        ["0", t("correct.no")],
      ],
      now ? "1" : "0",
    );
    return { fields: labelledField("value", t("history.value"), input), read: () => Number(input.value) };
  },
  house(fact, now, game, at) {
    const values = HOUSE[at];
    const input = selectOf(
      "value",
      values.map((value) => [
        String(Number(value)),
        values.length === 2 ? t(value ? "correct.yes" : "correct.no") : String(value),
      ]),
      String(Number(now)),
    );
    return { fields: labelledField("value", t("history.value"), input), read: () => Number(input.value) };
  },
  several(fact, now, game) {
    const boxes = fact
      .options(game)
      .map(([value, words]) => [
        value,
        h("input", { type: "checkbox", id: `value-${value}`, checked: now.includes(value) }),
        words,
      ]);
    return {
      fields: h(
        "fieldset",
        { class: "several" },
        h("legend", {}, t("history.value")),
        boxes.map(([value, box, words]) =>
          h("label", { class: "tick", for: `value-${value}` }, box, h("span", {}, words)),
        ),
      ),
      read: () => boxes.filter(([, box]) => box.checked).map(([value]) => value),
    };
  },
  places(fact, now, game) {
    const options = fact.options(game);
    const inputs = Array.from({ length: fact.places(game) }, (_, at) =>
      selectOf(`value-${at + 1}`, options, now[at]),
    );
    return {
      fields: inputs.map((input, at) => labelledField(input.id, t("correct.place", { n: at + 1 }), input)),
      read: () => inputs.map((input) => input.value),
    };
  },
};
