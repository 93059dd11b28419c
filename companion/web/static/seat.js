// The seat page: what its phone may know and do. Everything shown comes from the server's view for this seat.
import { isEverythingAnswered, listen, messageAfterSilence, refusalText } from "./api.js";
import { h, put } from "./dom.js";
import { colour, language, loadMessages, t } from "./i18n.js";
import { refusalNote } from "./insisting.js";
import { isStorageLost } from "./kept.js";
import { isOlder } from "./newer.js";
import { nowSentence, seatSentence } from "./now.js";
import { chapterLink, orderButtons, throwLink } from "./orders.js";
import { sealIcon } from "./seal.js";
import { revoltDrawCard } from "./seatdraws.js";
import * as link from "./seatlink.js";
import { attackNote, barredNote, targetlessActionKey, withReady, withStay } from "./seatorders.js";
import { isCardHeldOpen, laidPlanCard, planCards, showSpaceBar } from "./seatplan.js";
import { takeForms } from "./telling.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { turnButton, updateTurnButton } from "./turn.js";
import { askYesNo } from "./widgets.js";

const byId = (id) => document.getElementById(id);
let seat = null;
let chosen = null;
// a sentence; or, if overrulable, {words, error, order, at}, with `at` the view it refers to
let refusal = null;
let refusedAt = null; // `expected` of the view with which it was shown
let drawnText = ""; // what is drawn, as JSON
let vacant = []; // seats that are waited for and held by no device

const OWN_FORM = ["place", "draw_revolts"]; // orders with a form of their own

let seatRequests = 0; // counts the requests for the seats

async function refresh() {
  const key = link.heldSeat()?.key;
  if (!key) return showSeatChoice();
  const answer = await link.fetchSeatView();
  if (answer.status === 403) {
    await link.fetchSeats(); // the table may have changed, and this device may sit elsewhere there or nowhere
    if (link.heldSeat()?.key !== key) return refresh(); // or it left this seat meanwhile
    link.leaveSeat();
    refusal = refusalText(answer.body.error);
    return showSeatChoice();
  }
  // the table changed or the seat was left meanwhile, which refreshes by itself
  if (link.heldSeat()?.key !== key) return;
  if (answer.ok) acceptView(answer.body);
  draw();
  if (!seat) return;
  const [{ seat: name, expected }, found] = [seat, await findVacant()];
  // of another moment, which refreshes by itself
  if (seat?.seat !== name || seat.expected !== expected) return;
  vacant = found;
  draw();
}

/**
 * Free seats that are to act, for a device shared by several players with real cards. None after a plan made
 * here: going on would reveal it.
 */
async function findVacant() {
  if (!seat.game.players) return [];
  const { board, by_cards: byCards } = seat.game.players.find((player) => player.seat === seat.seat);
  const others = seat.game.waiting_for.filter((name) => name !== "table");
  if (others.includes(seat.seat) || !others.length || (!byCards && Object.keys(board).length)) return [];
  const { ok, body } = await link.fetchSeats();
  return ok ? others.filter((name) => !body.taken.includes(name)) : [];
}

/** Change from this seat to another in one tap. */
async function switchSeat(name) {
  const answer = await link.freeSeat(seat.seat);
  if (answer.ok) {
    link.leaveSeat();
    vacant = [];
  }
  refusal = answer.ok ? await link.claimSeat(name) : link.refusalReason(answer);
  refresh();
}

/** Take over a view, unless a newer one has already arrived. */
function acceptView(view) {
  if (isOlder(view, seat)) return;
  seat = view;
  if (refusedAt !== null && refusedAt !== view.expected && view.game.phase !== "planning")
    refusal = refusedAt = null; // it was about something that is over
}

async function showSeatChoice() {
  seat = null;
  drawnText = "";
  const turn = ++seatRequests;
  const { ok, body } = await link.fetchSeats();
  if (!ok || turn !== seatRequests) return; // an earlier request may tell of a table that had no seats yet
  if (link.heldSeat()) return refresh();
  const request = link.storedTicket() ? body.asked : null;
  if (request?.answer === "agreed") {
    refusal = await link.claimSeat(request.seat);
    if (link.heldSeat() || !link.storedTicket()) return refresh();
    if (turn !== seatRequests) return; // no answer: tried again with the table's next view
  }
  if (body.joined) showSeats(body, request);
  else showInvitation();
}

/** The invitation to join the table before choosing a seat. */
function showInvitation() {
  put(byId("now"), t("join.title"));
  put(byId("notice"), currentRefusalNote());
  put(
    byId("seat"),
    h(
      "div",
      { class: "card" },
      h("p", {}, t("error.not_joined")),
      h("a", { class: "btn main big", href: "/join", "data-key": "join" }, t("join.go")),
    ),
  );
}

