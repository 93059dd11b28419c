// The seat page: what its phone may know and do. Everything shown comes from the server's view for this seat.
import { afterSilence, isWhole, listen, said } from "./api.js";
import { h, put } from "./dom.js";
import { colour, language, loadMessages, t } from "./i18n.js";
import { refused } from "./insisting.js";
import { forgets } from "./kept.js";
import { isOlder } from "./newer.js";
import { nowSentence, yourSentence } from "./now.js";
import { orders, toChapter, toThrow } from "./orders.js";
import { seal } from "./seal.js";
import { draws } from "./seatdraws.js";
import * as link from "./seatlink.js";
import { held, inSight, laid, plan } from "./seatplan.js";
import { taking } from "./telling.js";
import { drawTop, setConnected, untilThere } from "./top.js";
import { toTurn, turnInSight } from "./turn.js";
import { ask } from "./widgets.js";
import { byRule, namesOf, purpose } from "./words.js";

const place = (id) => document.getElementById(id);
let seat = null;
let chosen = null;
// a sentence; or, if overrulable, {words, error, order, at}, with `at` the view it refers to
let refusal = null;
let refusedAt = null; // `expected` of the view with which it was shown
let drawn = ""; // what is drawn, as JSON
let vacant = []; // seats that are waited for and held by no device

const APART = ["place", "draw_revolts"]; // orders with a form of their own

let asks = 0; // counts the requests for the seats

async function refresh() {
  const at = link.held()?.key;
  if (!at) return choosing();
  const answer = await link.view();
  if (answer.status === 403) {
    await link.seats(); // the table may have changed, and this device may sit elsewhere there or nowhere
    if (link.held()?.key !== at) return refresh(); // or it left this seat meanwhile
    link.letGo();
    refusal = said(answer.body.error);
    return choosing();
  }
  // the table changed or the seat was left meanwhile, which refreshes by itself
  if (link.held()?.key !== at) return;
  if (answer.ok) seen(answer.body);
  draw();
  if (!seat) return;
  const [{ seat: name, expected }, there] = [seat, await waiting()];
  // of another moment, which refreshes by itself
  if (seat?.seat !== name || seat.expected !== expected) return;
  vacant = there;
  draw();
}

/**
 * Free seats that are to act, for a device shared by several players with real cards. None after a plan made
 * here: going on would reveal it.
 */
async function waiting() {
  if (!seat.game.players) return [];
  const { board, by_cards: byCards } = seat.game.players.find((one) => one.seat === seat.seat);
  const others = seat.game.waiting_for.filter((one) => one !== "table");
  if (others.includes(seat.seat) || !others.length || (!byCards && Object.keys(board).length)) return [];
  const { ok, body } = await link.seats();
  return ok ? others.filter((one) => !body.taken.includes(one)) : [];
}

/** Change from this seat to another in one tap. */
async function goOn(name) {
  const answer = await link.free(seat.seat);
  if (answer.ok) {
    link.letGo();
    vacant = [];
  }
  refusal = answer.ok ? await link.claim(name) : link.reason(answer);
  refresh();
}

/** Take over a view, unless a newer one has already arrived. */
function seen(view) {
  if (isOlder(view, seat)) return;
  seat = view;
  if (refusedAt !== null && refusedAt !== view.expected && view.game.phase !== "planning")
    refusal = refusedAt = null; // it was about something that is over
}

async function choosing() {
  seat = null;
  drawn = "";
  const turn = ++asks;
  const { ok, body } = await link.seats();
  if (!ok || turn !== asks) return; // an earlier request may tell of a table that had no seats yet
  if (link.held()) return refresh();
  const asked = link.ticket() ? body.asked : null;
  if (asked?.answer === "agreed") {
    refusal = await link.claim(asked.seat);
    if (link.held() || !link.ticket()) return refresh();
    if (turn !== asks) return; // no answer: tried again with the table's next view
  }
  if (body.joined) offer(body, asked);
  else invite();
}

/** The invitation to join the table before choosing a seat. */
function invite() {
  put(place("now"), t("join.title"));
  put(place("notice"), note());
  put(
    place("seat"),
    h(
      "div",
      { class: "card" },
      h("p", {}, t("error.not_joined")),
      h("a", { class: "btn main big", href: "/join", "data-key": "join" }, t("join.go")),
    ),
  );
}

