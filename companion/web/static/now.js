// What the table does now, in one sentence, from any seat's view.
import { colour, t } from "./i18n.js";

/** The same for who sits there: what is wanted of this seat, or whom it waits for. */
export function yourSentence(view, seat) {
  const ready = view.phase === "planning" && !view.waiting_for.includes(seat);
  if (ready) return t("you.ready", { who: waitedFor(view) });
  if (!view.waiting_for.includes(seat)) return nowSentence(view);
  if (view.throw) return t("you.defend");
  if (view.phase === "actions") return t("you.action", { action: t(`action.${view.cards.action}`) });
  return t(Object.keys(view.winter?.to_draw ?? {}).length ? "you.draw" : `you.${view.phase}`, { sentence: t("seat.you", { sentence: nowSentence(view) }) });
}

const waitedFor = (view) => view.waiting_for.map((name) => (name === "table" ? t("now.table") : colour(name))).join(", ");

export function nowSentence(view) {
  if (!view.phase) return t(view.awaited ? "now.throw" : "now.free", { who: t("now.table") });
  const who = waitedFor(view);
  if (view.throw) return t(view.throw.ask_defence ? "now.defend" : "now.throw", { who });
  if (view.phase === "actions" && view.cards.action) return t("now.action", { who, action: t(`action.${view.cards.action}`) });
  return t(`now.${view.phase}`, { who });
}