/** Seats to take, to ask for and, for the host, to free; `request`: the seat asked for, and the answer. */
function showSeats({ seats, taken, host }, request) {
  put(byId("now"), t(seats.length ? "seat.choose" : "seat.none"));
  put(
    byId("notice"),
    currentRefusalNote(),
    isStorageLost() ? h("p", { class: "note" }, t("forgets")) : null,
    request
      ? h("p", { class: "note" }, t(`seat.asked.${request.answer}`, { colour: colour(request.seat) }))
      : null,
  );
  put(
    byId("seat"),
    h(
      "div",
      { class: "card" },
      seats.map((name) => {
        const isTaken = taken.includes(name);
        const waits = request?.answer === "waiting" && request.seat === name;
        return h(
          "div",
          { class: "row" },
          h(
            "button",
            {
              type: "button",
              class: "btn big",
              "data-key": `take-${name}`,
              disabled: isTaken,
              onclick: () => takeSeat(name),
            },
            sealIcon(name),
            colour(name),
            isTaken ? ` · ${t("seat.taken")}` : null,
          ),
          isTaken && !waits
            ? h(
                "button",
                {
                  type: "button",
                  class: "btn quiet",
                  "data-key": `ask-${name}`,
                  onclick: () => askForSeat(name),
                },
                t("seat.ask"),
              )
            : null,
          isTaken && host
            ? h(
                "button",
                {
                  type: "button",
                  class: "btn quiet",
                  "data-key": `free-${name}`,
                  onclick: () => freeSeat(name),
                },
                t("host.set_free"),
              )
            : null,
        );
      }),
    ),
  );
}

async function takeSeat(name) {
  refusal = await link.claimSeat(name);
  scrollTo({ top: 0 }); // so that the seat or the refusal is read from its beginning
  refresh();
}

async function askForSeat(name) {
  refusal = await link.askForSeat(name);
  refresh();
}

async function freeSeat(name) {
  if (!(await askYesNo(t("host.set_free_sure", { colour: colour(name) })))) return;
  const answer = await link.freeSeat(name);
  refusal = answer.ok ? null : link.refusalReason(answer);
  refresh();
}

/** The refusal. In planning it can always be insisted on; otherwise only while nothing else has happened. */
function currentRefusalNote() {
  if (!refusal) return null;
  const { words = refusal, error, order, at } = refusal;
  const goesOn = seat && (at === seat.expected || seat.game.phase === "planning");
  return refusalNote(words, error, goesOn ? (insist) => send({ ...order, insist }) : null);
}

async function send(order) {
  const before = chosen;
  const at = seat.expected;
  const answer = await link.sendCommand(at, order);
  refusal = answer.ok ? null : refusalOf(answer, order, at);
  refusedAt = null;
  if (answer.ok && chosen === before) chosen = null; // otherwise another card was chosen before the answer
  if (answer.ok) acceptView(answer.body);
  else await refresh();
  if (refusal && seat) refusedAt = seat.expected;
  draw();
}

function refusalOf(answer, order, at) {
  const words = link.refusalReason(answer);
  const { error } = answer.body;
  return error?.overrulable ? { words, error, order, at } : words;
}

