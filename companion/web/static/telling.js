// Forms for what lies on the table when playing with real cards: revealed bids, cards the table shuffled.
import { h } from "./dom.js";
import { colour, t } from "./i18n.js";
import { commandWords } from "./orders.js";
import { revoltDrawCard } from "./seatdraws.js";
import { cardName, SPACES } from "./seatplan.js";
import { button } from "./widgets.js";

const OPEN = "?"; // not chosen yet
const CHESTS = 5;
const [EVENTS, PLACES] = [4, 5];
export const SPECIALS = ["plus_chest", "plus_rice", "six_armies", "plus_attack", "plus_defence"];
let chosen = { at: "", values: new Map() }; // kept across redraws of a form

/** An event card in words, since the printed ones have no number. */
export const eventCard = (card) =>
  `${t(`effect.${card.effect}`)} · ${t("round.loss", { n: card.winter_rice_loss })}`;

const places = (number, options) =>
  Array.from({ length: number }, (_, at) => ({
    key: String(at + 1),
    label: t("correct.place", { n: at + 1 }),
    options,
  }));
const events = (cards) => cards.map((card) => [String(card.id), eventCard(card)]);

/** For each phase, the fields for the cards laid in it. */
const LAID = {
  draft: (game) => places(game.draft.gap, pileOptions(game)),
  year: (game) => places(EVENTS, events(game.cards.event_cards)),
  row: () =>
    places(
      PLACES,
      SPACES.filter((space) => space !== "auction").map((space) => [space, t(`action.${space}`)]),
    ),
  specials: () =>
    places(
      PLACES,
      SPECIALS.map((special) => [special, t(`special.${special}`)]),
    ),
  event: (game) => [{ key: "event", label: t("tell.event"), options: events(game.cards.year_events) }],
};

/** Whether an order needs such a form. */
export function needsForm(order, game) {
  if (order.kind === "reveal") return Object.keys(order.bids).length > 0;
  return game.by_table && (order.kind === "draw_revolts" || (order.kind === "lay" && game.phase in LAID));
}

/** Keep the choices only for one moment of one game. */
function resetOnChange(at) {
  if (chosen.at !== at) chosen = { at, values: new Map() };
}

/** The form for such an order; `send` sends the command. */
export function orderForm(order, { table, game }, names, send) {
  if (order.kind === "draw_revolts")
    return revoltDrawCard(game, order.player, names, send, commandWords(order, names));
  resetOnChange(`${table} ${game.phase} ${game.year} ${game.season} ${game.draft?.open ?? ""}`);
  return order.kind === "lay" ? laidForm(order, game, send) : bidsForm(order, game, names, send);
}

function laidForm(order, game, send) {
  const fields = LAID[game.phase](game).map(field);
  disableTaken(fields);
  const submit = () => send({ ...order, cards: fields.map((field) => field.input.value) });
  // the app cannot draw from the real pile
  if (game.phase === "draft") return form(t("tell.laid"), fields, [], submit, []);
  return form(
    t("tell.laid"),
    fields,
    [],
    submit,
    [],
    button("shuffle", t("tell.shuffle"), () => send(order), "quiet"),
  );
}

function bidsForm(order, game, names, send) {
  const provincesOf = (seat) => game.players.find((player) => player.seat === seat).provinces;
  const cards = (seat) =>
    [...Array.from({ length: CHESTS }, (_, n) => `chest_${n}`), ...provincesOf(seat)].map((card) => [
      card,
      cardName(card, names),
    ]);
  const fields = Object.keys(order.bids).map((seat) =>
    field({ key: seat, label: colour(seat), options: [["", t("order.no_card")], ...cards(seat)] }),
  );
  // otherwise equal bids are not known before they are revealed
  const real = fields.length === game.seats.length;
  const drawnFields = real
    ? places(
        fields.length,
        game.seats.map((seat) => [seat, colour(seat)]),
      ).map((place) => field({ ...place, key: `drawn-${place.key}` }))
    : [];
  disableTaken(drawnFields);
  const submit = () =>
    send({
      ...order,
      bids: Object.fromEntries(fields.map((field) => [field.key, field.input.value || null])),
      drawn: drawnFields.some(isOpen) || !real ? null : drawnFields.map((field) => field.input.value),
    });
  const open = drawnFields.some((field) => !isOpen(field));
  return form(t("tell.bids"), fields, drawnFields, submit, [
    h("p", { class: "muted small" }, t("tell.equal")),
    real
      ? h("details", { class: "real", open }, h("summary", {}, t("tell.drawn")), fieldRows(drawnFields))
      : null,
  ]);
}

