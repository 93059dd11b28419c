// The watch page: the map, what is thrown and the outcome. Sends no commands to the table.
import { fetchBody, listen } from "./api.js";
import { cubeLine, cubePiles } from "./cubes.js";
import { h, put } from "./dom.js";
import { cubesThrown, opposingArmies } from "./fights.js";
import { loadMessages, t } from "./i18n.js";
import { JapanMap, loadJapan } from "./map.js";
import { modelOf } from "./model.js";
import { isOlder } from "./newer.js";
import { nowSentence } from "./now.js";
import { roundStrip, standingTable } from "./round.js";
import { resultCard } from "./stage.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { trayPicture } from "./tray.js";
import { phaseTitle, provinceNames, purposeWords } from "./words.js";

const byId = (id) => document.getElementById(id);
let map = null;
let table = null;

/** The reading of the tray, while it waits to be accepted. */
const readingCard = ({ look, game }) =>
  h(
    "section",
    { class: "card seen", "aria-label": t("seen") },
    trayPicture(look.picture, look),
    h("h2", {}, t("seen")),
    cubeLine(look.counts, game.colours),
  );

const throwCard = ({ game, phase, health }) =>
  h(
    "section",
    { class: "card", "aria-label": t("to_throw") },
    h("h2", {}, purposeWords(game.battle, provinceNames(game))),
    ["fill", "count"].includes(game.battle.fight)
      ? h("div", { class: "two" }, cubePiles(cubesThrown(game.battle, game.plan), game.colours))
      : opposingArmies(game.battle),
    h("p", { class: "muted" }, phaseTitle({ phase, health }).title),
  );

/** At a table without rules, whose throws decide nothing: what lies in the tray now. */
const trayCard = ({ game, phase }) =>
  game.counter && phase === "idle"
    ? h(
        "section",
        { class: "card", "aria-label": t("tray") },
        h("h2", {}, t("tray")),
        cubeLine(game.tray, game.colours),
      )
    : null;

function draw() {
  if (!table?.game) return;
  document.body.classList.toggle("still", byId("standing").childElementCount > 0);
  const view = table.game;
  const shown = { ...table, game: modelOf(view) };
  const sentence = nowSentence(view, table.phase);
  if (byId("now").textContent !== sentence) put(byId("now"), sentence);
  byId("map").hidden = shown.game.counter === true; // a table without rules has no provinces
  map.show({ provinces: view.provinces ?? [], selected: shown.game.battle?.province ?? null, near: [] });
  put(
    byId("fight"),
    shown.game.battle ? throwCard(shown) : null,
    table.look ? readingCard(shown) : null,
    shown.game.last && !table.look ? resultCard(shown) : null,
    trayCard(shown),
  );
  put(byId("round"), roundStrip(view));
  put(byId("standing"), standingTable(view));
}

function show(view) {
  if (isOlder(view, table)) return;
  table = view;
  draw();
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("watch_page")}`;
  drawTop("watch", start);
  map = new JapanMap(byId("map"), await loadJapan(), () => null);
  show(await fetchBody("table"));
  draw();
}

await startWithRetries(start, "watch");
listen(show, (up) => setConnected(up, "watch", start));