function draw() {
  // animate the cards once, not with each view
  document.body.classList.toggle("still", byId("seat").childElementCount > 0);
  // a redraw would cover a card held open: it follows when the finger is lifted
  if (!seat || isCardHeldOpen(byId("seat"))) return;
  const text = JSON.stringify([{ ...seat, rev: 0 }, chosen, refusal, vacant, language()]);
  if (text === drawnText) return; // no redraw, so that an open list stays open
  drawnText = text;
  const { game } = seat;
  byId("seat").dataset.at = seat.expected;
  if (!game.players) return drawPlain(game);
  const mine = game.players.find((player) => player.seat === seat.seat);
  const names = Object.fromEntries(game.provinces.map((province) => [province.id, province]));
  const sentence = seatSentence(game, seat.seat, seat.phase);
  if (byId("now").textContent !== sentence) put(byId("now"), sentence);
  put(byId("notice"), currentRefusalNote());
  const planning = game.phase === "planning" && !mine.by_cards;
  // with real cards the app does not know the pile
  const withForm = game.draft?.pile === null ? [...OWN_FORM, "take", "swap"] : OWN_FORM;
  const legal = seat.legal.filter((order) => !withForm.includes(order.kind));
  const takingOrders = seat.legal.filter(
    (order) => withForm.includes(order.kind) && !OWN_FORM.includes(order.kind),
  );
  const revoltDraws = seat.legal.filter((order) => order.kind === "draw_revolts");
  put(
    byId("seat"),
    ownStanding(mine),
    throwLink(game, seat.phase) ?? mapLink(game),
    vacant
      .filter((name) => game.waiting_for.includes(name))
      .map((name) =>
        h(
          "button",
          {
            type: "button",
            class: "btn main big",
            "data-key": `go-on-${name}`,
            onclick: () => switchSeat(name),
          },
          sealIcon(name),
          t("seat.go_on", { colour: colour(name) }),
        ),
      ),
    planning
      ? planCards(seat, mine, names, chosen, {
          chooseCard: (card) => ((chosen = card), draw()),
          placeCard: (space, card) => send({ kind: "place", seat: seat.seat, space, card }),
          onCovered: draw,
        })
      : null,
    takingOrders.length ? takeForms(takingOrders, game, names, send) : null,
    revoltDraws.map((order) => revoltDrawCard(game, order.player, names, send)),
    legal.length || planning
      ? h(
          "section",
          { class: "card", "aria-label": t("seat.do") },
          h("h2", {}, t("seat.do")),
          h(
            "div",
            { class: "orders" },
            game.turn?.barred ? barredNote(game.turn, names) : null,
            attackNote(game),
            orderButtons(withStay(seat, withReady(seat, legal, planning, mine)), names, send, {
              targetlessKey: targetlessActionKey(game),
              specials: game.cards.specials,
            }),
          ),
        )
      : null,
    chapterLink(game, game.waiting_for.includes("table")),
    !planning && Object.keys(mine.board).length ? laidPlanCard(mine, names, draw) : null,
    leaveButton(),
    turnButton(seat, mine, sentence),
  );
  updateBars();
}

/** Show the bars at the lower edge while their targets are out of sight. */
function updateBars() {
  showSpaceBar(byId("seat"));
  updateTurnButton();
}

/**
 * A seat of a game whose hands and plans this page does not know: its owner, what happens now, and a link
 * there.
 */
function drawPlain(game) {
  put(byId("now"), nowSentence(game, seat.phase));
  put(byId("notice"), currentRefusalNote());
  put(
    byId("seat"),
    h(
      "section",
      { class: "card mine", "aria-label": t("seat.yours") },
      h("h2", { class: "row" }, sealIcon(seat.seat), colour(seat.seat)),
    ),
    h("a", { class: "btn main big", href: "/", "data-key": "to-battle" }, t("battle_page")),
    leaveButton(),
  );
}

const leaveButton = () =>
  h("button", { type: "button", class: "btn quiet", "data-key": "leave", onclick: leave }, t("seat.leave"));

/** The link to the page where the table goes on together: map, or free battles; winter has its own. */
const mapLink = (game) => {
  if (game.phase === "free")
    return h("a", { class: "btn main big", href: "/", "data-key": "to-battle" }, t("battle_page"));
  return game.waiting_for.includes("table") && game.season !== "winter" && game.phase !== "over"
    ? h("a", { class: "btn main big", href: "/map", "data-key": "to-map" }, t("map_page"))
    : null;
};

function ownStanding(mine) {
  const facts = [
    ["points", mine.points],
    ["chests", mine.chests],
    ["rice", mine.rice],
    ["provinces", mine.provinces.length],
    ["supply", mine.supply],
  ].filter(([, number]) => number !== null);
  return h(
    "section",
    { class: "card mine", "aria-label": t("seat.yours") },
    h(
      "h2",
      { class: "row" },
      sealIcon(mine.seat),
      colour(mine.seat),
      mine.ready && seat.game.phase === "planning" ? h("small", { class: "tag" }, t("seat.ready")) : null,
      mine.special ? h("small", { class: "tag" }, t(`special.${mine.special}`)) : null,
    ),
    h(
      "dl",
      {},
      facts.map(([key, number]) => h("div", {}, h("dt", {}, t(`stand.${key}`)), h("dd", {}, String(number)))),
    ),
  );
}

async function leave() {
  const answer = await link.freeSeat(seat.seat);
  if (answer.ok) link.leaveSeat();
  else refusal = link.refusalReason(answer);
  refresh();
}

let isFirstView = true;

/**
 * Refresh on a view of the table, except on the stream's first one if this page already has its own view of
 * that revision.
 */
function acceptTableView(view) {
  const same = isFirstView && isEverythingAnswered() && seat?.start === view.start && seat.rev === view.rev;
  isFirstView = false;
  return same ? null : refresh();
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("seat_page")}`;
  drawTop("seat", start);
  await refresh();
}

for (const moved of ["scroll", "resize"]) addEventListener(moved, updateBars, { passive: true });
await startWithRetries(start, "seat");
listen(acceptTableView, (up, again) => {
  if (again) refusal = messageAfterSilence(refusal);
  setConnected(up, "seat", start);
});
