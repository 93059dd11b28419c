// Events and outcomes in words, made from their kind and fields: pages do not depend on prose from the
// server.
import { colour, hasMessage, t, withColon } from "./i18n.js";

/** Province names by id. */
export const provinceNames = (game) =>
  Object.fromEntries((game.provinces ?? []).map((place) => [place.id, place.name]));

/** The purpose of a throw, in one sentence. */
export function purposeWords(battle, names) {
  if (battle.fight === "fill") return t("fight.fill");
  if (battle.fight === "count") return t("to_throw");
  const province = names[battle.province] ?? battle.province;
  if (battle.revolt) return t("fight.revolt", { province, defender: colour(battle.defender) });
  return t("attacks", { attacker: colour(battle.attacker), province });
}

/** The outcome of a settled throw. */
export function verdictWords(settled, names) {
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

/** Reasons by rule, for logs that name only the rule; A-4 is missing because it has two. */
const WHY = {
  "A-2": "too_dear",
  "A-3": "lost",
  "A-12": "one_army",
  "A-13": "nowhere",
  "A-14": "nowhere",
  "A-15": "no_card",
  "L-1": "short_supply",
  "L-2": "no_tile",
};

/** Why an action was not carried out, in the words of the seat page. */
export function skipReason({ because, key, province }, names) {
  const message = `barred.${key || WHY[because]}`;
  return hasMessage(message)
    ? withRule(t(message, { province: names[province] ?? province }), because)
    : `(${unbrokenRule(because)})`;
}

/** A sentence with the rule that it follows from. */
export const withRule = (sentence, rule) =>
  stopAfterRule(t("seat.by_rule", { sentence, rule: unbrokenRule(rule) }));

/** Move a full stop before the closing brackets behind them. */
export const stopAfterRule = (text) => text.replace(/\.( \([^()]*\))$/, "$1.");

/** A rule's number with a non-breaking hyphen. */
export const unbrokenRule = (rule) => rule.replace("-", "\u2011");

/** The message key of an event; "ready" may be withdrawn, and the tray may be thrown alone. */
export function eventKey(fact) {
  if (fact.kind === "seat_ready" && fact.ready === false) return "event.seat_again";
  return isTrayAlone(fact) ? "event.tray_again" : `event.${fact.kind}`;
}
export const isTrayAlone = ({ kind, cubes }) => kind === "staged" && !Object.keys(cubes ?? {}).length;

/** The author, translated if it is not a person's name. */
export const authorName = (author) =>
  hasMessage(`author.${author}`) ? t(`author.${author}`) : isolate(author);

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name, kept from reordering the date beside it if it is read from right to left. */
const isolate = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** The reason, translated if it is the one that the program gives for insisting on a count. */
export const reasonText = (reason) => (reason === TABLE_SAYS ? t("insist.reason") : reason);
const TABLE_SAYS = "it lies on the table";

/** The camera's name, translated if the program chose it. */
export const cameraName = (name) => (name in NAMED ? t(NAMED[name]) : authorName(name));
const NAMED = {
  phone: "camera.a_phone",
  "a phone": "camera.a_phone",
  demo: "camera.demo",
  "embedded pictures": "camera.demo",
  none: "camera.no_camera",
};

/**
 * Troubles that a new calibration solves, while the camera itself works: changes, named as in
 * calibration.profiles.drift.Change, and a broken profile.
 */
export const DRIFT = new Set(["size", "camera_moved", "light_level", "light_colour", "profile_broken"]);

/**
 * Title and text of the table's phase; if cubes were felt falling and there is no camera, a person counts.
 */
export function phaseTitle({ phase, health }) {
  if (phase === "unseen" && health.camera.name === "none")
    return { title: t("hand.title"), text: t("hand.more") };
  return { title: t(`phase.${phase}`), text: t(`phase.${phase}.more`) };
}

/** The name of a cube colour, for any colour a tray was calibrated with. */
export const dyeName = (name) => t(`dye.${name}`, { sentence: name });

/** The trouble with the camera or its picture, with the remedy, and the file's name if it reads a folder. */
export const troubleText = ({ key, sentence, remedy, file }) =>
  key && hasMessage(`trouble.${key}`)
    ? `${file ? withColon(file) : ""}${t(`trouble.${key}`)}`
    : `${sentence} ${remedy}`;
