// The winter page: rice, revolts and points, from the log; past winters can be replayed.
import { fetchBody, listen, post, refusalText, send } from "./api.js";
import { h, put } from "./dom.js";
import { loadMessages, t } from "./i18n.js";
import { loadJapan } from "./map.js";
import { isOfMoment, isOlder, momentKey } from "./newer.js";
import { nowSentence } from "./now.js";
import { orderButtons } from "./orders.js";
import { sealAndName } from "./seal.js";
import { needsForm, orderForm } from "./telling.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { button } from "./widgets.js";
import { provisionsCard, revoltsCard } from "./winterhunger.js";
import { Scoring } from "./winterscore.js";

const byId = (id) => document.getElementById(id);
const NO_REVOLTS = { to_draw: {}, drawn_by: {}, revolts: {}, extra_farmers: {} };
const urlParams = new URLSearchParams(location.hash.slice(1));
let newest = null; // the newest view
let loadedMoment = null; // the moment up to which the winters are loaded
let view = null;
let winters = [];
let at = null; // index of the winter shown
let japan = null;
let scoring = null;
let shownKey = "";

async function show(table, offered = null) {
  if (isOlder(table, newest) || !table.game) return;
  newest = table;
  const momentChanged = momentKey(table) !== loadedMoment;
  if (view?.table !== table.table) at = null;
  view = table;
  if (momentChanged) {
    loadedMoment = momentKey(table);
    const previous = winters;
    const { ok, body } = await send("chapters");
    if (!ok) {
      loadedMoment = null; // retry with the next view
      return;
    }
    winters = body.winters ?? [];
    chooseWinter(previous);
  }
  draw();
  drawOrders(offered);
}

/** Show the newest winter, unless the URL names another; its points are played when they arrive. */
function chooseWinter(before) {
  const last = winters.length - 1;
  const grown = winters.length > before.length;
  if (at === null)
    at = urlParams.has("year")
      ? Math.max(
          0,
          winters.findIndex((winter) => winter.year === Number(urlParams.get("year"))),
        )
      : last;
  else if (grown) at = last;
  at = Math.min(at, last);
  const shown = winters[at];
  const justScored = before.length === winters.length && shown?.scoring && !before[at]?.scoring;
  if (justScored) {
    showScoring(shown, 0);
    scoring.begin();
  }
}

function showScoring(winter, step) {
  const key = `${view.table}-${winter.year}-${winter.scoring?.batch}`;
  if (!winter.scoring) {
    scoring.stop();
    put(byId("scoring"));
  } else if (key !== shownKey || step !== null) {
    scoring.show(winter.scoring, view.game, japan, step);
  }
  shownKey = key;
}

function draw() {
  const sentence = nowSentence(view.game, view.phase);
  if (byId("now").textContent !== sentence) put(byId("now"), sentence);
  const winter = winters[at];
  put(byId("years"), yearButtons());
  if (!winter) {
    put(byId("winter"), h("p", { class: "card" }, t("winter.none")));
    showScoring({ scoring: null }, null);
    put(byId("after"));
    document.body.classList.add("still");
    return;
  }
  const isRunning = !winter.over && at === winters.length - 1;
  const live = isRunning && view.game.winter ? view.game.winter : NO_REVOLTS;
  put(byId("winter"), provisionsCard(winter), revoltsCard(winter, live, view.game, japan));
  const step =
    urlParams.has("step") && Number(urlParams.get("year")) === winter.year
      ? Number(urlParams.get("step"))
      : null;
  urlParams.delete("step");
  showScoring(winter, step);
  put(byId("after"), endCard(winter));
  document.body.classList.add("still");
}

function yearButtons() {
  if (winters.length < 2) return null;
  return winters.map((winter, index) =>
    h(
      "button",
      {
        type: "button",
        class: "btn",
        "data-key": `winter-${winter.year}`,
        "aria-pressed": String(index === at),
        onclick: () => {
          at = index;
          writeUrl(null);
          draw();
        },
      },
      t("winter.year", { year: winter.year }),
    ),
  );
}

function endCard(winter) {
  if (!winter.over) return null;
  const won = winter.winners.length
    ? h("p", { class: "row" }, winter.winners.map(sealAndName), t("round.winner"))
    : null;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("winter.over")),
    won,
    h(
      "div",
      { class: "row" },
      h(
        "a",
        { class: "btn main", href: winter.winners.length ? "/end" : "/map" },
        t(winter.winners.length ? "end_page" : "winter.to_map"),
      ),
      button("play-again", t("winter.replay"), () => {
        scoring.begin();
        byId("scoring").scrollIntoView({ block: "start" });
      }),
    ),
  );
}

const writeUrl = (step) =>
  history.replaceState(
    null,
    "",
    winters[at] ? `#year=${winters[at].year}${step === null ? "" : `&step=${step}`}` : location.pathname,
  );

/**
 * What the table does together in winter; revolts are handled from the owner's seat, their throws on the
 * battle page.
 */
async function drawOrders(prefetched) {
  const offered = prefetched ?? (await send("legal")).body;
  if (!isOfMoment(offered, newest)) return null; // a refusal, or of another moment, whose own view asks again
  const { expected, legal } = offered;
  if (view.game.season !== "winter")
    return [byId("orders"), byId("telling")].forEach((element) => put(element));
  const names = Object.fromEntries(view.game.provinces.map((province) => [province.id, province]));
  const sendCommand = async (command) => {
    const answer = await post("commands", { expected, command });
    put(byId("notice"), answer.ok ? null : h("p", { class: "note bad" }, refusalText(answer.body.error)));
    const table = answer.ok ? answer.body : answer.body.table;
    if (table?.rev) await show(table);
  };
  const tableOrders = legal.filter((order) => order.kind !== "declare" && order.kind !== "call_off");
  const formOrders = tableOrders.filter((order) => needsForm(order, view.game));
  put(
    byId("telling"),
    formOrders.map((order) => orderForm(order, view, names, sendCommand)),
  );
  put(
    byId("orders"),
    view.game.throw
      ? h("a", { class: "btn main big", href: "/", "data-key": "to-battle" }, t("seat.to_throw"))
      : null,
    orderButtons(
      tableOrders.filter((order) => !formOrders.includes(order)),
      names,
      sendCommand,
    ),
  );
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("winter_page")}`;
  drawTop("winter", start);
  let table, offered;
  // drawn together, so that nothing moves
  [japan, table, offered] = await Promise.all([loadJapan(), fetchBody("table"), fetchBody("legal")]);
  scoring ??= new Scoring(byId("scoring"), (step) => writeUrl(step));
  newest = null;
  loadedMoment = null;
  shownKey = "";
  await show(table, isOfMoment(offered, table) ? offered : null);
}

await startWithRetries(start, "winter");
listen(show, (up) => setConnected(up, "winter", start));
