// Events from the server in this device's language: who, what, where, how many.
import { SHAPES, cubeLine } from "./cubes.js";
import { h } from "./dom.js";
import { colour, hasMessage, language, t } from "./i18n.js";
import { declaredBattle, settledThrow } from "./model.js";
import { colourList } from "./seal.js";
import {
  authorName,
  eventKey,
  isTrayAlone,
  purposeWords,
  skipReason,
  stopAfterRule,
  unbrokenRule,
  verdictWords,
} from "./words.js";

/** Kinds of events that need no line of their own. */
const QUIET = new Set([
  "phase_begun",
  "turn_ended",
  "round_ended",
  "year_ended",
  "card_turned",
  "card_placed",
  "row_laid",
  "specials_laid",
  "year_laid",
]);

/** The events of an entry that deserve a line. */
export const notableEvents = (entry) =>
  entry.told.filter(
    (fact) =>
      !QUIET.has(fact.kind) &&
      fact.kind !== "undone" && // a correction undoes the throw that it replaces
      (hasMessage(`event.${fact.kind}`) || declaredBattle(fact) || fact.winners || fact.kind === "warned"),
  );

/** One event as a line of text. */
export function eventLine(fact, names) {
  const settled = settledThrow(fact);
  if (settled)
    return [
      h("span", {}, verdictWords(settled, names)),
      h("span", { class: "facts" }, cubeLine(settled.tray, Object.keys(settled.tray))),
    ];
  const battle = declaredBattle(fact);
  if (battle) return battleWords(fact.kind, battle, names);
  if (fact.winners)
    return h("span", {}, t("end.wins", { n: fact.winners.length, who: colourList(fact.winners) }));
  if (fact.kind === "warned")
    return h(
      "span",
      {},
      stopAfterRule(`⚠ ${t(`warn.${fact.rule}`, { sentence: fact.sentence })} (${unbrokenRule(fact.rule)})`),
    );
  const facts = eventDetails(fact, names);
  const cubes = cubesOf(fact);
  return [
    h("span", {}, whoDidWhat(fact)),
    facts.length
      ? h(
          "span",
          { class: "facts" },
          facts.map((text) => h("span", {}, text)),
        )
      : null,
    cubes ? h("span", { class: "facts" }, cubeLine(cubes, Object.keys(cubes))) : null,
  ];
}

/** A battle or revolt that was declared or called off. */
function battleWords(kind, battle, names) {
  if (kind !== "throw_called_off") return purposeWords(battle, names);
  const province = names[battle.province] ?? battle.province;
  return t(battle.revolt ? "event.revolt_called_off" : "event.throw_called_off", { province });
}

/** Who did what. */
function whoDidWhat(fact) {
  const whose = fact.seat ?? fact.player;
  return whose ? t("count_of", { colour: colour(whose), n: t(eventKey(fact)) }) : t(eventKey(fact));
}

/** The cubes that an event is about; null if none. */
const cubesOf = (fact) =>
  isTrayAlone(fact)
    ? null
    : (fact.inside ?? fact.fell ?? fact.more ?? fact.cubes ?? fact.tray ?? fact.box ?? null);

const seatCounts = (counts) => Object.entries(counts).map(([seat, n]) => `${colour(seat)} ${n}`);

const colourCounts = (cubes) =>
  seatCounts(Object.fromEntries(Object.entries(cubes ?? {}).filter(([, n]) => n))).join(", ");

/** An event as one line of plain text, for narrow lists. */
const eventWords = (fact, names) =>
  [whoDidWhat(fact), ...eventDetails(fact, names), colourCounts(cubesOf(fact))].filter(Boolean).join(" · ");

/** Kinds whose message says as much as the server's English title. */
const SAID = new Set(["skipped", "table_set", "throw_declared", "undone", "tower_showing"]);

/** A history entry of the view, as one line. */
export function entryLine(past, names) {
  const { kind, body } = past;
  const settled = settledThrow(body);
  if (settled) return verdictWords(settled, names);
  if (kind === "skipped" && body.seat)
    return t("count_of", {
      colour: colour(body.seat),
      n: [t("event.skipped"), t(`action.${body.space}`), skipReason(body, names)].join(" · "),
    });
  if (kind === "warned") return eventLine(body, names).textContent;
  const declared = declaredBattle(body);
  if (!declared && body.shown !== undefined && hasMessage(eventKey(body))) return eventWords(body, names);
  const battle = declared ?? {};
  if (battle.revolt || (declared && kind === "throw_called_off")) return battleWords(kind, battle, names);
  const province = names[battle.province ?? body.province] ?? body.province;
  const params = {
    province,
    attacker: battle.attacker ? colour(battle.attacker) : "",
    n: battle.attackers ?? body.armies ?? 0,
    sentence: past.title,
  };
  return language() === "en" && past.title && !SAID.has(kind)
    ? past.title
    : t(eventKey({ ...body, kind }), params);
}

const undoOf = (entry) => entry.told.find((fact) => fact.kind === "undone");

