// The winter page: rice, revolts and points, from the log; past winters can be replayed.
import { got, listen, post, said, send } from "./api.js";
import { h, put } from "./dom.js";
import { loadMessages, t } from "./i18n.js";
import { loadJapan } from "./map.js";
import { isOf, isOlder, momentOf } from "./newer.js";
import { nowSentence } from "./now.js";
import { orders } from "./orders.js";
import { who } from "./seal.js";
import { isTold, telling } from "./telling.js";
import { drawTop, setConnected, untilThere } from "./top.js";
import { button } from "./widgets.js";
import { provisions, revolts } from "./winterhunger.js";
import { Scoring } from "./winterscore.js";

const place = (id) => document.getElementById(id);
const NOBODY = { to_draw: {}, drawn_by: {}, revolts: {}, extra_farmers: {} };
const asked = new URLSearchParams(location.hash.slice(1));
let newest = null; // the newest view
let known = null; // the moment up to which the winters are loaded
let view = null;
let winters = [];
let at = null; // index of the winter shown
let japan = null;
let scoring = null;
let shownKey = "";

async function show(table, offered = null) {
  if (isOlder(table, newest) || !table.game) return;
  newest = table;
  const fresh = momentOf(table) !== known;
  if (view?.table !== table.table) at = null;
  view = table;
  if (fresh) {
    known = momentOf(table);
    const before = winters;
    const { ok, body } = await send("chapters");
    if (!ok) {
      known = null; // retry with the next view
      return;
    }
    winters = body.winters ?? [];
    arrive(before);
  }
  draw();
  offer(offered);
}

/** Show the newest winter, unless the URL names another; its points are played when they arrive. */
function arrive(before) {
  const last = winters.length - 1;
  const grown = winters.length > before.length;
  if (at === null)
    at = asked.has("year")
      ? Math.max(
          0,
          winters.findIndex((one) => one.year === Number(asked.get("year"))),
        )
      : last;
  else if (grown) at = last;
  at = Math.min(at, last);
  const now = winters[at];
  const counted = before.length === winters.length && now?.scoring && !before[at]?.scoring;
  if (counted) {
    present(now, 0);
    scoring.begin();
  }
}

function present(winter, step) {
  const key = `${view.table}-${winter.year}-${winter.scoring?.batch}`;
  if (!winter.scoring) {
    scoring.stop();
    put(place("scoring"));
  } else if (key !== shownKey || step !== null) {
    scoring.show(winter.scoring, view.game, japan, step);
  }
  shownKey = key;
}

function draw() {
  const sentence = nowSentence(view.game, view.phase);
  if (place("now").textContent !== sentence) put(place("now"), sentence);
  const winter = winters[at];
  put(place("years"), years());
  if (!winter) {
    put(place("winter"), h("p", { class: "card" }, t("winter.none")));
    present({ scoring: null }, null);
    put(place("after"));
    document.body.classList.add("still");
    return;
  }
  const going = !winter.over && at === winters.length - 1;
  const live = going && view.game.winter ? view.game.winter : NOBODY;
  put(place("winter"), provisions(winter), revolts(winter, live, view.game, japan));
  const step =
    asked.has("step") && Number(asked.get("year")) === winter.year ? Number(asked.get("step")) : null;
  asked.delete("step");
  present(winter, step);
  put(place("after"), after(winter));
  document.body.classList.add("still");
}

function years() {
  if (winters.length < 2) return null;
  return winters.map((one, index) =>
    h(
      "button",
      {
        type: "button",
        class: "btn",
        "data-key": `winter-${one.year}`,
        "aria-pressed": String(index === at),
        onclick: () => {
          at = index;
          remember(null);
          draw();
        },
      },
      t("winter.year", { year: one.year }),
    ),
  );
}

function after(winter) {
  if (!winter.over) return null;
  const won = winter.winners.length
    ? h("p", { class: "row" }, winter.winners.map(who), t("round.winner"))
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
        place("scoring").scrollIntoView({ block: "start" });
      }),
    ),
  );
}

const remember = (step) =>
  history.replaceState(
    null,
    "",
    winters[at] ? `#year=${winters[at].year}${step === null ? "" : `&step=${step}`}` : location.pathname,
  );

/**
 * What the table does together in winter; revolts are handled from the owner's seat, their throws on the
 * battle page.
 */
async function offer(prefetched) {
  const offered = prefetched ?? (await send("legal")).body;
  if (!isOf(offered, newest)) return null; // a refusal, or of another moment, whose own view asks again
  const { expected, legal } = offered;
  if (view.game.season !== "winter") return [place("orders"), place("telling")].forEach((one) => put(one));
  const names = Object.fromEntries(view.game.provinces.map((one) => [one.id, one]));
  const give = async (command) => {
    const answer = await post("commands", { expected, command });
    put(place("notice"), answer.ok ? null : h("p", { class: "note bad" }, said(answer.body.error)));
    const table = answer.ok ? answer.body : answer.body.table;
    if (table?.rev) await show(table);
  };
  const mine = legal.filter((one) => one.kind !== "declare" && one.kind !== "call_off");
  const asks = mine.filter((one) => isTold(one, view.game));
  put(
    place("telling"),
    asks.map((one) => telling(one, view, names, give)),
  );
  put(
    place("orders"),
    view.game.throw
      ? h("a", { class: "btn main big", href: "/", "data-key": "to-battle" }, t("seat.to_throw"))
      : null,
    orders(
      mine.filter((one) => !asks.includes(one)),
      names,
      give,
    ),
  );
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("winter_page")}`;
  drawTop("winter", start);
  let table, offered;
  // drawn together, so that nothing moves
  [japan, table, offered] = await Promise.all([loadJapan(), got("table"), got("legal")]);
  scoring ??= new Scoring(place("scoring"), (step) => remember(step));
  newest = null;
  known = null;
  shownKey = "";
  await show(table, isOf(offered, table) ? offered : null);
}

await untilThere(start, "winter");
listen(show, (up) => setConnected(up, "winter", start));
