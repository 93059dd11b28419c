// Legal commands as buttons and small forms: made from the server's list, so that no rule is known here.
import { h } from "./dom.js";
import { colour, t } from "./i18n.js";
import { throwState } from "./now.js";
import { cardName } from "./seatplan.js";

/** One command in words. */
export function commandWords(order, names) {
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

function orderWords(order, names, { targetlessKey = "order.act_plain", specials = [] }) {
  if (order.kind === "defend") return t(order.bonus ? "order.defend" : "order.defend_no");
  if (order.kind === "act" && !order.to) return t(targetlessKey);
  if (order.kind === "ready")
    return t(!order.ready ? "order.ready_not" : order.by_cards ? "order.ready_cards" : "order.ready");
  if (order.kind === "choose")
    return t("order.choose", {
      special: t(`special.${order.special}`),
      n: specials.indexOf(order.special) + 1,
    });
  return commandWords(order, names);
}

const WAYS = {
  throw: ["seat.to_throw", "main "],
  asking: ["seat.to_question", "main "],
  falling: ["seat.to_tray", ""],
  unseen: ["seat.to_question", "main "],
  countdown: ["seat.to_tray", ""],
};

/** The link to the battle page while a throw is awaited; prominent only if somebody has to act. */
export function throwLink(game, phase) {
  if (!game.throw || game.throw.ask_defence) return null;
  const [key, kind] = WAYS[throwState(phase)];
  return h("a", { class: `btn ${kind}big`, href: "/", "data-key": "to-throw" }, t(key));
}

/**
 * The link to the winter page or the end page; `loud` makes it prominent if there is nothing else to do here.
 */
export function chapterLink({ phase, season }, loud = false) {
  if (phase === "over") return h("a", { class: "btn main big", href: "/end" }, t("end_page"));
  return season === "winter"
    ? h("a", { class: `btn ${loud ? "main " : ""}big`, href: "/winter" }, t("winter_page"))
    : null;
}

const pendingChoices = new Map(); // numbers of armies and the extra army, kept across redraws
const PLUS = "plus";

/** The field that may vary between orders of one row, or null. */
const numberOf = (order) => (order.to ? "armies" : order.kind === "take" ? "group" : null);

/**
 * Buttons for orders; those that differ only in a number of armies share one row, and a card's extra army is
 * one checkbox for all rows. `wording.targetlessKey`: the message for an action without a target;
 * `wording.specials`: the special cards in the order of their places.
 */
export function orderButtons(legal, names, give, wording = {}) {
  const send = (order) => {
    pendingChoices.clear();
    return give(order);
  };
  const groups = new Map();
  for (const order of legal) {
    const { insist: _, ...rest } = order;
    const number = numberOf(order);
    if (number) for (const field of [number, "bonus_attack"]) delete rest[field];
    const key = JSON.stringify(rest);
    groups.set(key, [...(groups.get(key) ?? []), order]);
  }
  const marks = []; // marks in the rows to which the checkbox applies
  const rows = [...groups].map(([key, alike], at) =>
    numberOf(alike[0])
      ? marchRow(alike, key, names, send, at, marks)
      : h(
          "button",
          { type: "button", class: "btn big", "data-key": `order-${key}`, onclick: () => send(alike[0]) },
          orderWords(alike[0], names, wording),
        ),
  );
  const first = legal.some((order) => order.bonus_attack)
    ? rows.findIndex((row) => row.matches(".march"))
    : -1;
  return first < 0 ? rows : [...rows.slice(0, first), extraArmyBox(marks), ...rows.slice(first)];
}

/** The checkbox for throwing a card's extra army, whichever target is chosen (O-5). */
function extraArmyBox(marks) {
  const change = ({ target }) => {
    pendingChoices.set(PLUS, target.checked);
    for (const mark of marks) mark.hidden = !target.checked;
  };
  return h(
    "label",
    { class: "tick", for: "march-plus" },
    h("input", {
      type: "checkbox",
      id: "march-plus",
      "data-key": "march-plus",
      checked: pendingChoices.get(PLUS),
      onchange: change,
    }),
    h("span", {}, t("order.attack_more")),
  );
}

function marchRow(all, key, names, send, at, marks) {
  const id = `march-${at}`;
  const [alike, more] = [
    all.filter((order) => !order.bonus_attack),
    all.filter((order) => order.bonus_attack),
  ];
  const number = numberOf(alike[0]);
  const chosen =
    alike.find((order) => order[number] === pendingChoices.get(key)) ??
    (number === "group" ? alike[0] : alike.at(-1));
  const choice = h(
    "select",
    { id, "data-key": id, onchange: () => pendingChoices.set(key, alike[Number(choice.value)][number]) },
    alike.map((order, index) =>
      h("option", { value: index, selected: order === chosen }, t("armies", { n: order[number] })),
    ),
  );
  const go = () => {
    const order = alike[Number(choice.value)];
    send(
      (pendingChoices.get(PLUS) && more.find((candidate) => candidate[number] === order[number])) || order,
    );
  };
  const mark = more.length
    ? h("span", { hidden: !pendingChoices.get(PLUS) }, ` · ${t("special.plus_attack")}`)
    : null;
  if (mark) marks.push(mark);
  return h(
    "div",
    { class: "march row" },
    h(
      "label",
      { for: id, id: `${id}-where`, class: "grow" },
      targetWords(alike[0], names),
      mark ? h("small", { class: "muted" }, mark) : null,
    ),
    h("span", {}, choice),
    h(
      "button",
      {
        type: "button",
        class: "btn main",
        "data-key": `${id}-go`,
        "aria-describedby": `${id}-where`,
        onclick: go,
      },
      t(number === "group" ? "draft.done" : "order.go"),
    ),
  );
}

/** The target province and its owner; a card to take has no owner. */
function targetWords(order, names) {
  if (order.kind === "take") return h("b", {}, names[order.take]?.name ?? t("order.pile"));
  const to = names[order.to];
  return [
    h("b", {}, to.name),
    " ",
    h(
      "small",
      { class: "muted" },
      to.owner ? t("order.held", { colour: colour(to.owner), n: to.armies }) : t("neutral"),
    ),
  ];
}
