// The vote on a proposed undo: who proposes it, who has agreed, and this seat's own vote.
import { post, send } from "./api.js";
import { h, put } from "./dom.js";
import { colour, language, t } from "./i18n.js";
import { held } from "./seatlink.js";
import { inShort } from "./told.js";
import { button } from "./widgets.js";
import { byWhom, namesOf } from "./words.js";

let wanted = { key: "", words: null }; // what would be undone

/**
 * Draw the question in `place`, or nothing; redraws only on changes, so that a screen reader says it once.
 */
export async function pollBar(place, view) {
  const poll = view.poll;
  const text = JSON.stringify([poll, view.expected, held(), language()]);
  if (!place || place.dataset.poll === text) return;
  place.dataset.poll = text;
  const words = poll && (await whatGoes(view));
  if (place.dataset.poll !== text) return;
  put(place, poll ? question(poll, view.expected, words) : null);
  if (poll && !words) place.dataset.poll = ""; // retry with the next view
}

/** What would be undone, for those who vote: the first item, and how many more. */
async function whatGoes({ table, expected, poll: { batch }, game }) {
  // proposed again later, it would take more with it
  const key = [table, expected, batch, language()].join(" ");
  if (wanted.key === key) return wanted.words;
  const [past, goes] = await Promise.all([send(`history?last=1&before=${batch + 1}`), send(`undo/${batch}`)]);
  if (!past.ok || !goes.ok) return null;
  const number = goes.body.batches.length;
  wanted = {
    key,
    words:
      inShort(past.body.entries[0]?.told ?? [], number, namesOf(game)) ?? t("undoing.count", { n: number }),
  };
  return wanted.words;
}

function question(poll, expected, words) {
  const own = held()?.seat;
  const mine = own && poll.asked.includes(own) && !poll.agreed.includes(own);
  const answer = (yes) => post(`seats/${own}/answer`, { expected, batch: poll.batch, yes });
  return h(
    "div",
    { class: "note poll" },
    h(
      "p",
      {},
      t("undoing.poll", {
        author: byWhom(poll.author),
        agreed: poll.agreed.map(colour).join(", ") || "–",
        asked: poll.asked.map(colour).join(", "),
      }),
    ),
    words ? h("p", {}, h("b", {}, words)) : null,
    poll.reason ? h("p", {}, poll.reason) : null,
    mine
      ? h(
          "div",
          { class: "row" },
          button("poll-yes", t("undoing.agree"), () => answer(true), "main"),
          button("poll-no", t("undoing.refuse"), () => answer(false)),
        )
      : null,
  );
}
