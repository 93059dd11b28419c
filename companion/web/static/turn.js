// A button at the lower edge that leads to the seat's next action: its turn may come while the page is
// scrolled elsewhere, and pages do not scroll by themselves.
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { button } from "./widgets.js";

const SEEN = 2 / 3; // fraction of the action card, or of the window if that is smaller
const BEGIN_PX = 120; // height of its heading and a button

/**
 * The button, labelled `sentence`; with a complete plan it leads down to “ready”. Null if the seat has
 * nothing to do.
 */
export function turnButton({ game, seat, legal }, mine, sentence) {
  if (!legal.length || !game.waiting_for.includes(seat)) return null;
  if (game.phase !== "planning") return jumpLink(sentence, "start");
  if (mine.by_cards || !legal.some((order) => order.kind === "ready" && order.ready && !order.by_cards))
    return null;
  return jumpLink(
    `${t("seat.board")} · ${t("seat.placed", { n: mine.to_place, all: mine.to_place })}`,
    "end",
  );
}

const nextTask = () => document.querySelector(".seat > section:has(.orders), .seat > .telling");

function jumpLink(words, block) {
  const go = () => {
    const task = nextTask();
    if (block === "start") scrollTo({ top: 0 });
    else task.scrollIntoView({ block });
    task.tabIndex = -1; // keyboard users continue from there, as the button disappears
    task.focus({ preventScroll: true });
  };
  return h("div", { class: "turn", hidden: true }, button("to-turn", words, go, "main"));
}

/** Show the button while neither the beginning nor most of the action card is in sight. */
export function updateTurnButton() {
  const [bar, task] = [document.querySelector(".turn"), nextTask()?.getBoundingClientRect()];
  if (bar) bar.hidden = !task || isSeen(task);
}

function isSeen({ top, bottom, height }) {
  const begin = top >= 0 && top <= innerHeight - BEGIN_PX;
  return begin || Math.min(bottom, innerHeight) - Math.max(top, 0) >= SEEN * Math.min(height, innerHeight);
}
