// Winter on a seat's phone: the left neighbour draws a player's province cards without looking, on the phone or from the real hand.
import { h } from "./dom.js";
import { colour, t } from "./i18n.js";
import { button } from "./widgets.js";

let ticked = { player: null, chosen: new Set() };

/** The card on which revolts of `player` are drawn; `send` gives the command. */
export function draws(game, player, names, send) {
  const own = game.players.find((one) => one.seat === player).provinces;
  const number = Math.min(game.winter.to_draw[player], own.length);
  if (ticked.player !== player) ticked = { player, chosen: new Set() };
  for (const id of ticked.chosen) if (!own.includes(id)) ticked.chosen.delete(id);
  const title = t("draws.title", { colour: colour(player) });
  return h("section", { class: "card", "aria-label": title },
    h("h2", {}, title), h("p", {}, t("draws.more", { n: number })),
    h("p", { class: "muted small" }, t("rule.W-3")),
    h("div", { class: "orders" }, button(`draw-${player}`, t("draws.app"), () => send({ kind: "draw_revolts", player, provinces: null }), "main big")),
    h("details", { class: "real", open: ticked.chosen.size > 0 }, h("summary", {}, t("draws.table")), real(player, own, number, names, send)));
}

/** Which of the real cards it was: as many as are drawn, and no more. */
function real(player, own, number, names, send) {
  const these = button(`these-${player}`, t("draws.these"), () => send({ kind: "draw_revolts", player, provinces: [...ticked.chosen] }), "main");
  const left = h("p", { role: "status" });
  const boxes = own.map((id) => h("input", { type: "checkbox", id: `draw-${id}`, "data-key": `draw-${id}`, checked: ticked.chosen.has(id), onchange: (event) => tick(id, event.target.checked) }));
  const show = () => {
    const missing = number - ticked.chosen.size;
    these.disabled = missing !== 0;
    left.textContent = missing > 0 ? t("draws.choose", { n: missing }) : "";
    for (const box of boxes) box.disabled = missing <= 0 && !box.checked;
  };
  const tick = (id, on) => {
    if (on) ticked.chosen.add(id);
    else ticked.chosen.delete(id);
    show();
  };
  show();
  return [h("div", { class: "several" }, own.map((id, at) => h("label", { class: "tick", for: `draw-${id}` }, boxes[at], h("span", {}, names[id].name)))), left, these];
}
