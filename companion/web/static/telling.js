// Forms for what lies on the table when playing with real cards: revealed bids, cards the table shuffled.
import { h } from "./dom.js";
import { colour, t } from "./i18n.js";
import { inWords } from "./orders.js";
import { draws } from "./seatdraws.js";
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
  draft: (game) => places(game.draft.gap, inPile(game)),
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
export function isTold(order, game) {
  if (order.kind === "reveal") return Object.keys(order.bids).length > 0;
  return game.by_table && (order.kind === "draw_revolts" || (order.kind === "lay" && game.phase in LAID));
}

/** Keep the choices only for one moment of one game. */
function kept(at) {
  if (chosen.at !== at) chosen = { at, values: new Map() };
}

/** The form for such an order; `send` sends the command. */
export function telling(order, { table, game }, names, send) {
  if (order.kind === "draw_revolts") return draws(game, order.player, names, send, inWords(order, names));
  kept(`${table} ${game.phase} ${game.year} ${game.season} ${game.draft?.open ?? ""}`);
  return order.kind === "lay" ? laid(order, game, send) : bids(order, game, names, send);
}

function laid(order, game, send) {
  const asked = LAID[game.phase](game).map(field);
  once(asked);
  const give = () => send({ ...order, cards: asked.map((one) => one.input.value) });
  // the app cannot draw from the real pile
  if (game.phase === "draft") return form(t("tell.laid"), asked, [], give, []);
  return form(
    t("tell.laid"),
    asked,
    [],
    give,
    [],
    button("shuffle", t("tell.shuffle"), () => send(order), "quiet"),
  );
}

function bids(order, game, names, send) {
  const own = (seat) => game.players.find((one) => one.seat === seat).provinces;
  const cards = (seat) =>
    [...Array.from({ length: CHESTS }, (_, n) => `chest_${n}`), ...own(seat)].map((card) => [
      card,
      cardName(card, names),
    ]);
  const asked = Object.keys(order.bids).map((seat) =>
    field({ key: seat, label: colour(seat), options: [["", t("order.no_card")], ...cards(seat)] }),
  );
  // otherwise equal bids are not known before they are revealed
  const real = asked.length === game.seats.length;
  const drawn = real
    ? places(
        asked.length,
        game.seats.map((seat) => [seat, colour(seat)]),
      ).map((one) => field({ ...one, key: `drawn-${one.key}` }))
    : [];
  once(drawn);
  const give = () =>
    send({
      ...order,
      bids: Object.fromEntries(asked.map((one) => [one.key, one.input.value || null])),
      drawn: drawn.some(isOpen) || !real ? null : drawn.map((one) => one.input.value),
    });
  const open = drawn.some((one) => !isOpen(one));
  return form(t("tell.bids"), asked, drawn, give, [
    h("p", { class: "muted small" }, t("tell.equal")),
    real ? h("details", { class: "real", open }, h("summary", {}, t("tell.drawn")), rows(drawn)) : null,
  ]);
}

const inPile = ({ draft, provinces }) =>
  provinces.filter((one) => !one.owner && !draft.open.includes(one.id)).map((one) => [one.id, one.name]);

/**
 * Taking provinces with the real cards (S-4, S-5): the pile lies on the table, and a person enters what was
 * drawn.
 */
export function taking(legal, game, names, send) {
  const { draft } = game;
  kept(JSON.stringify(draft));
  const takes = legal.filter((one) => one.kind === "take");
  const several = (key, words) =>
    [...new Set(takes.map((one) => one[key]))].map((value) => [String(value), words(value)]);
  const hidden = inPile(game);
  const take = field({
    key: "take",
    label: t("draft.take"),
    options: several("take", (card) => names[card]?.name ?? t("order.pile")),
  });
  const group = field({
    key: "group",
    label: t("draft.group"),
    options: several("group", (n) => t("armies", { n })),
  });
  // none if no card is left to turn up
  const drawn = hidden.length ? field({ key: "drawn", label: t("draft.drawn"), options: hidden }) : null;
  const give = () =>
    send({
      ...takes.find((one) => one.take === take.input.value && String(one.group) === group.input.value),
      drawn: drawn?.input.value ?? null,
    });
  const how = h("p", { class: "muted small" }, t("draft.how"));
  const swap = legal.find((one) => one.kind === "swap");
  return [
    form(t("draft.title"), [take, group, drawn].filter(Boolean), [], give, how, null, {
      key: "take-it",
      words: t("draft.done"),
    }),
    swap ? swapping(swap, hidden, send) : null,
  ];
}

function swapping(order, hidden, send) {
  const asked = places(2, hidden).map((one) => field({ ...one, key: `swap-${one.key}` }));
  once(asked);
  return form(
    t("order.swap"),
    asked,
    [],
    () => send({ ...order, drawn: asked.map((one) => one.input.value) }),
    [],
    null,
    { key: "swapped", words: t("draft.swapped") },
  );
}

const isOpen = (one) => one.input.value === OPEN;

function field({ key, label, options }) {
  const id = `tell-${key}`;
  const now = chosen.values.get(key) ?? OPEN;
  const input = h(
    "select",
    { id, "data-key": id },
    [[OPEN, "–"], ...options].map(([value, words]) => h("option", { value, selected: value === now }, words)),
  );
  input.addEventListener("change", () => chosen.values.set(key, input.value));
  return { key, input, row: h("div", {}, h("label", { for: id }, label), input) };
}

const rows = (asked) =>
  h(
    "div",
    { class: "fields" },
    asked.map((one) => one.row),
  );

/** Disable each choice in the other fields, since there is only one card of each. */
function once(asked) {
  const show = () => {
    for (const one of asked) {
      const elsewhere = asked
        .filter((other) => other !== one && !isOpen(other))
        .map((other) => other.input.value);
      for (const option of one.input.options) option.disabled = elsewhere.includes(option.value);
    }
  };
  for (const one of asked) one.input.addEventListener("change", show);
  show();
}

/**
 * A form whose button works once everything is chosen; the `spare` fields may be left out, but only all
 * together.
 */
function form(
  title,
  asked,
  spare,
  give,
  more,
  other = null,
  { key, words } = { key: "tell", words: t("tell.these") },
) {
  const left = h("p", { role: "status", class: "small" });
  const told = button(key, words, give, "main");
  const show = () => {
    const begun = spare.some((one) => !isOpen(one)) ? spare : [];
    const open = [...asked, ...begun].filter(isOpen).length;
    told.disabled = open > 0;
    left.textContent = open ? t("draws.choose", { n: open }) : "";
  };
  for (const one of [...asked, ...spare]) one.input.addEventListener("change", show);
  show();
  return h(
    "section",
    { class: "card telling", "aria-label": title },
    h("h2", {}, title),
    rows(asked),
    more,
    h("div", { class: "tells" }, left, h("div", { class: "row" }, told, other)),
  );
}