const pileOptions = ({ draft, provinces }) =>
  provinces
    .filter((province) => !province.owner && !draft.open.includes(province.id))
    .map((province) => [province.id, province.name]);

/**
 * Taking provinces with the real cards (S-4, S-5): the pile lies on the table, and a person enters what was
 * drawn.
 */
export function takeForms(legal, game, names, send) {
  const { draft } = game;
  resetOnChange(JSON.stringify(draft));
  const takes = legal.filter((order) => order.kind === "take");
  const distinctOptions = (key, words) =>
    [...new Set(takes.map((order) => order[key]))].map((value) => [String(value), words(value)]);
  const hidden = pileOptions(game);
  const take = field({
    key: "take",
    label: t("draft.take"),
    options: distinctOptions("take", (card) => names[card]?.name ?? t("order.pile")),
  });
  const group = field({
    key: "group",
    label: t("draft.group"),
    options: distinctOptions("group", (n) => t("armies", { n })),
  });
  // none if no card is left to turn up
  const drawnField = hidden.length ? field({ key: "drawn", label: t("draft.drawn"), options: hidden }) : null;
  const submit = () =>
    send({
      ...takes.find((order) => order.take === take.input.value && String(order.group) === group.input.value),
      drawn: drawnField?.input.value ?? null,
    });
  const how = h("p", { class: "muted small" }, t("draft.how"));
  const swap = legal.find((order) => order.kind === "swap");
  return [
    form(t("draft.title"), [take, group, drawnField].filter(Boolean), [], submit, how, null, {
      key: "take-it",
      words: t("draft.done"),
    }),
    swap ? swapForm(swap, hidden, send) : null,
  ];
}

function swapForm(order, hidden, send) {
  const fields = places(2, hidden).map((place) => field({ ...place, key: `swap-${place.key}` }));
  disableTaken(fields);
  return form(
    t("order.swap"),
    fields,
    [],
    () => send({ ...order, drawn: fields.map((field) => field.input.value) }),
    [],
    null,
    { key: "swapped", words: t("draft.swapped") },
  );
}

const isOpen = (field) => field.input.value === OPEN;

function field({ key, label, options }) {
  const id = `tell-${key}`;
  const selected = chosen.values.get(key) ?? OPEN;
  const input = h(
    "select",
    { id, "data-key": id },
    [[OPEN, "–"], ...options].map(([value, words]) =>
      h("option", { value, selected: value === selected }, words),
    ),
  );
  input.addEventListener("change", () => chosen.values.set(key, input.value));
  return { key, input, row: h("div", {}, h("label", { for: id }, label), input) };
}

const fieldRows = (fields) =>
  h(
    "div",
    { class: "fields" },
    fields.map((field) => field.row),
  );

/** Disable each choice in the other fields, since there is only one card of each. */
function disableTaken(fields) {
  const show = () => {
    for (const field of fields) {
      const elsewhere = fields
        .filter((rival) => rival !== field && !isOpen(rival))
        .map((rival) => rival.input.value);
      for (const option of field.input.options) option.disabled = elsewhere.includes(option.value);
    }
  };
  for (const field of fields) field.input.addEventListener("change", show);
  show();
}

/**
 * A form whose button works once everything is chosen; the `spare` fields may be left out, but only all
 * together.
 */
function form(
  title,
  fields,
  spare,
  submit,
  more,
  extraButton = null,
  { key, words } = { key: "tell", words: t("tell.these") },
) {
  const hint = h("p", { role: "status", class: "small" });
  const submitButton = button(key, words, submit, "main");
  const show = () => {
    const startedSpare = spare.some((field) => !isOpen(field)) ? spare : [];
    const open = [...fields, ...startedSpare].filter(isOpen).length;
    submitButton.disabled = open > 0;
    hint.textContent = open ? t("draws.choose", { n: open }) : "";
  };
  for (const field of [...fields, ...spare]) field.input.addEventListener("change", show);
  show();
  return h(
    "section",
    { class: "card telling", "aria-label": title },
    h("h2", {}, title),
    fieldRows(fields),
    more,
    h("div", { class: "tells" }, hint, h("div", { class: "row" }, submitButton, extraButton)),
  );
}
