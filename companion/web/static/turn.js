// The way to what a seat is to do, at the lower edge: its turn may come while the page is scrolled to its plan, and nothing moves by itself.
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { button } from "./widgets.js";

const SEEN = 2 / 3; // of what is to do, or of the window where it is longer
const BEGIN_PX = 120; // its heading and a button

/** `sentence` is what the table wants; of a plan that is whole the way leads down to “ready”. Nothing where nothing is wanted. */
export function toTurn({ game, seat, legal }, mine, sentence) {
  if (!legal.length || !game.waiting_for.includes(seat)) return null;
  if (game.phase !== "planning") return way(sentence, "start");
  if (mine.by_cards || !legal.some((one) => one.kind === "ready" && one.ready && !one.by_cards)) return null;
  return way(`${t("seat.board")} · ${t("seat.placed", { n: mine.to_place, all: mine.to_place })}`, "end");
}

const todo = () => document.querySelector(".seat > section:has(.orders), .seat > .telling");

function way(words, block) {
  const go = () => {
    const there = todo();
    if (block === "start") scrollTo({ top: 0 });
    else there.scrollIntoView({ block });
    there.tabIndex = -1; // whoever goes by keys goes on from there: the button is gone
    there.focus({ preventScroll: true });
  };
  return h("div", { class: "turn", hidden: true }, button("to-turn", words, go, "main"));
}

/** It is shown as long as neither the begin nor most of what is to do is in sight. */
export function turnInSight() {
  const [bar, there] = [document.querySelector(".turn"), todo()?.getBoundingClientRect()];
  if (bar) bar.hidden = !there || isSeen(there);
}

function isSeen({ top, bottom, height }) {
  const begin = top >= 0 && top <= innerHeight - BEGIN_PX;
  return begin || Math.min(bottom, innerHeight) - Math.max(top, 0) >= SEEN * Math.min(height, innerHeight);
}
