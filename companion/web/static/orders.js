// What may be asked for, as buttons and small forms: made from the list of legal commands, so that no rule is known here.
import { h } from "./dom.js";
import { colour, t } from "./i18n.js";
import { aboutThrow } from "./now.js";
import { cardName } from "./seatplan.js";

/** One command in words. */
export function inWords(order, names) {
  const place = order.province ?? order.to ?? order.take ?? "";
  return t(`order.${order.kind}`, {
    province: place === "pile" ? t("order.pile") : (names[place]?.name ?? place),
    n: order.place ?? order.armies ?? order.group ?? 0,
    special: order.special ? t(`special.${order.special}`) : "",
    action: order.action ? t(`action.${order.action}`) : "",
    colour: order.player ? colour(order.player) : "",
    card: order.card ? cardName(order.card, names) : t("order.no_card"),
    sentence: order.kind,
  });
}

function worded(order, names, { plain = "order.act_plain", specials = [] }) {
  if (order.kind === "defend") return t(order.bonus ? "order.defend" : "order.defend_no");
  if (order.kind === "act" && !order.to) return t(plain);
  if (order.kind === "ready") return t(!order.ready ? "order.ready_not" : order.by_cards ? "order.ready_cards" : "order.ready");
  if (order.kind === "choose") return t("order.choose", { special: t(`special.${order.special}`), n: specials.indexOf(order.special) + 1 });
  return inWords(order, names);
}

const WAYS = { throw: ["seat.to_throw", "main "], asking: ["seat.to_question", "main "], falling: ["seat.to_tray", ""], unseen: ["seat.to_question", "main "], countdown: ["seat.to_tray", ""] };

/** The way to the page of the battle while a throw is awaited there: loud only where somebody has to do something. */
export function toThrow(game, phase) {
  if (!game.throw || game.throw.ask_defence) return null;
  const [key, kind] = WAYS[aboutThrow(phase)];
  return h("a", { class: `btn ${kind}big`, href: "/", "data-key": "to-throw" }, t(key));
}

const wanted = new Map(); // armies that a person chose and has not sent: what is drawn anew meanwhile keeps them

/** Buttons for orders; those that differ only in a number of armies share one stepper. `told.plain`: words for an action without a target;
    `told.specials`: the special cards on their places. */
export function orders(legal, names, give, told = {}) {
  const send = (one) => {
    wanted.clear();
    return give(one);
  };
  const groups = new Map();
  for (const order of legal) {
    const { armies, insist: _, ...rest } = order;
    const key = JSON.stringify(order.to ? rest : { ...rest, armies });
    groups.set(key, [...(groups.get(key) ?? []), order]);
  }
  return [...groups].map(([key, alike], at) => (alike.length > 1 || alike[0].to ? march(alike, key, names, send, at) : h("button", { type: "button", class: "btn big", "data-key": `order-${key}`, onclick: () => send(alike[0]) }, worded(alike[0], names, told))));
}

function march(alike, key, names, send, at) {
  const id = `march-${at}`;
  const most = alike.at(-1);
  const chosen = alike.find((order) => order.armies === wanted.get(key)) ?? most;
  const choice = h("select", { id, "data-key": id, onchange: () => wanted.set(key, alike[Number(choice.value)].armies) }, alike.map((order, index) => h("option", { value: index, selected: order === chosen }, t("armies", { n: order.armies }))));
  const to = names[most.to];
  const whose = to.owner ? t("order.held", { colour: colour(to.owner), n: to.armies }) : t("neutral");
  return h("div", { class: "march row" }, h("label", { for: id, class: "grow" }, h("b", {}, to.name), " ", h("small", { class: "muted" }, whose, most.bonus_attack ? ` · ${t("special.plus_attack")}` : "")),
    h("span", {}, choice), h("button", { type: "button", class: "btn main", "data-key": `${id}-go`, onclick: () => send(alike[Number(choice.value)]) }, t("order.go")));
}
