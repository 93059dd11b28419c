// What can be chosen of a new battle, and what a choice brings with it; nothing is drawn here.
import { declare, FARMERS } from "./model.js";

/** Cubes of a colour. */
export const MOST = 62;

/** The battle that is offered first: somebody who has cubes attacks somebody else. */
export function firstForm(game) {
  const attacker = game.players.find((name) => inSupply(game, name)) ?? game.players[0];
  const target = targetOf(game, attacker);
  return able(game, leaving(game, { attacker, province: target.id, attackers: Math.max(2, target.armies), defenders: target.armies }));
}

/** The form after a person's choice, with what no longer goes with it chosen anew. */
export function changed(game, form, change) {
  let now = { ...form, ...change, touched: true };
  if (!change.attacker && !change.province) return able(game, now);
  const chosen = placeOf(game, now);
  const place = isTarget(chosen, now.attacker) ? chosen : targetOf(game, now.attacker);
  if (change.province || place !== chosen) now = { ...now, province: place.id, defenders: place.armies };
  if (now.attacker === FARMERS) now = { ...now, attackers: fewest(place, FARMERS) };
  return able(game, leaving(game, now));
}

/** The command that declares it. */
export function declared(game, form) {
  const { attacker, province, attackers, origin } = form;
  const target = placeOf(game, form);
  const defenders = target.owner ? form.defenders : null;
  return declare({ attacker, province, attackers, origin, defenders }, target.markers);
}

/** The province that is attacked. */
export const placeOf = (game, { province }) => game.provinces.find((one) => one.id === province);

/** What a player can attack with; all cubes where supplies are not told. */
const inSupply = (game, name) => (game.supply ? (game.supply[name] ?? 0) : MOST);

/** The attacker's provinces that border on the target and can send an army: one stays behind. */
export const origins = (game, { attacker, province }) => game.provinces.filter((one) => one.owner === attacker && one.armies > 1 && one.near.includes(province));

/** With how many somebody can attack: of the province they leave, or of the supply. */
export function atHand(game, { attacker, origin }) {
  const left = game.provinces.find((one) => one.id === origin);
  return left ? left.armies - 1 : inSupply(game, attacker);
}

/** Whom somebody can attack: not himself; farmers rise against owners only (B-12). */
export const isTarget = (place, attacker) => (attacker === FARMERS ? place.owner !== null : place.owner !== attacker);

/** Farmers are as many as the revolt markers at least. */
export const fewest = (place, attacker) => (attacker === FARMERS ? Math.max(1, place.markers) : 1);

/** Somebody else's province, one that the attacker can reach before all; else one that is nobody's. */
function targetOf(game, attacker) {
  const { provinces } = game;
  const theirs = provinces.filter((one) => one.owner && isTarget(one, attacker));
  const reached = game.whole ? theirs.find((one) => origins(game, { attacker, province: one.id }).length) : null;
  return reached ?? theirs[0] ?? provinces.find((one) => !one.owner) ?? provinces[0];
}

/** From the strongest province of those that border on the target; on a free table, whose map nothing else keeps, from none until somebody says so. */
function leaving(game, battle) {
  const [strongest] = game.whole ? origins(game, battle).sort((one, other) => other.armies - one.armies) : [];
  return { ...battle, origin: strongest?.id ?? null };
}

/** With no more attackers than there are. */
const able = (game, battle) => ({ ...battle, attackers: Math.max(1, Math.min(battle.attackers, atHand(game, battle))) });
