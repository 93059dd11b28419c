// The cards beside the battle: provinces, where the cubes are, what happened.
import { h } from "./dom.js";
import { cube } from "./cubes.js";
import { colour, formatTime, t } from "./i18n.js";
import { cellTroubleText } from "./celltrouble.js";
import { entryLine } from "./told.js";
import { DRIFT, authorName, cameraName, provinceNames, troubleText } from "./words.js";
import { button } from "./widgets.js";

export function sideCards(table, act) {
  return [boardCard(table.game), pastCard(table, act), ledgerCard(table.game), healthNotes(table.health)];
}

function boardCard(game) {
  const attackedId = game.battle?.province;
  if (game.whole || game.counter) return null; // the map shows provinces better, or there are none
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("board")),
    h(
      "div",
      { class: "board" },
      game.provinces
        .filter((place) => place.owner || place.id === attackedId)
        .map((place) =>
          h(
            "div",
            {
              class: `prov${place.id === attackedId ? " now" : ""}`,
              vars: { "--mine": place.owner ? `var(--c-${place.owner})` : "var(--line)" },
            },
            h("span", {}, place.name),
            h("b", {}, place.owner && place.armies ? String(place.armies) : "–"),
            h(
              "span",
              { class: "small muted" },
              place.owner ? colour(place.owner) : t("neutral"),
              place.markers ? ` · ${t("markers", { n: place.markers })}` : "",
            ),
            place.owner ? cube(place.owner, false) : null,
          ),
        ),
    ),
  );
}

function pastCard(table, act) {
  const names = provinceNames(table.game);
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("past")),
    h(
      "ol",
      { class: "past" },
      withoutRepeats(table.history)
        .slice(0, 6)
        .map((item) =>
          h(
            "li",
            { class: item.undone ? "undone" : "" },
            h(
              "span",
              { class: "what" },
              entryWords(item, table.history, names),
              h("small", {}, `${authorName(item.author)} · ${formatTime(item.ts_ms)}`),
            ),
            undoButton(item, table, act),
          ),
        ),
    ),
    h("a", { class: "btn", href: "/throws" }, t("all_throws")),
  );
}

/** Seats place cards one by one and in secret: of a run of these entries one for each seat is enough. */
function withoutRepeats(history) {
  const seen = new Set();
  return history.filter((item) => {
    if (item.kind !== "card_placed") {
      seen.clear();
      return true;
    }
    const trace = `${item.body.seat} ${item.undone}`;
    if (seen.has(trace)) return false;
    seen.add(trace);
    return true;
  });
}

/**
 * The entry that a chain of undos is about (undefined if no longer in the list), and whether that entry
 * counts `again`.
 */
function resolveUndo(undo, history) {
  let [gone, again] = [undo, true];
  while (gone?.kind === "undone")
    [gone, again] = [history.find((item) => item.batch === gone.body.batches?.[0]), !again];
  return { gone, again };
}

/** An entry in words; an undo names what it took back, if that is still in the list. */
function entryWords(item, history, names) {
  const { gone, again } = resolveUndo(item, history);
  if (item.kind !== "undone" || (!again && !gone)) return entryLine(item, names);
  return again ? t("history.brought_back") : t("history.undone", { what: entryLine(gone, names) });
}

function undoButton(item, table, act) {
  if (item.undone || item.batch <= 1) return null;
  if (item.kind === "undone" && item.batch === table.history[0].batch) {
    return button(
      `redo-${item.batch}`,
      t(resolveUndo(item, table.history).again ? "undo" : "redo"),
      () => act.undo(item.batch),
      "quiet",
    );
  }
  return item.batch === table.undo?.batch
    ? button(`undo-${item.batch}`, t("undo"), () => act.undo(item.batch), "quiet")
    : null;
}

function ledgerCard(game) {
  const armiesOnBoard = (name) =>
    game.provinces.filter((place) => place.owner === name).reduce((sum, place) => sum + place.armies, 0);
  const places = (
    game.shown === "all" ? ["supply", "board_col", "tower", "tray"] : ["board_col", "tray"]
  ).filter((key) => !game.counter || key !== "board_col");
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("ledger")),
    h(
      "div",
      { class: "scrolls", tabindex: 0, role: "group", "aria-label": t("ledger") },
      h(
        "table",
        { class: "ledger" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("td", {}),
            places.map((key) => h("th", { scope: "col" }, t(key))),
          ),
        ),
        h(
          "tbody",
          {},
          game.colours.map((name) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, h("span", { class: "row" }, cube(name, false), colour(name))),
              places.map((key) =>
                h(
                  "td",
                  {},
                  String(
                    {
                      supply: game.supply?.[name],
                      board_col: armiesOnBoard(name),
                      tower: game.tower?.[name],
                      tray: game.tray[name],
                    }[key] ?? 0,
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "muted small" },
      game.shown === "all"
        ? t("tower_note")
        : game.shown === "totals"
          ? t("tower_inside", { n: game.inside })
          : t("tower_hidden"),
    ),
  );
}

function healthNotes({ camera, sensor }) {
  const text = sensor.up === null ? t("sensor_none") : sensor.up ? t("sensor_up") : cellTroubleText(sensor);
  return [
    camera.sentence
      ? h(
          "p",
          { class: "note bad", id: "ails" },
          troubleText(camera),
          DRIFT.has(camera.key) ? [" ", h("a", { href: "/calibrate" }, t("calibrate.again"))] : null,
        )
      : null,
    h(
      "p",
      { class: "muted small" },
      camera.name === "none"
        ? t("no_camera")
        : camera.name
          ? t("camera_ok", { name: cameraName(camera.name) })
          : null,
      camera.name ? " · " : null,
      h("a", { class: "lone", href: "/sensor" }, text),
    ),
  ];
}
