// One sentence about what happens at the table now.
import { colour, t } from "./i18n.js";

/** The sentence for one seat: what it has to do, or whom it waits for. */
export function seatSentence(view, seat, phase) {
  const ready = view.phase === "planning" && !view.throw && !view.waiting_for.includes(seat);
  if (ready) return t("you.ready", { who: waitedFor(view) });
  if (!view.waiting_for.includes(seat)) return nowSentence(view, phase);
  if (view.throw) return t("you.defend");
  if (view.phase === "actions")
    return t("you.action", {
      action: [t(`action.${view.cards.action}`), targetName(view)].filter(Boolean).join(" · "),
    });
  return t(Object.keys(view.winter?.to_draw ?? {}).length ? "you.draw" : `you.${view.phase}`, {
    sentence: t("seat.you", { sentence: nowSentence(view, phase) }),
  });
}

/** The name of the province in which the viewing seat acts now. */
const targetName = (view) =>
  view.turn && view.provinces.find((candidate) => candidate.id === view.turn.province).name;

const waitedFor = (view) =>
  view.waiting_for.map((name) => (name === "table" ? t("now.table") : colour(name))).join(", ");

const AFTER_FALL = ["falling", "unseen", "countdown", "asking"];

/** The state of the awaited throw; once cubes have fallen nobody is asked to throw again. */
export const throwState = (phase) => (AFTER_FALL.includes(phase) ? phase : "throw");

/** The sentence for the table; `phase` is the table's, undefined for a moment of the past. */
export function nowSentence(view, phase) {
  if (!view.phase)
    return t(view.awaited ? `now.${throwState(phase)}` : "counter.idle", { who: t("now.table") });
  const who = waitedFor(view);
  if (view.throw) return t(view.throw.ask_defence ? "now.defend" : `now.${throwState(phase)}`, { who });
  if (view.phase === "actions" && view.cards.action)
    return t("now.action", { who, action: t(`action.${view.cards.action}`) });
  return t(view.draft?.gap ? "now.draft_open" : `now.${view.phase}`, { who });
}
