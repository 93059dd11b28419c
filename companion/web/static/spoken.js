// Results read aloud, if switched on on this device: what to throw, the outcome, and when to look.
import { language, t } from "./i18n.js";
import { always } from "./kept.js";
import { lateWords } from "./late.js";
import { modelOf } from "./model.js";
import { isOlder } from "./newer.js";
import { namesOf, purpose, verdict } from "./words.js";

const KEY = "tenshu.speak";
let previousView = null;

export const canSpeak = () => "speechSynthesis" in window;
export const speaks = () => canSpeak() && always.get(KEY) === "yes";

/** Switch it on or off; speaks at once, so that one hears whether it works. */
export function setSpeaking(on) {
  always.set(KEY, on ? "yes" : "no");
  if (on) speak(t("speak.on"));
  else if (canSpeak()) speechSynthesis.cancel();
}

/** Speak what is new in a view of the table. */
export function tell(view) {
  const last = previousView;
  previousView = view;
  if (!speaks() || !last || last.table !== view.table || !view.game || isOlder(view, last)) return;
  const game = modelOf(view.game);
  const names = namesOf(game);
  if (hasJustSettled(last, view) && game.last) speak(verdict(game.last, names));
  if (view.late && !last.late) speak(lateWords(view.late));
  if (view.phase === last.phase) return;
  if (view.phase === "waiting" && game.battle)
    speak(`${purpose(game.battle, names)}. ${t("phase.waiting")}.`);
  if (view.phase === "asking") speak(`${t("phase.asking")}. ${t("phase.asking.more")}`);
}

/** Whether a throw was just settled or corrected, as the newest history entry shows. */
function hasJustSettled(last, view) {
  const newest = view.history[0];
  return Boolean(newest?.throw && !newest.undone && newest.batch !== last.history[0]?.batch);
}

function speak(words) {
  const utterance = new SpeechSynthesisUtterance(words);
  utterance.lang = language();
  speechSynthesis.speak(utterance);
}
