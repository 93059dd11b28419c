// The form that corrects a fact: which fact of the game, what the app believes, and what the table shows.
import { h, put } from "./dom.js";
import { colour, lead, t } from "./i18n.js";
import { HOUSE } from "./hostcards.js";
import { cardName, SPACES } from "./seatplan.js";
import { eventCard, SPECIALS } from "./telling.js";
import { button } from "./widgets.js";

const BUILDINGS = ["castle", "temple", "theatre"];
const EVENTS = Array.from({ length: 12 }, (_, at) => String(at + 1));
const ROW = 10;
const CHESTS = 5;

const provinces = (game) => game.provinces.map((one) => [one.id, one.name]);
const seats = (game) => game.seats.map((one) => [one, colour(one)]);
const cubes = (game) => [...game.seats, "green"].map((one) => [one, colour(one)]);
const buildings = () => BUILDINGS.map((one) => [one, t(`building.${one}`)]);
const actions = () => SPACES.filter((one) => one !== "auction").map((one) => [one, t(`action.${one}`)]);
const nothing = () => ["", t("nothing")];
const spaces = () => [...actions(), ["auction", t("seat.bid")]];
const events = (game) => EVENTS.map((id) => [id, eventName(game, id)]);
const province = (game, id) => game.provinces.find((one) => one.id === id);
const player = (game, seat) => game.players.find((one) => one.seat === seat);

/** An event card by its number in the history and its text, since the printed card has no number. */
const eventName = (game, id) =>
  `${lead(id)}${eventCard(game.cards.event_cards.find((one) => String(one.id) === id))}`;

/**
 * For each fact: its group; `where` and `also`, what it is a fact about; `kind` of its value; `now`, what the
 * app believes.
 */
const FACTS = {
  armies: { group: "board", where: provinces, kind: "number", now: (game, at) => province(game, at).armies },
  owner: {
    group: "board",
    where: provinces,
    kind: "choice",
    options: (game) => [["", t("neutral")], ...seats(game)],
    now: (game, at) => province(game, at).owner ?? "",
  },
  markers: {
    group: "board",
    where: provinces,
    kind: "number",
    now: (game, at) => province(game, at).markers,
  },
  buildings: {
    group: "board",
    where: provinces,
    kind: "several",
    options: buildings,
    now: (game, at) => province(game, at).buildings,
  },
  border: {
    group: "board",
    where: provinces,
    also: provinces,
    kind: "yes",
    now: (game, at, also) => province(game, at).near.includes(also),
  },
  points: { group: "players", where: seats, kind: "number", now: (game, at) => player(game, at).points },
  chests: { group: "players", where: seats, kind: "number", now: (game, at) => player(game, at).chests },
  rice: { group: "players", where: seats, kind: "number", now: (game, at) => player(game, at).rice },
  special: {
    group: "players",
    where: seats,
    kind: "choice",
    options: () => [nothing(), ...SPECIALS.map((one) => [one, t(`special.${one}`)])],
    now: (game, at) => player(game, at).special ?? "",
  },
  card: {
    group: "players",
    where: seats,
    also: spaces,
    kind: "choice",
    note: "correct.card_note",
    options: cardsOf,
    now: () => "",
  },
  tower: {
    group: "tower",
    where: cubes,
    kind: "number",
    now: (game, at) => (game.cubes.tower ? (game.cubes.tower[at] ?? 0) : null),
  },
  tray: { group: "tower", where: cubes, kind: "number", now: (game, at) => game.cubes.tray[at] ?? 0 },
  event: {
    group: "cards",
    kind: "choice",
    options: (game) => [nothing(), ...events(game)],
    now: (game) => String(game.cards.event?.id ?? ""),
  },
  year_events: {
    group: "cards",
    kind: "several",
    options: events,
    now: (game) => game.cards.year_events.map((one) => String(one.id)),
  },
  row: {
    group: "cards",
    kind: "places",
    places: () => ROW,
    note: "correct.row_note",
    options: () => [nothing(), ...actions()],
    now: (game) => Array.from({ length: ROW }, (_, at) => game.cards.actions[at] ?? ""),
  },
  order: {
    group: "cards",
    kind: "places",
    places: (game) => game.seats.length,
    options: seats,
    now: (game) => (game.cards.order.length ? game.cards.order : game.seats),
  },
  bank: { group: "cards", kind: "number", now: (game) => game.bank },
  tiles: { group: "cards", where: buildings, kind: "number", now: (game, at) => game.tiles[at] },
  house: {
    group: "rules",
    where: () => Object.keys(HOUSE).map((one) => [one, t(`house.${one}`)]),
    kind: "house",
    now: (game, at) => game.house[at],
  },
};
const GROUPS = ["board", "players", "tower", "cards", "rules"];

