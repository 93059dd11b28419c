// The vote on a proposed undo: who proposes it, who has agreed, and this seat's own vote.
import { post, refusalText, send } from "./api.js";
import { h, put } from "./dom.js";
import { colour, language, t } from "./i18n.js";
import { heldSeat } from "./seatlink.js";
import { commandSummary } from "./told.js";
import { button } from "./widgets.js";
import { authorName, provinceNames } from "./words.js";

let undoPreview = { key: "", words: null }; // what would be undone

/**
 * Draw the question in `place`, or nothing; redraws only on changes, so that a screen reader says it once.
 */
export async function pollBar(place, view) {
  const poll = view.poll;
  const text = JSON.stringify([poll, view.expected, heldSeat(), language()]);
  if (!place || place.dataset.poll === text) return;
  place.dataset.poll = text;
  const words = poll && (await undoSummary(view));
  if (place.dataset.poll !== text) return;
  put(place, poll ? pollQuestion(poll, view.expected, words) : null);
  if (poll && !words) place.dataset.poll = ""; // retry with the next view
}

/** What would be undone, for those who vote: the first item, and how many more. */
async function undoSummary({ table, expected, poll: { batch }, game }) {
  // proposed again later, it would take more with it
  const key = [table, expected, batch, language()].join(" ");
  if (undoPreview.key === key) return undoPreview.words;
  const [past, goes] = await Promise.all([send(`history?last=1&before=${batch + 1}`), send(`undo/${batch}`)]);
  if (!past.ok || !goes.ok) return null;
  const number = goes.body.batches.length;
  undoPreview = {
    key,
    words:
      commandSummary(past.body.entries[0]?.told ?? [], number, provinceNames(game)) ??
      t("undoing.count", { n: number }),
  };
  return undoPreview.words;
}

function pollQuestion(poll, expected, words) {
  const seat = heldSeat()?.seat;
  const mayVote = seat && poll.asked.includes(seat) && !poll.agreed.includes(seat);
  const refusal = h("p", { class: "bad", role: "alert", hidden: true });
  const answer = async (yes) => {
    const { ok, body } = await post(`seats/${seat}/answer`, { expected, batch: poll.batch, yes });
    refusal.hidden = ok;
    put(refusal, ok ? null : refusalText(body.error));
  };
  return h(
    "div",
    { class: "note poll" },
    refusal,
    h(
      "p",
      {},
      t("undoing.poll", {
        author: authorName(poll.author),
        agreed: poll.agreed.map(colour).join(", ") || "–",
        asked: poll.asked.map(colour).join(", "),
      }),
    ),
    words ? h("p", {}, h("b", {}, words)) : null,
    poll.reason ? h("p", {}, poll.reason) : null,
    mayVote
      ? h(
          "div",
          { class: "row" },
          button("poll-yes", t("undoing.agree"), () => answer(true), "main"),
          button("poll-no", t("undoing.refuse"), () => answer(false)),
        )
      : null,
  );
}
