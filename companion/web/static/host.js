// The host's page: requests for seats, who sits where, devices, tables, and how much of the tower is shown.
import { afterSilence, author, listen, post, said, send } from "./api.js";
import { h, put } from "./dom.js";
import { cardsOf } from "./hostcards.js";
import { newGame } from "./hostgame.js";
import { colour, loadMessages, t } from "./i18n.js";
import { refused } from "./insisting.js";
import { isOlder } from "./newer.js";
import { towerCard } from "./towercard.js";
import { drawTop, setConnected, untilThere } from "./top.js";
import { button } from "./widgets.js";
import { byWhom } from "./words.js";

const EVERY_MS = 4000; // devices come and go without a change of the table
const place = (id) => document.getElementById(id);
let seen = "";
let newest = null;
let spoken = null; // the view that the tower card shows
let told = null;
let turn = Promise.resolve();

/**
 * Run the work in sequence, so that a tap before the last answer acts on the table as it is after that
 * answer.
 */
const inTurn = (work) => (turn = turn.then(work, work));

const notice = () =>
  put(
    place("notice"),
    told?.bad
      ? refused(told.text, told.error, told.again)
      : told
        ? h("p", { class: "note" }, told.text)
        : null,
  );

/** Send a host's command; show the refusal or the result. */
async function order(path, body, done) {
  const answer = await send(`host/${path}`, body);
  told = answer.ok ? (done ? { text: done } : null) : { text: said(answer.body.error), bad: true };
  if (answer.ok && answer.body.tables) show(answer.body);
  notice();
  return answer.ok ? answer.body : null;
}

function show({ start, rev, ...host }) {
  if (isOlder({ start, rev }, newest)) return;
  newest = { start, rev };
  const text = JSON.stringify({
    ...host,
    devices: host.devices.map((one) => ({ ...one, silent_s: Math.floor(one.silent_s / 60) })),
  });
  if (text === seen) return;
  seen = text;
  put(place("asks"), host.asks.map(asking));
  put(place("host"), cardsOf(host, act));
  document.body.classList.add("still");
  if (!place("newgame").childElementCount) put(place("newgame"), newGame(host, act));
}

function asking(one) {
  const say = (agree) => () => order(`asks/${one.number}`, { agree });
  return h(
    "section",
    { class: "card", "aria-label": t("host.asks") },
    h("p", { class: "note" }, t("host.asks_for", { name: byWhom(one.name), colour: colour(one.seat) })),
    h("p", { class: "muted small" }, t("host.asks_note")),
    h(
      "div",
      { class: "ways" },
      button(`agree-${one.number}`, t("host.agree"), say(true), "main"),
      button(`refuse-${one.number}`, t("host.refuse"), say(false), "quiet"),
    ),
  );
}

const act = {
  order,
  again: load,
  say(text, bad = false) {
    told = { text, bad };
    notice();
    place("notice").scrollIntoView({ block: "nearest" });
  },
  show: (tower) =>
    inTurn(() => order("tower", { show: tower, expected: JSON.parse(seen).expected, author: author() })),
  house: (where, value) =>
    inTurn(async () => {
      const answer = await post("commands", {
        expected: JSON.parse(seen).expected,
        command: {
          kind: "correct",
          fact: "house",
          where,
          value: Number(value),
          reason: t("host.house_reason"),
        },
      });
      told = answer.ok ? null : { text: said(answer.body.error), bad: true };
      notice();
      await load();
    }),
};

/** Draw the tower card for a view of the table. */
function tower(table) {
  if (!table || isOlder(table, spoken)) return;
  spoken = table;
  if (!place("hostkey") && table.game)
    put(
      place("tower"),
      towerCard(table, (answer, again) => {
        told = answer.ok
          ? null
          : { text: said(answer.body.error), bad: true, error: answer.body.error, again };
        notice();
        tower(answer.ok ? answer.body : answer.body.table);
      }),
    );
}

async function load(table) {
  if (table) tower(table);
  if (document.hidden) return;
  const { ok, status, body } = await send("host");
  if (ok) return show(body);
  if (status === 403) stranger();
}

/** On a device that is not the host's: how to become the host. */
function stranger() {
  seen = "";
  const key = h("input", {
    type: "text",
    id: "hostkey",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 200,
  });
  const go = () => enter(key.value.trim().split("#").pop());
  if (place("hostkey")) return;
  put(place("asks"), []);
  put(place("newgame"), []);
  put(place("tower"), []);
  put(
    place("host"),
    h(
      "section",
      { class: "card narrow" },
      h("p", {}, t("error.not_host")),
      h("label", { for: "hostkey" }, t("host.key")),
      key,
      button("host-enter", t("host.enter"), go, "main big"),
    ),
  );
}

async function enter(key) {
  const answer = await send("host/enter", { key });
  told = answer.ok ? null : { text: said(answer.body.error), bad: true };
  notice();
  if (answer.ok) put(place("host"), []);
  await load();
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("host.title")}`;
  drawTop("host", start);
  seen = "";
  put(place("newgame"), []);
  const table = await send("table");
  await load();
  if (table.ok) tower(table.body); // together with the form, so that nothing moves away under a finger
}

const key = location.hash.slice(1);
history.replaceState(null, "", location.pathname); // do not leave the secret in the URL
await untilThere(start, "host");
if (key) await enter(key);
listen(load, (up, again) => {
  if (again && told && told.text !== afterSilence(told.text)) {
    told.text = afterSilence(told.text);
    notice();
  }
  setConnected(up, "host", start);
});
setInterval(() => load(), EVERY_MS);
