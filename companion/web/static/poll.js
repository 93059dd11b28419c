// An undo that was put to the table: who asks, who agreed, and this seat's own word.
import { post } from "./api.js";
import { h, put } from "./dom.js";
import { colour, language, t } from "./i18n.js";
import { held } from "./seatlink.js";
import { button } from "./widgets.js";

/** Draws the question in `place`, or nothing; only what changes is drawn anew, so that a screen reader says it once. */
export function pollBar(place, view) {
  const poll = view.poll;
  const text = JSON.stringify([poll, view.expected, held(), language()]);
  if (!place || place.dataset.poll === text) return;
  place.dataset.poll = text;
  put(place, poll ? question(poll, view.expected) : null);
}

function question(poll, expected) {
  const own = held()?.seat;
  const mine = own && poll.asked.includes(own) && !poll.agreed.includes(own);
  const answer = (yes) => post(`seats/${own}/answer`, { expected, batch: poll.batch, yes });
  return h("div", { class: "note poll" },
    h("p", {}, t("undoing.poll", { author: poll.author, agreed: poll.agreed.map(colour).join(", ") || "–", asked: poll.asked.map(colour).join(", ") })),
    poll.reason ? h("p", {}, poll.reason) : null,
    mine ? h("div", { class: "row" }, button("poll-yes", t("undoing.agree"), () => answer(true), "main"), button("poll-no", t("undoing.refuse"), () => answer(false))) : null);
}
