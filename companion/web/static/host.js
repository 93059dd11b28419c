// The host's page: requests for seats, who sits where, devices, tables, and how much of the tower is shown.
import { author, listen, messageAfterSilence, post, refusalText, send } from "./api.js";
import { h, put } from "./dom.js";
import { hostCards } from "./hostcards.js";
import { firstNewGame, newGameCard } from "./hostgame.js";
import { colour, language, loadMessages, t } from "./i18n.js";
import { refusalNote } from "./insisting.js";
import { isOlder } from "./newer.js";
import { towerCard } from "./towercard.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { button } from "./widgets.js";
import { authorName } from "./words.js";

const EVERY_MS = 4000; // devices come and go without a change of the table
const byId = (id) => document.getElementById(id);
let shownText = "";
let newest = null;
let towerView = null; // the view that the tower card shows
let newGame = null; // what was entered for a new game
let message = null;
let isStale = false; // a choice was refused or got no answer, so the page shows what is not in force
let queue = Promise.resolve();

/**
 * Run the work in sequence, so that a tap before the last answer acts on the table as it is after that
 * answer.
 */
const inTurn = (work) => (queue = queue.then(work, work));

const notice = () =>
  put(
    byId("notice"),
    message?.bad
      ? refusalNote(message.text, message.error, message.again)
      : message
        ? h("p", { class: "note" }, message.text)
        : null,
  );

/** Send a host's command; show the refusal or the result. */
async function sendOrder(path, body, done) {
  const answer = await send(`host/${path}`, body);
  message = answer.ok ? (done ? { text: done } : null) : { text: refusalText(answer.body.error), bad: true };
  if (answer.ok && answer.body.tables) show(answer.body);
  else if (!answer.ok) showAsItIs();
  notice();
  return answer.ok ? answer.body : null;
}

/** Take back a choice that did not reach the table, as soon as the server is heard. */
function showAsItIs() {
  isStale = true;
  load();
}

function show({ start, rev, ...host }) {
  if (isOlder({ start, rev }, newest)) return;
  newest = { start, rev };
  const text = JSON.stringify({
    ...host,
    devices: host.devices.map((device) => ({ ...device, silent_s: Math.floor(device.silent_s / 60) })),
  });
  if (text === shownText && !isStale) return;
  [shownText, isStale] = [text, false];
  put(byId("asks"), host.asks.map(seatRequest));
  put(byId("host"), hostCards(host, act));
  document.body.classList.add("still");
  newGame ??= firstNewGame(host);
  if (!byId("newgame").childElementCount) put(byId("newgame"), newGameCard(newGame, act));
}

function seatRequest(request) {
  const answerWith = (agree) => () => sendOrder(`asks/${request.number}`, { agree });
  return h(
    "section",
    { class: "card", "aria-label": t("host.asks") },
    h(
      "p",
      { class: "note" },
      t("host.asks_for", { name: authorName(request.name), colour: colour(request.seat) }),
    ),
    h("p", { class: "muted small" }, t("host.asks_note")),
    h(
      "div",
      { class: "ways" },
      button(`agree-${request.number}`, t("host.agree"), answerWith(true), "main"),
      button(`refuse-${request.number}`, t("host.refuse"), answerWith(false), "quiet"),
    ),
  );
}

const act = {
  sendOrder,
  reload: load,
  say(text, bad = false) {
    message = { text, bad };
    notice();
    byId("notice").scrollIntoView({ block: "nearest" });
  },
  showTower: (tower) =>
    inTurn(() =>
      sendOrder("tower", { show: tower, expected: JSON.parse(shownText).expected, author: author() }),
    ),
  setHouseRule: (where, value) =>
    inTurn(async () => {
      const answer = await post("commands", {
        expected: JSON.parse(shownText).expected,
        command: {
          kind: "correct",
          fact: "house",
          where,
          value: Number(value),
          reason: t("host.house_reason"),
        },
      });
      message = answer.ok ? null : { text: refusalText(answer.body.error), bad: true };
      isStale ||= !answer.ok;
      notice();
      await load();
    }),
};

/** Draw the tower card for a view of the table. */
function drawTower(table) {
  if (!table || isOlder(table, towerView)) return;
  towerView = table;
  if (!byId("hostkey") && table.game)
    put(
      byId("tower"),
      towerCard(table, (answer, again) => {
        message = answer.ok
          ? null
          : { text: refusalText(answer.body.error), bad: true, error: answer.body.error, again };
        notice();
        drawTower(answer.ok ? answer.body : answer.body.table);
      }),
    );
}

async function load(table) {
  if (table) drawTower(table);
  if (document.hidden) return;
  const { ok, status, body } = await send("host");
  if (ok) return show(body);
  if (status === 403) drawHostLogin();
}

/** On a device that is not the host's: how to become the host. */
function drawHostLogin() {
  shownText = "";
  const drawn = byId("hostkey");
  if (drawn?.closest("section").lang === language()) return;
  const key = h("input", {
    type: "text",
    value: drawn?.value,
    id: "hostkey",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 200,
  });
  const go = () => enter(key.value.trim().split("#").pop());
  put(byId("asks"), []);
  put(byId("newgame"), []);
  put(byId("tower"), []);
  put(
    byId("host"),
    h(
      "section",
      { class: "card narrow", lang: language() },
      h("p", {}, t("error.not_host")),
      h("label", { for: "hostkey" }, t("host.key")),
      key,
      button("host-enter", t("host.enter"), go, "main big"),
    ),
  );
}

async function enter(key) {
  const answer = await send("host/enter", { key });
  message = answer.ok ? null : { text: refusalText(answer.body.error), bad: true };
  notice();
  if (answer.ok) put(byId("host"), []);
  await load();
  if (answer.ok && towerView) drawTower(towerView);
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("host.title")}`;
  drawTop("host", start);
  shownText = "";
  put(byId("newgame"), []);
  const table = await send("table");
  await load();
  if (table.ok) drawTower(table.body); // together with the form, so that nothing moves away under a finger
}

const key = location.hash.slice(1);
history.replaceState(null, "", location.pathname); // do not leave the secret in the URL
await startWithRetries(start, "host");
if (key) await enter(key);
listen(load, (up, again) => {
  if (again && message && message.text !== messageAfterSilence(message.text)) {
    message.text = messageAfterSilence(message.text);
    notice();
  }
  setConnected(up, "host", start);
});
setInterval(() => load(), EVERY_MS);
