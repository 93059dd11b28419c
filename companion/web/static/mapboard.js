// The map page: Japan, the round as a strip, and one sentence about what happens now.
import { fetchBody, listen, post, refusalText, send } from "./api.js";
import { h, put } from "./dom.js";
import { language, loadMessages, t, withColon } from "./i18n.js";
import { JapanMap, loadJapan, provinceDescription } from "./map.js";
import { isOfMoment, isOlder } from "./newer.js";
import { nowSentence } from "./now.js";
import { chapterLink, orderButtons, throwLink } from "./orders.js";
import { Past } from "./past.js";
import { roundStrip, standingTable } from "./round.js";
import { needsForm, orderForm } from "./telling.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";

const byId = (id) => document.getElementById(id);
let map = null;
let game = null;
let phase = null; // phase of the table's throw
let newest = null; // the newest view
let selected = null;
let pastMoment = null; // a moment of the past shown instead of the present
let pastBar = null;
let drawnOffers = ""; // the offered orders, as drawn

function provinceDetail(view) {
  const province = view.provinces?.find((candidate) => candidate.id === selected);
  if (!province) return h("p", { class: "muted" }, t("map.tap"));
  const { region = map.japan.provinces[province.id].sun, buildings = [], ...rest } = province;
  return [
    h("h2", {}, province.name),
    h(
      "p",
      {},
      provinceDescription({ ...rest, region, buildings, target: view.draft?.open?.includes(province.id) }),
    ),
    province.taxes
      ? h("p", {}, t("map.worth", { taxes: province.taxes, rice: province.rice, slots: province.slots }))
      : null,
    province.near
      ? h(
          "p",
          { class: "muted" },
          `${t("map.near")} ${province.near.map((id) => map.japan.provinces[id].name).join(", ")}`,
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
          toggleSelection(selected);
        },
      },
      "×",
    ),
  ];
}

/** Draw the details if they differ from those shown: a live region should speak only on changes. */
function drawDetail(view) {
  const newer = [...h("div", {}, provinceDetail(view)).childNodes];
  const shown = byId("detail").childNodes;
  if (newer.length !== shown.length || newer.some((node, n) => !node.isEqualNode(shown[n])))
    put(byId("detail"), newer);
}

/** Select a province, or deselect it on a second tap. */
function toggleSelection(id) {
  selected = selected === id ? null : id;
  draw();
  if (selected)
    keepUncovered(
      map.cells[id].cell.getBoundingClientRect(),
      byId("map").querySelector(".map-frame").getBoundingClientRect().bottom,
    );
}

/** Scroll so that the detail bar does not cover the province. */
function keepUncovered(cell, end) {
  const bar = byId("detail").getBoundingClientRect();
  const over = Math.min(cell.bottom, end) - bar.top;
  if (over > 0 && cell.left < bar.right) scrollBy({ top: Math.min(over, cell.top) });
}

function draw() {
  if (!game) return;
  document.body.classList.toggle("still", byId("round").childElementCount > 0);
  const shown = pastMoment ?? game;
  const sentence = pastMoment
    ? `${withColon(t("past.was"))}${nowSentence(pastMoment)}`
    : nowSentence(game, phase);
  if (byId("now").textContent !== sentence) put(byId("now"), sentence);
  const provinces = shown.provinces ?? [];
  // hidden at a table without rules
  for (const id of ["map", "past", "detail"]) byId(id).hidden = !game.provinces;
  const near = provinces.find((province) => province.id === selected)?.near ?? [];
  // the cards open in the draft (C-6)
  map.show({ provinces, selected, near, targets: shown.draft?.open ?? [] });
  put(byId("round"), roundStrip(shown));
  drawDetail(shown);
  put(byId("standing"), standingTable(shown));
}

function show(view, offered = null) {
  if (isOlder(view, newest)) return;
  // the moment shown belongs to another table
  if (newest && newest.table !== view.table) pastBar.showPresent();
  newest = view;
  ({ game, phase } = view);
  draw();
  drawOrders(offered);
  pastBar.reloadIfOpen();
}

/** Buttons for what the table does together; throws happen on the battle page. */
async function drawOrders(prefetched) {
  const offered = prefetched ?? (await send("legal")).body;
  if (!isOfMoment(offered, newest)) return; // a refusal, or of another moment, whose own view asks again
  if (!game.phase) return linkToBattle();
  const { expected, legal } = offered;
  const names = Object.fromEntries((game.provinces ?? []).map((province) => [province.id, province]));
  const sendCommand = async (command) => {
    const answer = await post("commands", { expected, command });
    put(byId("notice"), answer.ok ? null : h("p", { class: "note bad" }, refusalText(answer.body.error)));
    const view = answer.ok ? answer.body : answer.body.table;
    if (view?.rev) show(view);
  };
  const tableOrders = legal.filter((order) => order.kind !== "declare" && order.kind !== "call_off");
  const text = JSON.stringify([newest.table, expected, phase, tableOrders, language()]);
  if (text === drawnOffers) return; // no redraw, so that an open list stays open
  drawnOffers = text;
  byId("orders").dataset.at = expected;
  const formOrders = tableOrders.filter((order) => needsForm(order, game));
  put(
    byId("orders"),
    throwLink(game, phase),
    chapterLink(game),
    orderButtons(
      tableOrders.filter((order) => !formOrders.includes(order)),
      names,
      sendCommand,
    ),
  );
  put(
    byId("telling"),
    formOrders.map((order) => orderForm(order, newest, names, sendCommand)),
  );
}

/** At a table without rules: link to the battle page, where it is counted. */
function linkToBattle() {
  drawnOffers = "";
  put(byId("telling"));
  put(
    byId("orders"),
    h("a", { class: "btn main big", href: "/", "data-key": "to-counter" }, t("battle_page")),
  );
}

/** The slider sticks to the edge of the window: scroll the map, which it changes, into view. */
byId("past").addEventListener("toggle", ({ target }) => {
  if (target.open && matchMedia("(min-height: 20em)").matches && byId("map").getBoundingClientRect().top < 0)
    byId("map").scrollIntoView();
});

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("map_page")}`;
  drawTop("map", start);
  // drawn together, so that nothing moves
  const [japan, view, offered] = await Promise.all([loadJapan(), fetchBody("table"), fetchBody("legal")]);
  map = new JapanMap(byId("map"), japan, toggleSelection);
  pastMoment = null; // the new slider stands at the present
  pastBar = new Past(byId("past"), (view) => {
    pastMoment = view;
    draw();
  });
  newest = null;
  const moment = new URLSearchParams(location.hash.slice(1)).get("moment");
  if (moment) pastBar.openAt(Number(moment));
  show(view, isOfMoment(offered, view) ? offered : null);
}

await startWithRetries(start, "map");
listen(show, (up) => setConnected(up, "map", start));
