// The individual board on the phone: cards are placed by tapping or dragging, and are face down unless held.
import { h } from "./dom.js";
import { t, withColon } from "./i18n.js";
import { button } from "./widgets.js";

export const SPACES = [
  "castle",
  "temple",
  "theatre",
  "rice",
  "taxes",
  "deploy_5",
  "deploy_3",
  "deploy_1_move",
  "battle_a",
  "battle_b",
  "auction",
];
const FAR_PX = 12;
const AFTER_DRAG_MS = 50; // a browser sends the click of a drag at once

/** A card's name in words. */
export const cardName = (card, names) =>
  card.startsWith("chest_") ? t("seat.chest", { n: Number(card.slice(6)) }) : (names[card]?.name ?? card);

/** Whether a card is held open by a finger or a key. */
export const isCardHeldOpen = (where) => where.querySelector(".under.open") !== null;

/**
 * Hand and board; calls `placeCard(space, card)` and `chooseCard(card)` on input, and `onCovered()` once a
 * card held open is released.
 */
export function planCards(seat, mine, names, chosen, { placeCard, chooseCard, onCovered }) {
  const hand = mine.hand.filter((card) => !Object.values(mine.board).includes(card));
  const allowedSpaces = new Set(
    seat.legal.filter((order) => order.kind === "place" && order.card === chosen).map((order) => order.space),
  );
  return [
    h(
      "section",
      { class: "card", "aria-label": t("seat.hand") },
      h("h2", {}, t("seat.hand")),
      h("p", { class: "muted small" }, t("seat.how")),
      h(
        "ul",
        { class: "hand" },
        hand.map((card) => h("li", {}, handCard(card, names, card === chosen, { placeCard, chooseCard }))),
      ),
    ),
    chosen && allowedSpaces.size
      ? spaceBar(
          allowedSpaces,
          cardName(chosen, names),
          (space) => placeCard(space, chosen),
          () => chooseCard(null),
        )
      : null,
    h(
      "section",
      { class: "card", "aria-label": t("seat.board") },
      h("h2", {}, t("seat.board")),
      h(
        "p",
        { class: "muted small" },
        t("seat.placed", { n: Object.keys(mine.board).length, all: mine.to_place }),
      ),
      h(
        "ul",
        { class: "spaces" },
        SPACES.map((space) =>
          h(
            "li",
            {},
            spaceSlot(
              space,
              mine.board[space],
              names,
              chosen,
              allowedSpaces.has(space),
              placeCard,
              onCovered,
            ),
          ),
        ),
      ),
    ),
  ];
}

/**
 * The spaces again at the lower edge of the window, since a phone would have to scroll to the board and back
 * for each card.
 */
function spaceBar(allowedSpaces, name, onSpace, cancel) {
  const title = t("seat.where", { card: name });
  return h(
    "section",
    { class: "where", "aria-label": title, hidden: true },
    h(
      "div",
      { class: "row" },
      h("p", { class: "grow", role: "status" }, title),
      button("to-none", t("cancel"), cancel, "quiet"),
    ),
    h(
      "ul",
      {},
      SPACES.filter((space) => allowedSpaces.has(space)).map((space) =>
        h(
          "li",
          {},
          button(`to-${space}`, spaceName(space), () => onSpace(space)),
        ),
      ),
    ),
  );
}

/** Show those spaces while the end of the board is below the window. */
export function showSpaceBar(seat) {
  const bar = seat.querySelector(".where");
  if (bar) bar.hidden = seat.querySelector(".spaces").getBoundingClientRect().bottom <= innerHeight;
}

/** The plan after planning, to look at; revealed cards are face up. */
export function laidPlanCard(mine, names, onCovered) {
  const spaces = SPACES.filter((space) => mine.board[space]);
  return h(
    "section",
    { class: "card", "aria-label": t("seat.board") },
    h("h2", {}, t("seat.board")),
    h(
      "ul",
      { class: "spaces" },
      spaces.map((space) =>
        h(
          "li",
          {},
          mine.face_up.includes(space)
            ? faceUp(space, mine.board[space], names)
            : spaceSlot(space, mine.board[space], names, null, false, null, onCovered),
        ),
      ),
    ),
  );
}

const spaceName = (space) => (space === "auction" ? t("seat.bid") : t(`action.${space}`));
const faceUp = (space, card, names) =>
  h("div", { class: "space full" }, h("span", {}, spaceName(space)), h("b", {}, cardName(card, names)));

