// Results read aloud, if switched on on this device: what to throw, the outcome, and when to look.
import { language, t } from "./i18n.js";
import { always } from "./kept.js";
import { lateWords } from "./late.js";
import { modelOf } from "./model.js";
import { isOlder } from "./newer.js";
import { namesOf, purpose, verdict } from "./words.js";

const KEY = "tenshu.speak";
let before = null;

export const canSpeak = () => "speechSynthesis" in window;
export const speaks = () => canSpeak() && always.get(KEY) === "yes";

/** Switch it on or off; speaks at once, so that one hears whether it works. */
export function setSpeaking(on) {
  always.set(KEY, on ? "yes" : "no");
  if (on) say(t("speak.on"));
  else if (canSpeak()) speechSynthesis.cancel();
}

/** Speak what is new in a view of the table. */
export function tell(view) {
  const last = before;
  before = view;
  if (!speaks() || !last || last.table !== view.table || !view.game || isOlder(view, last)) return;
  const game = modelOf(view.game);
  const names = namesOf(game);
  if (settledOnce(last, view) && game.last) say(verdict(game.last, names));
  if (view.late && !last.late) say(lateWords(view.late));
  if (view.phase === last.phase) return;
  if (view.phase === "waiting" && game.battle) say(`${purpose(game.battle, names)}. ${t("phase.waiting")}.`);
  if (view.phase === "asking") say(`${t("phase.asking")}. ${t("phase.asking.more")}`);
}

/** Whether a throw was just settled or corrected, as the newest history entry shows. */
function settledOnce(last, view) {
  const newest = view.history[0];
  return Boolean(newest?.throw && !newest.undone && newest.batch !== last.history[0]?.batch);
}

function say(words) {
  const one = new SpeechSynthesisUtterance(words);
  one.lang = language();
  speechSynthesis.speak(one);
}
