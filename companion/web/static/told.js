// What the server tells of an event, in this device's words: who, what, where, how many.
import { line } from "./cubes.js";
import { h } from "./dom.js";
import { colour, known, t } from "./i18n.js";
import { declaredOf, settledOf } from "./model.js";
import { purpose, verdict } from "./words.js";

/** What goes without saying between two events that do not. */
const QUIET = new Set(["phase_begun", "turn_ended", "round_ended", "year_ended", "marker_added", "card_turned", "card_placed", "order_set", "row_laid", "specials_laid", "year_laid", "game_ended", "warned"]);

/** Events of an entry that are worth a line. */
export const worth = (entry) => entry.told.filter((one) => !QUIET.has(one.kind) && (known(`event.${one.kind}`) || one.throw));

/** One event as a line of text. */
export function told(fact, names) {
  const settled = settledOf(fact);
  if (settled) return [verdict(settled, names), h("span", { class: "facts" }, line(settled.tray, Object.keys(settled.tray)))];
  const battle = declaredOf(fact);
  if (battle) return purpose(battle, names);
  const facts = details(fact, names);
  const whose = fact.seat ?? fact.player;
  return [h("span", {}, whose ? t("count_of", { colour: colour(whose), n: t(`event.${fact.kind}`) }) : t(`event.${fact.kind}`)), facts.length ? h("span", { class: "facts" }, facts.map((one) => h("span", {}, one))) : null];
}

function details(fact, names) {
  const named = (id) => names[id] ?? id;
  const bySeat = (counts) => Object.entries(counts).map(([seat, n]) => `${colour(seat)} ${n}`);
  return [
    fact.source ? `${named(fact.source)} → ${named(fact.target)}` : fact.province ? named(fact.province) : null,
    fact.provinces?.map(named).join(", "),
    fact.building ? t(`building.${fact.building}`) : null,
    fact.space ? t(fact.space === "auction" ? "seat.bid" : `action.${fact.space}`) : null,
    fact.special ? t(`special.${fact.special}`) : null,
    fact.effect ? t(`effect.${fact.effect}`) : null,
    fact.armies ? t("armies", { n: fact.armies }) : null,
    fact.kind === "collected" ? [fact.rice ? t("history.rice", { n: fact.rice }) : null, fact.chests ? t("history.chests", { n: fact.chests }) : null].filter(Boolean).join(", ") : null,
    ...(fact.gained ? bySeat(fact.gained).map((one) => one.replace(/ (\d+)$/, " +$1")) : []),
    ...(fact.kind === "rice_lost" ? bySeat(fact.rice) : []),
    fact.kind === "corrected" && fact.where ? `${named(fact.where)}: ${fact.value}` : null,
    fact.because ? `(${fact.because})` : null,
  ].filter(Boolean);
}
