// The bar on every page that more cubes lie in the tray than were counted, with a link to correct the throw.
import { h, put } from "./dom.js";
import { language, t } from "./i18n.js";

/** URL fragment with which the battle page opens the correction of the newest throw. */
export const CORRECT_HASH = "#late";

const sum = (counts) => Object.values(counts).reduce((total, n) => total + n, 0);

export const lateText = ({ lies, counted }) => t("late", { seen: lies, counted: sum(counted) });

/** Draw the bar in `place`, or nothing; redraws only on changes, so that a screen reader says it once. */
export function lateBar(place, { late, undo, game }) {
  const text = late
    ? JSON.stringify([late.lies, late.look?.counts, late.counted, undo?.throw, language()])
    : "";
  if (!place || (place.dataset.late ?? "") === text) return;
  place.dataset.late = text;
  const button = correctionLink(undo, game);
  put(
    place,
    late
      ? h(
          "div",
          { class: "note" },
          h("p", {}, lateText(late)),
          button ? h("div", { class: "row" }, button) : null,
        )
      : null,
  );
}

/** The link: a throw that later steps build on is corrected through facts; the watch page gets none. */
function correctionLink(undo, game) {
  if (location.pathname === "/watch") return null;
  if (undo?.throw)
    return h("a", { class: "btn main", href: `/${CORRECT_HASH}`, "data-key": "late" }, t("correct"));
  const whole = game?.phase && game.phase !== "free";
  return whole ? h("a", { class: "btn", href: "/history", "data-key": "late" }, t("history.correct")) : null;
}