/** Seats to take, to ask for and, for the host, to set free; `asked`: the seat asked for, with the answer. */
function offer({ seats, taken, host }, asked) {
  put(place("now"), t(seats.length ? "seat.choose" : "seat.none"));
  put(
    place("notice"),
    note(),
    forgets() ? h("p", { class: "note" }, t("forgets")) : null,
    asked ? h("p", { class: "note" }, t(`seat.asked.${asked.answer}`, { colour: colour(asked.seat) })) : null,
  );
  put(
    place("seat"),
    h(
      "div",
      { class: "card" },
      seats.map((name) => {
        const isTaken = taken.includes(name);
        const waits = asked?.answer === "waiting" && asked.seat === name;
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
              onclick: () => take(name),
            },
            seal(name),
            colour(name),
            isTaken ? ` · ${t("seat.taken")}` : null,
          ),
          isTaken && !waits
            ? h(
                "button",
                { type: "button", class: "btn quiet", "data-key": `ask-${name}`, onclick: () => wish(name) },
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
                  onclick: () => release(name),
                },
                t("host.set_free"),
              )
            : null,
        );
      }),
    ),
  );
}

async function take(name) {
  refusal = await link.claim(name);
  scrollTo({ top: 0 }); // so that the seat or the refusal is read from its beginning
  refresh();
}

async function wish(name) {
  refusal = await link.ask(name);
  refresh();
}

async function release(name) {
  if (!(await ask(t("host.set_free_sure", { colour: colour(name) })))) return;
  const answer = await link.free(name);
  refusal = answer.ok ? null : link.reason(answer);
  refresh();
}

/** The refusal. In planning it can always be insisted on; otherwise only while nothing else has happened. */
function note() {
  if (!refusal) return null;
  const { words = refusal, error, order, at } = refusal;
  const goesOn = seat && (at === seat.expected || seat.game.phase === "planning");
  return refused(words, error, goesOn ? (insist) => send({ ...order, insist }) : null);
}

async function send(order) {
  const before = chosen;
  const at = seat.expected;
  const answer = await link.command(at, order);
  refusal = answer.ok ? null : refusedOf(answer, order, at);
  refusedAt = null;
  if (answer.ok && chosen === before) chosen = null; // otherwise another card was chosen before the answer
  if (answer.ok) seen(answer.body);
  else await refresh();
  if (refusal && seat) refusedAt = seat.expected;
  draw();
}

function refusedOf(answer, order, at) {
  const words = link.reason(answer);
  const { error } = answer.body;
  return error?.overrulable ? { words, error, order, at } : words;
}

function draw() {
  // animate the cards once, not with each view
  document.body.classList.toggle("still", place("seat").childElementCount > 0);
  // a redraw would cover a card held open: it follows when the finger is lifted
  if (!seat || held(place("seat"))) return;
  const text = JSON.stringify([{ ...seat, rev: 0 }, chosen, refusal, vacant, language()]);
  if (text === drawn) return; // no redraw, so that an open list stays open
  drawn = text;
  const { game } = seat;
  place("seat").dataset.at = seat.expected;
  if (!game.players) return plain(game);
  const mine = game.players.find((one) => one.seat === seat.seat);
  const names = Object.fromEntries(game.provinces.map((one) => [one.id, one]));
  const sentence = yourSentence(game, seat.seat, seat.phase);
  if (place("now").textContent !== sentence) put(place("now"), sentence);
  put(place("notice"), note());
  const planning = game.phase === "planning" && !mine.by_cards;
  // with real cards the app does not know the pile
  const apart = game.draft?.pile === null ? [...APART, "take", "swap"] : APART;
  const legal = seat.legal.filter((one) => !apart.includes(one.kind));
  const taken = seat.legal.filter((one) => apart.includes(one.kind) && !APART.includes(one.kind));
  const drawing = seat.legal.filter((one) => one.kind === "draw_revolts");
  put(
    place("seat"),
    standing(mine),
    toThrow(game, seat.phase) ?? toMap(game),
    vacant
      .filter((name) => game.waiting_for.includes(name))
      .map((name) =>
        h(
          "button",
          { type: "button", class: "btn main big", "data-key": `go-on-${name}`, onclick: () => goOn(name) },
          seal(name),
          t("seat.go_on", { colour: colour(name) }),
        ),
      ),
    planning
      ? plan(seat, mine, names, chosen, {
          choose: (card) => ((chosen = card), draw()),
          place: (space, card) => send({ kind: "place", seat: seat.seat, space, card }),
          covered: draw,
        })
      : null,
    taken.length ? taking(taken, game, names, send) : null,
    drawing.map((one) => draws(game, one.player, names, send)),
    legal.length || planning
      ? h(
          "section",
          { class: "card", "aria-label": t("seat.do") },
          h("h2", {}, t("seat.do")),
          h(
            "div",
            { class: "orders" },
            game.turn?.barred ? barred(game.turn, names) : null,
            attacked(game),
            orders(withStay(withReady(legal, planning, mine)), names, send, {
              plain: plainWords(game),
              specials: game.cards.specials,
            }),
          ),
        )
      : null,
    toChapter(game, game.waiting_for.includes("table")),
    !planning && Object.keys(mine.board).length ? laid(mine, names, draw) : null,
    leaving(),
    toTurn(seat, mine, sentence),
  );
  docked();
}

