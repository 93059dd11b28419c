// The end of the game on one page, to be photographed or printed: the winners, the final standing, and the
// course of the game.
import { listen, send } from "./api.js";
import { h, put, s } from "./dom.js";
import { language, loadMessages, t } from "./i18n.js";
import { JapanMap, loadJapan } from "./map.js";
import { mon } from "./mapparts.js";
import { isOlder, momentKey } from "./newer.js";
import { Past } from "./past.js";
import { colourList, sealAndName } from "./seal.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { button } from "./widgets.js";

const byId = (id) => document.getElementById(id);
const COLUMNS = ["points", "provinces", "chests", "rice"];
let map = null;
let past = null;
let table = null;
let throws = [];
let pastGame = null; // of the moment that the slider shows; null: the present

async function show(view, thrown = null) {
  if (!view?.game || isOlder(view, table)) return; // a refusal: the stream brings the table once there is one
  if (table && table.table !== view.table) past.showPresent(); // the moment shown belongs to another table
  const momentChanged = !table || momentKey(view) !== momentKey(table);
  table = view;
  if (!momentChanged) return;
  const answer = thrown ?? (await send("throws"));
  if (!answer.ok) {
    table = null; // retry with the next view: showing no throws would be wrong
    return;
  }
  throws = answer.body.throws;
  draw();
  if (!(await past.load())) table = null; // retry with the next view
}

function draw() {
  const { game } = table;
  const players = (game.players ?? [])
    .filter((player) => player.seat)
    .sort((a, b) => compareStandings(b, a) - compareStandings(a, b));
  const winners = game.winners ?? [];
  const whole = players.length > 0;
  drawLinks(whole);
  for (const id of ["map", "past"]) byId(id).hidden = !whole;
  put(
    byId("crown"),
    winners.map((name) =>
      s("svg", { viewBox: "-26 -26 52 52", class: "japan bigseal", "aria-hidden": "true" }, mon(name)),
    ),
    h(
      "h1",
      {},
      winners.length
        ? t("end.wins", { n: winners.length, who: colourList(winners) })
        : whole
          ? t("end.not_yet")
          : t(`game.${game.game}`, { sentence: game.game }),
    ),
    h(
      "p",
      { class: "muted" },
      game.year ? `${t("round.season", { season: t(`season.${game.season}`), year: game.year })} · ` : "",
      t("end.throws", { n: countedThrows().length }),
      " · ",
      t("end.cubes", { n: cubesThrown() }),
    ),
  );
  put(byId("podium"), players.length ? standingSection(players, winners) : null);
  showMap();
}

const showMap = () => map.show({ provinces: (pastGame ?? table?.game)?.provinces ?? [] });

/** Compare by points, then by chests (T-10). */
const compareStandings = (a, b) => a.points > b.points || (a.points === b.points && a.chests > b.chests);
const countedThrows = () => throws.filter((thrown) => !thrown.undone);
/** Number of cubes thrown, counted as on the printed sheet. */
const cubesThrown = () =>
  countedThrows()
    .flatMap((thrown) => [thrown.from_table, thrown.from_tray].flatMap(Object.values))
    .reduce((all, n) => all + n, 0);

function standingSection(players, winners) {
  return h(
    "section",
    { class: "card standing", tabindex: 0, "aria-label": t("round.standing") },
    h(
      "table",
      {},
      h("caption", {}, t("round.standing")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          h("td", {}),
          COLUMNS.map((key) => h("th", { scope: "col" }, t(`stand.${key}`))),
        ),
      ),
      h(
        "tbody",
        {},
        players.map((player) =>
          h(
            "tr",
            {},
            h("td", {}, String(1 + players.filter((rival) => compareStandings(rival, player)).length)),
            h(
              "th",
              { scope: "row" },
              h(
                "span",
                { class: "row" },
                sealAndName(player.seat),
                winners.includes(player.seat) ? h("small", { class: "tag" }, t("round.winner")) : null,
              ),
            ),
            COLUMNS.map((key) =>
              h(
                "td",
                { class: key === "points" ? "big" : null },
                String(key === "provinces" ? player.provinces.length : player[key]),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Links to sheet, map and winters if the game has them; a table without rules has only its log. */
function drawLinks(whole) {
  const link = (href, words) => h("a", { class: "btn", href }, words);
  const keepsakeLink = (kind, more = "") =>
    h(
      "a",
      {
        class: `btn${kind === "pdf" ? " main" : ""}`,
        href: `/api/v1/keepsake.${kind}${more}`,
        download: "",
        "data-key": `keep-${kind}`,
      },
      t(`keepsake.${kind}`),
    );
  put(
    byId("ways"),
    whole ? keepsakeLink("pdf", `?lang=${language()}`) : null,
    keepsakeLink("json"),
    button("print", t("end.print"), () => print()),
    link("/statistics", t("statistics_page")),
    link("/history", t("history_page")),
    whole ? link("/winter", t("winter_page")) : null,
  );
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("end_page")}`;
  drawTop("end", start);
  // drawn together, so that nothing moves
  const [japan, now, thrown] = await Promise.all([loadJapan(), send("table"), send("throws")]);
  map = new JapanMap(byId("map"), japan);
  pastGame = null;
  past = new Past(byId("past"), (view) => {
    pastGame = view;
    showMap();
  });
  past.measure = "points";
  table = null;
  await show(now.body, thrown);
}

await startWithRetries(start, "end");
listen(show, (up) => setConnected(up, "end", start));
