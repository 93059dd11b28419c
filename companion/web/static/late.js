// More lies in the tray than was counted: told on every page, with the way to put the throw right.
import { h, put } from "./dom.js";
import { language, t } from "./i18n.js";

/** Where the battle page puts the newest throw right. */
export const RIGHT = "#late";

const sum = (counts) => Object.values(counts).reduce((all, one) => all + one, 0);

export const lateWords = ({ lies, counted }) => t("late", { seen: lies, counted: sum(counted) });

/** Draws it in `place`, or nothing; only what changes is drawn anew, so that a screen reader says it once. */
export function lateBar(place, { late, undo, game }) {
  const text = late ? JSON.stringify([late.lies, late.look?.counts, late.counted, undo?.throw, language()]) : "";
  if (!place || (place.dataset.late ?? "") === text) return;
  place.dataset.late = text;
  const button = way(undo, game);
  put(place, late ? h("div", { class: "note" }, h("p", {}, lateWords(late)), button ? h("div", { class: "row" }, button) : null) : null);
}

/** What later steps build on is put right as facts; who only watches puts nothing right. */
function way(undo, game) {
  if (location.pathname === "/watch") return null;
  if (undo?.throw) return h("a", { class: "btn main", href: `/${RIGHT}`, "data-key": "late" }, t("correct"));
  const whole = game?.phase && game.phase !== "free";
  return whole ? h("a", { class: "btn", href: "/history", "data-key": "late" }, t("history.correct")) : null;
}