/** Whether an entry's undo took back only another undo, so that undoing it restores nothing. */
export const undidOnlyUndo = (entry) => !undoOf(entry)?.first?.length;

/** What an undo took back: its first item in words, how many more, and who agreed if the table was asked. */
export function undoLine(entry, names) {
  const undo = undoOf(entry);
  const words = undo?.first?.length ? commandSummary(undo.first, undo.batches.length, names) : null;
  if (!words) return t(undidOnlyUndo(entry) ? "history.brought_back" : "event.undone");
  return [
    h("span", {}, t("history.undone", { what: words })),
    undo.agreed?.length
      ? h(
          "span",
          { class: "facts" },
          h(
            "span",
            {},
            t("history.agreed", {
              who: undo.agreed.map((who) => (SHAPES[who] ? colour(who) : authorName(who))).join(", "),
            }),
          ),
        )
      : null,
  ];
}

/** The first of `number` commands as one line, with how many more; null if it is not worth a line. */
export function commandSummary(first, number, names) {
  const lines = notableEvents({ told: first });
  if (!lines.length) return null;
  const main = lines.find((fact) => fact.kind !== "warned") ?? lines[0];
  return [eventText(main, names), number > 1 ? t("history.and_more", { n: number - 1 }) : null]
    .filter(Boolean)
    .join(" ");
}

/** An event as text, with cubes by colour name. */
function eventText(fact, names) {
  const settled = settledThrow(fact);
  if (settled) return [verdictWords(settled, names), colourCounts(settled.tray)].filter(Boolean).join(" · ");
  if (declaredBattle(fact) || fact.winners || fact.kind === "warned")
    return h("span", {}, eventLine(fact, names)).textContent;
  return eventWords(fact, names);
}

/** A correction in words: which fact, of what, and its new value. */
function correctionWords({ fact, where, value }, names) {
  const parts = where ? where.split(".") : [];
  const partName = (id) =>
    names[id] ??
    (SHAPES[id]
      ? colour(id)
      : hasMessage(`building.${id}`)
        ? t(`building.${id}`)
        : hasMessage(`house.${id}`)
          ? t(`house.${id}`)
          : id);
  const valueWords = (item) =>
    item === null || item === ""
      ? t("nothing")
      : typeof item === "number" || /^\d+$/.test(item)
        ? String(item)
        : hasMessage(`special.${item}`)
          ? t(`special.${item}`)
          : fact === "row" && hasMessage(`action.${item}`)
            ? t(`action.${item}`)
            : partName(item);
  const isYesNo = fact === "border" || (fact === "house" && where !== "six_armies_under_deploy_event");
  const newValue = Array.isArray(value)
    ? value.map(valueWords).join(", ") || t("nothing")
    : isYesNo
      ? t(value ? "correct.yes" : "correct.no")
      : valueWords(value);
  const covered = fact === "card" || fact === "row";
  return [t(`fact.${fact}`), parts.map(partName).join(" – "), covered ? null : newValue];
}

const bidWords = (card, names) =>
  card === null
    ? t("order.no_card")
    : card.startsWith("chest_")
      ? t("seat.chest", { n: Number(card.slice(6)) })
      : (names[card] ?? card);

function eventDetails(fact, names) {
  const named = (id) => names[id] ?? id;
  return [
    fact.source
      ? `${named(fact.source)} → ${named(fact.target)}`
      : fact.province
        ? named(fact.province)
        : null,
    fact.provinces?.map(named).join(", "),
    fact.building ? t(`building.${fact.building}`) : null,
    fact.space ? t(fact.space === "auction" ? "seat.bid" : `action.${fact.space}`) : null,
    fact.special ? t(`special.${fact.special}`) : null,
    fact.effect ? t(`effect.${fact.effect}`) : null,
    fact.action ? t(`action.${fact.action}`) : null,
    fact.armies ? t("armies", { n: fact.armies }) : null,
    fact.kind === "collected" || fact.kind === "income_forfeited"
      ? [
          fact.rice ? t("history.rice", { n: fact.rice }) : null,
          fact.chests ? t("history.chests", { n: fact.chests }) : null,
        ]
          .filter(Boolean)
          .join(", ")
      : null,
    fact.kind === "defence_answered" ? t(fact.bonus ? "order.defend" : "order.defend_no") : null,
    ...Object.entries(fact.bids ?? {}).map(([seat, card]) =>
      t("count_of", { colour: colour(seat), n: bidWords(card, names) }),
    ),
    fact.kind === "order_set" ? fact.order.map(colour).join(", ") : null,
    ...(fact.gained ? seatCounts(fact.gained).map((text) => text.replace(/ (\d+)$/, " +$1")) : []),
    ...(fact.kind === "rice_lost"
      ? Object.entries(fact.rice).map(([seat, n]) => t("history.rice_left", { who: colour(seat), n }))
      : []),
    ...(fact.kind === "corrected" ? correctionWords(fact, names) : []),
    fact.kind === "skipped" ? skipReason(fact, names) : null,
  ].filter(Boolean);
}