function handCard(card, names, chosen, { placeCard, chooseCard }) {
  const province = names[card];
  return h(
    "button",
    {
      type: "button",
      class: "hand-card",
      "aria-pressed": String(chosen),
      "data-key": `card-${card}`,
      onclick: () => chooseCard(chosen ? null : card),
      onpointerdown: (event) => startDrag(event, card, placeCard),
    },
    h("b", {}, cardName(card, names)),
    province?.taxes
      ? h("small", {}, t("seat.worth", { taxes: province.taxes, rice: province.rice, n: province.armies }))
      : null,
  );
}

function spaceSlot(space, card, names, chosen, isAllowed, placeCard, onCovered) {
  const name = spaceName(space);
  if (!card) {
    return h(
      "button",
      {
        type: "button",
        class: `space empty${isAllowed ? " may" : ""}`,
        "data-space": space,
        "data-key": `space-${space}`,
        "data-next": `peek-${space}`,
        disabled: !chosen,
        "aria-label": `${withColon(name)}${t("seat.empty")}`,
        onclick: () => placeCard(space, chosen),
      },
      h("span", {}, name),
      h("i", { "aria-hidden": "true" }, chosen ? "+" : ""),
    );
  }
  const face = h("b", { class: "under" }, t("seat.covered"));
  const setOpen = (open) => {
    if (open === face.classList.contains("open")) return;
    face.textContent = open ? cardName(card, names) : t("seat.covered");
    face.classList.toggle("open", open);
    if (!open) onCovered();
  };
  const onKey = (open) => (event) =>
    (event.key === " " || event.key === "Enter") && (event.preventDefault(), setOpen(open));
  return h(
    "div",
    { class: "space full", "data-space": space },
    h("span", {}, name),
    h(
      "button",
      {
        type: "button",
        class: "peek",
        "data-key": `peek-${space}`,
        "aria-label": `${withColon(name)}${t("seat.peek")}`,
        onpointerdown: () => setOpen(true),
        onpointerup: () => setOpen(false),
        onpointerleave: () => setOpen(false),
        onpointercancel: () => setOpen(false),
        onkeydown: onKey(true),
        onkeyup: onKey(false),
        onblur: () => setOpen(false),
        oncontextmenu: (event) => event.preventDefault(),
      },
      face,
    ),
    placeCard &&
      h(
        "button",
        {
          type: "button",
          class: "btn quiet",
          "data-key": `off-${space}`,
          "data-next": `card-${card}`,
          "aria-label": t("seat.take_off", { name }),
          onclick: () => placeCard(space, null),
        },
        "×",
      ),
  );
}

function startDrag(pointerDown, card, placeCard) {
  const button = pointerDown.currentTarget;
  let ghost = null;
  let unlocked = []; // spaces that take this card only while it is dragged
  const spaceUnder = (event) =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest(".space.empty");
  const onMove = (event) => {
    if (
      !ghost &&
      Math.hypot(event.clientX - pointerDown.clientX, event.clientY - pointerDown.clientY) < FAR_PX
    )
      return;
    if (!ghost) {
      ghost = h("div", { class: "ghost", "aria-hidden": "true" }, button.querySelector("b").textContent);
      document.body.append(ghost);
      unlocked = [...document.querySelectorAll(".space.empty:disabled")];
      for (const space of unlocked) space.disabled = false;
    }
    ghost.style.setProperty("translate", `${event.clientX}px ${event.clientY}px`);
    for (const space of document.querySelectorAll(".space.over")) space.classList.remove("over");
    spaceUnder(event)?.classList.add("over");
  };
  const onEnd = (event) => {
    for (const [name, act] of [
      ["pointermove", onMove],
      ["pointerup", onEnd],
      ["pointercancel", onEnd],
    ])
      removeEventListener(name, act);
    if (!ghost) return;
    ghost.remove();
    // the click that ends a drag is no tap; a finger that scrolled sends none
    const endDrag = (click) => click.stopPropagation();
    button.addEventListener("click", endDrag, { capture: true });
    setTimeout(() => button.removeEventListener("click", endDrag, { capture: true }), AFTER_DRAG_MS);
    const space = event.type === "pointerup" ? spaceUnder(event) : null;
    for (const each of unlocked) each.disabled = true;
    if (space) placeCard(space.dataset.space, card);
  };
  for (const [name, act] of [
    ["pointermove", onMove],
    ["pointerup", onEnd],
    ["pointercancel", onEnd],
  ])
    addEventListener(name, act);
}
