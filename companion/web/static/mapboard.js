// The map page: Japan, the round as a strip, and one sentence about what happens now.
import { got, listen, post, said, send } from "./api.js";
import { h, put } from "./dom.js";
import { lead, language, loadMessages, t } from "./i18n.js";
import { JapanMap, loadJapan, told } from "./map.js";
import { isOf, isOlder } from "./newer.js";
import { nowSentence } from "./now.js";
import { orders, toChapter, toThrow } from "./orders.js";
import { Past } from "./past.js";
import { standing, strip } from "./round.js";
import { isTold, telling } from "./telling.js";
import { drawTop, setConnected, untilThere } from "./top.js";

const place = (id) => document.getElementById(id);
let map = null;
let game = null;
let phase = null; // phase of the table's throw
let newest = null; // the newest view
let selected = null;
let then = null; // a moment of the past shown instead of the present
let past = null;
let offers = ""; // the offered orders, as drawn

function detail(view) {
  const one = view.provinces?.find((other) => other.id === selected);
  if (!one) return h("p", { class: "muted" }, t("map.tap"));
  const { region = map.japan.provinces[one.id].sun, buildings = [], ...rest } = one;
  return [
    h("h2", {}, one.name),
    h("p", {}, told({ ...rest, region, buildings, target: view.draft?.open?.includes(one.id) })),
    one.taxes ? h("p", {}, t("map.worth", { taxes: one.taxes, rice: one.rice, slots: one.slots })) : null,
    one.near
      ? h(
          "p",
          { class: "muted" },
          `${t("map.near")} ${one.near.map((id) => map.japan.provinces[id].name).join(", ")}`,
        )
      : null,
    h(
      "button",
      {
        type: "button",
        class: "btn quiet",
        "data-key": "detail-close",
        "aria-label": t("close"),
        onclick: () => {
          map.cells[selected].cell.focus({ preventScroll: true }); // the button disappears
          choose(selected);
        },
      },
      "×",
    ),
  ];
}

/** Select a province, or deselect it on a second tap. */
function choose(id) {
  selected = selected === id ? null : id;
  draw();
  if (selected)
    uncover(
      map.cells[id].cell.getBoundingClientRect(),
      place("map").querySelector(".map-frame").getBoundingClientRect().bottom,
    );
}

/** Scroll so that the detail bar does not cover the province. */
function uncover(cell, end) {
  const bar = place("detail").getBoundingClientRect();
  const over = Math.min(cell.bottom, end) - bar.top;
  if (over > 0 && cell.left < bar.right) scrollBy({ top: Math.min(over, cell.top) });
}

function draw() {
  if (!game) return;
  document.body.classList.toggle("still", place("round").childElementCount > 0);
  const shown = then ?? game;
  const sentence = then ? `${lead(t("past.was"))}${nowSentence(then)}` : nowSentence(game, phase);
  if (place("now").textContent !== sentence) put(place("now"), sentence);
  const provinces = shown.provinces ?? [];
  // hidden at a table without rules
  for (const id of ["map", "past", "detail"]) place(id).hidden = !game.provinces;
  const near = provinces.find((one) => one.id === selected)?.near ?? [];
  // the cards open in the draft (C-6)
  map.show({ provinces, selected, near, targets: shown.draft?.open ?? [] });
  put(place("round"), strip(shown));
  put(place("detail"), detail(shown));
  put(place("standing"), standing(shown));
}

function show(view, offered = null) {
  if (isOlder(view, newest)) return;
  if (newest && newest.table !== view.table) past.now(); // the moment shown belongs to another table
  newest = view;
  ({ game, phase } = view);
  draw();
  offer(offered);
  past.newer();
}

/** Buttons for what the table does together; throws happen on the battle page. */
async function offer(prefetched) {
  const offered = prefetched ?? (await send("legal")).body;
  if (!isOf(offered, newest)) return; // a refusal, or of another moment, whose own view asks again
  if (!game.phase) return elsewhere();
  const { expected, legal } = offered;
  const names = Object.fromEntries((game.provinces ?? []).map((one) => [one.id, one]));
  const give = async (command) => {
    const answer = await post("commands", { expected, command });
    put(place("notice"), answer.ok ? null : h("p", { class: "note bad" }, said(answer.body.error)));
    const view = answer.ok ? answer.body : answer.body.table;
    if (view?.rev) show(view);
  };
  const shown = legal.filter((one) => one.kind !== "declare" && one.kind !== "call_off");
  const text = JSON.stringify([newest.table, expected, phase, shown, language()]);
  if (text === offers) return; // no redraw, so that an open list stays open
  offers = text;
  place("orders").dataset.at = expected;
  const asks = shown.filter((one) => isTold(one, game));
  put(
    place("orders"),
    toThrow(game, phase),
    toChapter(game),
    orders(
      shown.filter((one) => !asks.includes(one)),
      names,
      give,
    ),
  );
  put(
    place("telling"),
    asks.map((one) => telling(one, newest, names, give)),
  );
}

/** At a table without rules: link to the battle page, where it is counted. */
function elsewhere() {
  offers = "";
  put(place("telling"));
  put(
    place("orders"),
    h("a", { class: "btn main big", href: "/", "data-key": "to-counter" }, t("battle_page")),
  );
}

/** The slider sticks to the edge of the window: scroll the map, which it changes, into view. */
place("past").addEventListener("toggle", ({ target }) => {
  if (target.open && matchMedia("(min-height: 20em)").matches && place("map").getBoundingClientRect().top < 0)
    place("map").scrollIntoView();
});

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("map_page")}`;
  drawTop("map", start);
  // drawn together, so that nothing moves
  const [japan, view, offered] = await Promise.all([loadJapan(), got("table"), got("legal")]);
  map = new JapanMap(place("map"), japan, choose);
  past = new Past(place("past"), (view) => {
    then = view;
    draw();
  });
  newest = null;
  const moment = new URLSearchParams(location.hash.slice(1)).get("moment");
  if (moment) past.openAt(Number(moment));
  show(view, isOf(offered, view) ? offered : null);
}

await untilThere(start, "map");
listen(show, (up) => setConnected(up, "map", start));
