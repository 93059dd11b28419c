// The battle page's model of a game, translated from the view here and nowhere else.
import { usePlainColours } from "./i18n.js";
import { nowSentence } from "./now.js";

const REVOLTS = new Set(["revolt", "winter_revolt"]);

/** The outcome of a settled throw, from an event's body; null if it is none. */
export function settledThrow(body) {
  if (!isObject(body?.throw) || !isObject(body.result)) return null;
  const { throw: throwDetails, result, tray } = body;
  //
  const staysNeutral =
    !throwDetails.defender && (result.outcome === "farmers" || result.outcome === "undecided");
  const isLostRevolt = result.outcome === "farmers" && throwDetails.defender;
  const isHeldRevolt = result.outcome === "defender" && REVOLTS.has(throwDetails.fight);
  return {
    battle: battleOf(throwDetails),
    thrown: body.thrown,
    tray,
    outcome: staysNeutral
      ? "neutral"
      : isLostRevolt
        ? "revolt_lost"
        : isHeldRevolt
          ? "revolt_held"
          : result.outcome,
    farmers_helped: result.outcome === "defender" && (result.returned.green ?? 0) > 0,
    owner: result.owner,
    armies: result.armies,
    returned: result.returned,
    stays: result.stays,
  };
}

/** A declared battle, from an event's body; null if it is none. */
export const declaredBattle = (body) => (isObject(body?.throw) ? battleOf(body.throw) : null);

/** Other games may use the same key for a number. */
const isObject = (value) => typeof value === "object" && value !== null;

export const FARMERS = "green";

/**
 * The command that declares a battle or a revolt; a revolt's farmers are the province's markers plus extra
 * ones.
 */
export function declareCommand({ attacker, province, attackers, origin, defenders }, markers) {
  if (attacker === FARMERS)
    return { kind: "declare_revolt", province, extra_farmers: Math.max(0, attackers - markers), defenders };
  return {
    kind: "declare",
    attacker,
    province,
    armies: attackers,
    origin,
    defenders,
    bonus_attack: 0,
    bonus_defence: 0,
  };
}

/** The page's model of a view. */
export function modelOf(view) {
  const { cubes } = view;
  usePlainColours(!cubes);
  if (!cubes) return counterOf(view);
  return {
    game: view.game,
    whole: Boolean(view.phase) && view.phase !== "free",
    over: view.phase === "over",
    now: nowSentence(view),
    season: view.season,
    year: view.year,
    players: view.seats,
    colours: [...view.seats, "green"],
    provinces: view.provinces,
    shown: cubes.shown,
    inside: cubes.inside,
    supply: cubes.supply, // null, like the tower's content, if the table does not show them
    tower: cubes.tower,
    tray: cubes.tray,
    battle: view.throw && !view.throw.ask_defence ? battleOf(view.throw) : null,
    plan: view.throw && { from_table: view.throw.from_table, from_tray: view.throw.from_tray },
    last: view.last && settledThrow(view.last),
  };
}

/** The cubes that came out in the throw just settled, for correction: a fill returns them to the supplies. */
export const cubesThatCameOut = ({ undo, game }) => undo.body.tray ?? game.tray;

/** The model of a table without rules: cubes and no provinces. */
function counterOf(view) {
  const awaited = view.awaited
    ? { fight: "count", revolt: false, attacker: null, defender: null, optional: true }
    : null;
  const { game, colours, box, throws, shown, inside, supply, tower, tray } = view;
  return {
    game,
    counter: true,
    whole: false,
    now: nowSentence(view),
    players: [],
    colours,
    box,
    throws,
    provinces: [],
    shown,
    inside,
    supply,
    tower,
    tray,
    battle: awaited,
    plan: awaited && { from_table: view.staged, from_tray: tray },
    last: null,
  };
}

function battleOf({
  fight = "attack",
  of_turn: ofTurn = false,
  province,
  attacker,
  defender,
  moved,
  defenders,
  extra_attack: more = 0,
  extra_defence: extra = 0,
  farmers,
}) {
  const revolt = REVOLTS.has(fight);
  return {
    fight,
    province,
    revolt,
    attacker: revolt ? FARMERS : attacker,
    defender,
    attackers: revolt ? farmers : moved + more,
    defenders: defender ? defenders + extra : farmers,
    optional: fight === "attack" || (fight === "revolt" && !ofTurn),
  };
}
