// What the table does now, in one sentence, from any seat's view.
import { colour, t } from "./i18n.js";

export function nowSentence(view) {
  if (!view.phase) return t(view.battle ? "now.throw" : "now.free");
  const who = view.waiting_for.map((name) => (name === "table" ? t("now.table") : colour(name))).join(", ");
  if (view.throw) return t(view.throw.ask_defence ? "now.defend" : "now.throw", { who });
  if (view.phase === "actions" && view.cards.action) return t("now.action", { who, action: t(`action.${view.cards.action}`) });
  return t(`now.${view.phase}`, { who });
}
