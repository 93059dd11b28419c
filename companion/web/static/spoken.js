// Results read aloud, if switched on on this device: what to throw, the outcome, and when to look.
import { language, t } from "./i18n.js";
import { deviceStore } from "./kept.js";
import { lateText } from "./late.js";
import { modelOf } from "./model.js";
import { isOlder } from "./newer.js";
import { provinceNames, purposeWords, verdictWords } from "./words.js";

const KEY = "tenshu.speak";
let previousView = null;

export const canSpeak = () => "speechSynthesis" in window;
export const isSpeakingOn = () => canSpeak() && deviceStore.get(KEY) === "yes";

/** Switch it on or off; speaks at once, so that one hears whether it works. */
export function setSpeaking(on) {
  deviceStore.set(KEY, on ? "yes" : "no");
  if (on) speak(t("speak.on"));
  else if (canSpeak()) speechSynthesis.cancel();
}

/** Speak what is new in a view of the table. */
export function speakNews(view) {
  const previous = previousView;
  previousView = view;
  if (!isSpeakingOn() || !previous || previous.table !== view.table || !view.game || isOlder(view, previous))
    return;
  const game = modelOf(view.game);
  const names = provinceNames(game);
  if (hasJustSettled(previous, view) && game.last) speak(verdictWords(game.last, names));
  if (view.late && !previous.late) speak(lateText(view.late));
  if (view.phase === previous.phase) return;
  if (view.phase === "waiting" && game.battle)
    speak(`${purposeWords(game.battle, names)}. ${t("phase.waiting")}.`);
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