/** Show the bars at the lower edge while their targets are out of sight. */
function docked() {
  inSight(place("seat"));
  turnInSight();
}

/**
 * A seat of a game whose hands and plans this page does not know: its owner, what happens now, and a link
 * there.
 */
function plain(game) {
  put(place("now"), nowSentence(game, seat.phase));
  put(place("notice"), note());
  put(
    place("seat"),
    h(
      "section",
      { class: "card mine", "aria-label": t("seat.yours") },
      h("h2", { class: "row" }, seal(seat.seat), colour(seat.seat)),
    ),
    h("a", { class: "btn main big", href: "/", "data-key": "to-battle" }, t("battle_page")),
    leaving(),
  );
}

const leaving = () =>
  h("button", { type: "button", class: "btn quiet", "data-key": "leave", onclick: leave }, t("seat.leave"));

/** The orders with "ready" always offered: before the plan is complete the server refuses with the rule. */
function withReady(legal, planning, mine) {
  // switching to real cards would discard the plan made here
  const begun = planning && Object.keys(mine.board).length > 0;
  legal = legal
    .filter((one) => !(begun && one.by_cards))
    .sort((one, other) => Number(one.by_cards ?? 0) - Number(other.by_cards ?? 0));
  const ready = { kind: "ready", seat: seat.seat, ready: true, by_cards: false, insist: "" };
  return planning && !mine.ready && !legal.some((one) => one.kind === "ready" && !one.by_cards)
    ? [ready, ...legal]
    : legal;
}

/** The link to the map page for what the table does together; winter has its own page. */
const toMap = (game) =>
  game.waiting_for.includes("table") && game.season !== "winter" && game.phase !== "over"
    ? h("a", { class: "btn main big", href: "/map", "data-key": "to-map" }, t("map_page"))
    : null;

const isBattle = (game) => ["battle_a", "battle_b"].includes(game.cards.action);

/**
 * The orders with "stay" always offered if armies could move: the server refuses with the rule, which the
 * table may overrule.
 */
function withStay(legal) {
  if (
    !isBattle(seat.game) ||
    !legal.some((one) => one.to) ||
    legal.some((one) => one.kind === "act" && !one.to)
  )
    return legal;
  return [...legal, { kind: "act", seat: seat.seat, to: null, armies: 0, bonus_attack: false, insist: "" }];
}

/** The words for an action without a target: skipped, armies that stay, or a deployment only. */
function plainWords(game) {
  if (game.turn?.barred) return "order.act_skip";
  if (game.turn && isBattle(game)) return "order.act_stay";
  return game.cards.action === "deploy_1_move" ? "order.act_deploy" : "order.act_plain";
}

const barred = ({ barred: { key, rule }, province }, names) =>
  h("p", { class: "note" }, byRule(t(`barred.${key}`, { province: names[province].name }), rule));

/** The battle, for the defender who is asked about the extra army: where, and against how many. */
function attacked(game) {
  const battle = game.throw;
  if (!battle?.ask_defence) return null;
  const side = (name, n) => t("count_of", { colour: colour(name), n: t("armies", { n }) });
  return h(
    "p",
    { class: "note" },
    `${purpose(battle, namesOf(game))}. `,
    side(battle.attacker, battle.moved + battle.extra_attack),
    " · ",
    side(battle.defender, battle.defenders),
  );
}

function standing(mine) {
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
      seal(mine.seat),
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
  const answer = await link.free(seat.seat);
  if (answer.ok) link.letGo();
  else refusal = link.reason(answer);
  refresh();
}

let opens = true;

/**
 * Refresh on a view of the table, except on the stream's first one if this page already has its own view of
 * that revision.
 */
function heard(view) {
  const same = opens && isWhole() && seat?.start === view.start && seat.rev === view.rev;
  opens = false;
  return same ? null : refresh();
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("seat_page")}`;
  drawTop("seat", start);
  await refresh();
}

for (const moved of ["scroll", "resize"]) addEventListener(moved, docked, { passive: true });
await untilThere(start, "seat");
listen(heard, (up, again) => {
  if (again) refusal = afterSilence(refusal);
  setConnected(up, "seat", start);
});
