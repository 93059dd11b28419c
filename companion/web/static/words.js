// Events and outcomes in words, from their kind and fields: the server sends no prose that a page depends on.
import { colour, known, lead, t } from "./i18n.js";

/** Names of provinces by id. */
export const namesOf = (game) => Object.fromEntries((game.provinces ?? []).map((place) => [place.id, place.name]));

/** What a throw is for, in one sentence. */
export function purpose(battle, names) {
  if (battle.fight === "fill") return t("fight.fill");
  if (battle.fight === "count") return t("to_throw");
  const province = names[battle.province] ?? battle.province;
  if (battle.revolt) return t("fight.revolt", { province, defender: colour(battle.defender) });
  return t("attacks", { attacker: colour(battle.attacker), province });
}

/** What a settled throw decided. */
export function verdict(settled, names) {
  const { battle, outcome, farmers_helped: helped, armies } = settled;
  const params = {
    attacker: colour(battle.attacker),
    defender: battle.defender ? colour(battle.defender) : t("neutral"),
    province: names[battle.province] ?? battle.province,
    n: armies,
  };
  if (outcome === "defender") return t(helped ? "verdict.helped" : "verdict.defender", params);
  return t(`verdict.${outcome}`, params);
}

/** Reasons of logs that name the rule alone; A-4 has two. */
const WHY = { "A-2": "too_dear", "A-3": "lost", "A-12": "one_army", "A-13": "nowhere", "A-14": "nowhere", "A-15": "no_card", "L-1": "short_supply", "L-2": "no_tile" };

/** Why an action was not carried out, as the seat's own page says it. */
export function whySkipped({ because, key, province }, names) {
  const message = `barred.${key || WHY[because]}`;
  return known(message) ? byRule(t(message, { province: names[province] ?? province }), because) : `(${unbroken(because)})`;
}

/** A sentence with the rule that it follows from. */
export const byRule = (sentence, rule) => stopLast(t("seat.by_rule", { sentence, rule: unbroken(rule) }));

/** A full stop before the brackets at the end belongs behind them. */
export const stopLast = (text) => text.replace(/\.( \([^()]*\))$/, "$1.");

/** A rule's number, which no line breaks at its hyphen. */
export const unbroken = (rule) => rule.replace("-", "\u2011");

/** The message of an event: who is ready can think again, and the tray can be thrown by itself. */
export const eventKey = (fact) => `event.${(fact.kind === "seat_ready" && fact.ready === false && "seat_again") || (isTrayAlone(fact) && "tray_again") || fact.kind}`;
export const isTrayAlone = ({ kind, cubes }) => kind === "staged" && !Object.keys(cubes ?? {}).length;

/** Who did it, in this device's language where it is not a person's name. */
export const byWhom = (author) => (known(`author.${author}`) ? t(`author.${author}`) : author);

/** Why, in this device's language where somebody insisted on a count and the program says so for him. */
export const why = (reason) => (reason === TABLE_SAYS ? t("insist.reason") : reason);
const TABLE_SAYS = "it lies on the table";

/** What the camera is called: what the program calls so by itself is said in this device's language. */
export const cameraName = (name) => (name in NAMED ? t(NAMED[name]) : byWhom(name));
const NAMED = { phone: "camera.a_phone", "a phone": "camera.a_phone", demo: "camera.demo", "embedded pictures": "camera.demo", none: "camera.no_camera" };

/** What a new calibration helps, and the camera itself is well: what has changed, named as calibration.profiles.drift.Change does, and a broken profile. */
export const DRIFT = new Set(["size", "camera_moved", "light_level", "light_colour", "profile_broken"]);

/** What the light says of the table; where cubes were felt falling and no camera is, a person counts. */
export function phaseTitle({ phase, health }) {
  if (phase === "unseen" && health.camera.name === "none") return { title: t("hand.title"), said: t("hand.more") };
  return { title: t(`phase.${phase}`), said: t(`phase.${phase}.more`) };
}

/** The colour of cubes, of whatever colours a tray was taught. */
export const dye = (name) => (known(`dye.${name}`) ? t(`dye.${name}`) : name);

/** What ails the camera or its picture, and what to do about it; of a folder's pictures, which. */
export const ailing = ({ key, sentence, remedy, file }) => (key && known(`trouble.${key}`) ? `${file ? lead(file) : ""}${t(`trouble.${key}`)}` : `${sentence} ${remedy}`);
