// Winter: the left neighbour draws a player's province cards without looking, on the phone or from the real
// hand.
import { h } from "./dom.js";
import { colour, t } from "./i18n.js";
import { button } from "./widgets.js";

const ticked = new Map(); // choices per hand and year, since neighbours draw at the same time

/** The card for drawing the revolts of `player`; `send` sends the command. */
export function revoltDrawCard(
  game,
  player,
  names,
  send,
  title = t("draws.title", { colour: colour(player) }),
) {
  const provinces = game.players.find((candidate) => candidate.seat === player).provinces;
  const number = Math.min(game.winter.to_draw[player], provinces.length);
  const hand = JSON.stringify([game.year, player, provinces]);
  const chosen = ticked.get(hand) ?? new Set();
  ticked.set(hand, chosen);
  return h(
    "section",
    { class: "card", "aria-label": title },
    h("h2", {}, title),
    h("p", {}, t("draws.more", { n: number })),
    h("p", { class: "muted small" }, t("rule.W-3")),
    h(
      "div",
      { class: "orders" },
      button(
        `draw-${player}`,
        t("draws.app"),
        () => send({ kind: "draw_revolts", player, provinces: null }),
        "main big",
      ),
    ),
    h(
      "details",
      { class: "real", open: game.by_table || chosen.size > 0 },
      h("summary", {}, t("draws.table")),
      ownDrawForm(player, provinces, chosen, number, names, send),
    ),
  );
}

/** Checkboxes for the real cards drawn: exactly as many as must be drawn. */
function ownDrawForm(player, provinces, chosen, number, names, send) {
  const submitButton = button(
    `these-${player}`,
    t("draws.these"),
    () => send({ kind: "draw_revolts", player, provinces: [...chosen] }),
    "main",
  );
  const hint = h("p", { class: "small", role: "status" });
  const boxes = provinces.map((id) =>
    h("input", {
      type: "checkbox",
      id: `draw-${id}`,
      "data-key": `draw-${id}`,
      checked: chosen.has(id),
      onchange: (event) => tick(id, event.target.checked),
    }),
  );
  const show = () => {
    const missing = number - chosen.size;
    submitButton.disabled = missing !== 0;
    hint.textContent = missing > 0 ? t("draws.choose", { n: missing }) : "";
    for (const box of boxes) box.disabled = missing <= 0 && !box.checked;
  };
  const tick = (id, on) => {
    if (on) chosen.add(id);
    else chosen.delete(id);
    show();
  };
  show();
  return [
    h(
      "div",
      { class: "several" },
      provinces.map((id, at) =>
        h("label", { class: "tick", for: `draw-${id}` }, boxes[at], h("span", {}, names[id].name)),
      ),
    ),
    h("div", { class: "row" }, submitButton, hint),
  ];
}
