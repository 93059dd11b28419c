// The choices of a new battle and their consequences; draws nothing.
import { FARMERS, declareCommand } from "./model.js";

/** Number of cubes per colour. */
export const CUBES_PER_COLOUR = 62;

/** The battle offered first: a player who has cubes attacks another. */
export function firstForm(game) {
  const attacker = game.players.find((name) => availableCubes(game, name)) ?? game.players[0];
  const target = findTarget(game, attacker);
  return limitAttackers(
    game,
    withStrongestOrigin(game, {
      attacker,
      province: target.id,
      attackers: Math.max(2, target.armies),
      defenders: target.armies,
    }),
  );
}

/** The form after a person's choice, with fields that no longer fit chosen again. */
export function applyChange(game, form, change) {
  let next = { ...form, ...change, touched: true };
  if (!change.attacker && !change.province) return limitAttackers(game, next);
  const chosen = targetProvince(game, next);
  const place = isAttackable(chosen, next.attacker) ? chosen : findTarget(game, next.attacker);
  if (change.province || place !== chosen) next = { ...next, province: place.id, defenders: place.armies };
  if (next.attacker === FARMERS) next = { ...next, attackers: minAttackers(place, FARMERS) };
  return limitAttackers(game, withStrongestOrigin(game, next));
}

/** A person's choices after something else happened; null if none were made, or they have become impossible. */
export function refitForm(game, form) {
  const target = form?.touched && targetProvince(game, form);
  if (!target || !isAttackable(target, form.attacker)) return null;
  const origins = possibleOrigins(game, form).map((place) => place.id);
  return form.origin && !origins.includes(form.origin) ? null : limitAttackers(game, form);
}

/** The command that declares the battle. */
export function declareFormCommand(game, form) {
  const { attacker, province, attackers, origin } = form;
  const target = targetProvince(game, form);
  const defenders = target.owner ? form.defenders : null;
  return declareCommand({ attacker, province, attackers, origin, defenders }, target.markers);
}

/** The attacked province. */
export const targetProvince = (game, { province }) =>
  game.provinces.find((candidate) => candidate.id === province);

/** Cubes a player can attack with; all of the colour if supplies are not shown. */
const availableCubes = (game, name) => (game.supply ? (game.supply[name] ?? 0) : CUBES_PER_COLOUR);

/**
 * The attacker's provinces that border the target and can send an army: one must stay behind.
 */
export const possibleOrigins = (game, { attacker, province }) =>
  game.provinces.filter(
    (candidate) => candidate.owner === attacker && candidate.armies > 1 && candidate.near.includes(province),
  );

/** How many armies can attack, from the province of origin or from the supply. */
export function availableAttackers(game, { attacker, origin }) {
  const source = game.provinces.find((candidate) => candidate.id === origin);
  return source ? source.armies - 1 : availableCubes(game, attacker);
}

/** Whether a province can be attacked: not one's own, and farmers rise against owners only (B-12). */
export const isAttackable = (place, attacker) =>
  attacker === FARMERS ? place.owner !== null : place.owner !== attacker;

/** Fewest attackers: for farmers, the number of revolt markers. */
export const minAttackers = (place, attacker) => (attacker === FARMERS ? Math.max(1, place.markers) : 1);

/** Another player's province, preferably within the attacker's reach; otherwise an unowned one. */
function findTarget(game, attacker) {
  const { provinces } = game;
  const theirs = provinces.filter((candidate) => candidate.owner && isAttackable(candidate, attacker));
  const reached = game.whole
    ? theirs.find((candidate) => possibleOrigins(game, { attacker, province: candidate.id }).length)
    : null;
  return reached ?? theirs[0] ?? provinces.find((candidate) => !candidate.owner) ?? provinces[0];
}

/**
 * With the strongest province that borders the target as origin; on a free table, whose map is not kept
 * otherwise, with none until one is chosen.
 */
function withStrongestOrigin(game, battle) {
  const [strongest] = game.whole ? possibleOrigins(game, battle).sort((a, b) => b.armies - a.armies) : [];
  return { ...battle, origin: strongest?.id ?? null };
}

/** With the attackers limited to those available. */
const limitAttackers = (game, battle) => ({
  ...battle,
  attackers: Math.max(1, Math.min(battle.attackers, availableAttackers(game, battle))),
});