/** The cards that may lie on a player's board: own provinces and chests. */
function cardsOf(game, at) {
  const names = Object.fromEntries(game.provinces.map((one) => [one.id, one]));
  const chests = Array.from({ length: CHESTS }, (_, n) => `chest_${n}`);
  return [nothing(), ...[...player(game, at).provinces, ...chests].map((one) => [one, cardName(one, names)])];
}

/**
 * Draw the form into `place`; `game()` returns the newest view, `save({fact, where, value, reason})` sends
 * the filled-in form.
 */
export function correctForm(place, game, save) {
  const fact = h(
    "select",
    { id: "fact", onchange: () => fill() },
    GROUPS.map((group) =>
      h(
        "optgroup",
        { label: t(`factgroup.${group}`) },
        Object.entries(FACTS)
          .filter(([, one]) => one.group === group)
          .map(([key]) => h("option", { value: key }, t(`fact.${key}`))),
      ),
    ),
  );
  const more = h("div", { class: "fields" });
  const reason = h("input", { type: "text", id: "reason", maxlength: 200, autocomplete: "off" });
  let form = null;
  function fill(at = null, also = null) {
    form = formOf(FACTS[fact.value], game(), at, also, fill);
    put(more, form.fields);
  }
  const send = () =>
    save({ fact: fact.value, where: form.where(), value: form.value(), reason: reason.value.trim() });
  fill();
  put(
    place,
    h("summary", {}, t("history.correct")),
    h("div", { class: "fields" }, field("fact", t("history.fact"), fact)),
    more,
    h(
      "div",
      { class: "fields" },
      field("reason", t("undoing.reason"), reason),
      button("save-fact", t("save"), send, "main"),
    ),
  );
}

const field = (id, words, input) => h("div", {}, h("label", { for: id }, words), input);

/** The fields of one fact, with functions that read its place and value. */
function formOf(fact, game, at, also, again) {
  const first = fact.where ? choice("where", fact.where(game), at, () => again(first.value, null)) : null;
  const others = fact.also
    ? fact.also(game).filter(([id]) => fact.also !== provinces || id !== first.value)
    : null;
  const second = others ? choice("also", others, also, () => again(first.value, second.value)) : null;
  const now = fact.now(game, first?.value, second?.value);
  const value = FIELDS[fact.kind](fact, now, game, first?.value);
  return {
    where: () => [first?.value, second?.value].filter(Boolean).join("."),
    value: value.read,
    fields: [
      first ? field("where", t("history.where"), first) : null,
      second ? field("also", t(fact.also === spaces ? "correct.space" : "correct.second"), second) : null,
      value.fields,
      fact.note ? h("p", { class: "muted small" }, t(fact.note)) : null,
      now === null ? h("p", { class: "muted small" }, t("correct.hidden")) : null,
    ],
  };
}

const choice = (id, options, chosen, onchange = null) =>
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
      min: 0,
      max: 99,
      value: now ?? 0,
      inputmode: "numeric",
    });
    return { fields: field("value", t("history.value"), input), read: () => Number(input.value) };
  },
  choice(fact, now, game, at) {
    const input = choice("value", fact.options(game, at), now);
    return {
      fields: field("value", t("history.value"), input),
      read: () => (fact === FACTS.event && input.value ? Number(input.value) : input.value || null),
    };
  },
  yes(_, now) {
    const input = choice(
      "value",
      [
        ["1", t("correct.yes")],
        ["0", t("correct.no")],
      ],
      now ? "1" : "0",
    );
    return { fields: field("value", t("history.value"), input), read: () => Number(input.value) };
  },
  house(fact, now, game, at) {
    const values = HOUSE[at];
    const input = choice(
      "value",
      values.map((one) => [
        String(Number(one)),
        values.length === 2 ? t(one ? "correct.yes" : "correct.no") : String(one),
      ]),
      String(Number(now)),
    );
    return { fields: field("value", t("history.value"), input), read: () => Number(input.value) };
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
      choice(`value-${at + 1}`, options, now[at]),
    );
    return {
      fields: inputs.map((input, at) => field(input.id, t("correct.place", { n: at + 1 }), input)),
      read: () => inputs.map((input) => input.value),
    };
  },
};
