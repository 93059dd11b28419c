// What happens to the tower outside a throw: knocked, opened and counted, cubes fell out. Confirmed first,
// and undoable like anything else.
import { post } from "./api.js";
import { h, put } from "./dom.js";
import { t } from "./i18n.js";
import { undoBatch } from "./undoing.js";
import { button, countRows } from "./widgets.js";

const DONE = new Set(["tower_knocked", "tower_counted", "counted", "fell_out", "more_inside"]);

/**
 * The card; `onAnswer(answer, again)` gets each answer of the server, also refusals; `again(reason)` repeats
 * the command with a reason.
 */
export function towerCard(table, onAnswer) {
  const { colours, certain, knocks, awaited } = statusFacts(table);
  const newest = table.history[0];
  const undoable = newest && DONE.has(newest.kind) && !newest.undone ? newest : null;
  const act = (key, words, ask) =>
    h(
      "button",
      {
        type: "button",
        class: "btn",
        "data-key": `tower-${key}`,
        disabled: awaited,
        onclick: () => ask(table, colours, onAnswer),
      },
      words,
    );
  return h(
    "section",
    { class: "card", id: "tower-card", "aria-label": t("towercard.title") },
    h("h2", {}, t("towercard.title")),
    undoable
      ? h(
          "p",
          { class: "note row", role: "status" },
          h("span", { class: "grow" }, `${t(`event.${undoable.kind}`)}.`),
          button(
            "tower-undo",
            t("undo"),
            async () => passOn(await undoBatch(table.expected, undoable.batch), onAnswer),
            "quiet",
          ),
        )
      : null,
    certain ? null : h("p", { class: "note", id: "tower-unknown" }, t("towercard.unknown")),
    awaited ? h("p", { class: "muted small" }, t("towercard.awaited")) : null,
    h(
      "div",
      { class: "row" },
      knocks ? act("knocked", t("towercard.knocked"), askKnocked) : null,
      act("opened", t("towercard.opened"), askOpened),
      act("fell", t("towercard.fell"), askFell),
    ),
  );
}

/**
 * For any game: its colours, whether the content is certain, whether knocks are recorded, and whether a throw
 * is awaited.
 */
function statusFacts({ game }) {
  const whole = Boolean(game.cubes);
  return {
    colours: whole ? [...game.seats, "green"] : game.colours,
    certain: whole ? game.cubes.certain : true,
    knocks: whole,
    awaited: Boolean(whole ? game.throw : game.awaited),
  };
}

const passOn = (answer, onAnswer) => answer && onAnswer(answer);
let unsent = null; // the last command, if the network lost it
const commandKey = (table, command) => [command.kind, table.table, table.expected].join(" ");

async function sendCommand(table, command, onAnswer) {
  const answer = await post("commands", { expected: table.expected, command });
  unsent = answer.body.error?.key === "network" ? { ...command, at: commandKey(table, command) } : null;
  onAnswer(answer, (insist) => sendCommand(table, { ...command, insist }, onAnswer));
  return answer;
}

const unsentOf = (table, kind) => (unsent?.at === commandKey(table, { kind }) ? unsent : null);

/**
 * The newer view if the table went on while somebody counted, so that the question is asked again; else null.
 */
const newerView = ({ body }) => (body.error?.key === "outdated" && body.table?.game ? body.table : null);

async function askKnocked(table, _, onAnswer) {
  const yes = await askConfirmed(
    t("towercard.knocked"),
    [h("p", {}, t("towercard.knocked_more"))],
    t("towercard.knocked_yes"),
  );
  if (yes) await sendCommand(table, { kind: "knock" }, onAnswer);
}

/**
 * Count the tower, starting from the believed content if it is shown, as most will be right. `begun` keeps a
 * count during which the table went on, so that it need not be repeated.
 */
async function askOpened(table, colours, onAnswer, begun = null) {
  const before =
    begun ?? unsentOf(table, "count_tower")?.inside ?? (table.game.cubes ?? table.game).tower ?? {};
  const counts = await askCounts(
    t("towercard.opened"),
    t("towercard.opened_more"),
    colours,
    before,
    t("towercard.opened_yes"),
  );
  const newer =
    counts && newerView(await sendCommand(table, { kind: "count_tower", inside: counts }, onAnswer));
  if (newer) await askOpened(newer, colours, onAnswer, counts);
}

async function askFell(table, colours, onAnswer, begun = null) {
  const before = begun ?? unsentOf(table, "accident")?.fell ?? {};
  const counts = await askCounts(
    t("towercard.fell"),
    t("towercard.fell_more"),
    colours,
    before,
    t("towercard.fell_yes"),
  );
  const newer =
    counts &&
    Object.keys(counts).length &&
    newerView(await sendCommand(table, { kind: "accident", fell: counts }, onAnswer));
  if (newer) await askFell(newer, colours, onAnswer, counts);
}

/** Ask for cubes per colour; resolves to those above zero, or null if cancelled. */
async function askCounts(title, words, colours, before, yes) {
  let counts = Object.fromEntries(colours.map((name) => [name, before[name] ?? 0]));
  const rows = h("div", {});
  const draw = () =>
    put(
      rows,
      countRows(colours, counts, null, (now) => ((counts = now), draw()), "inside"),
    );
  draw();
  const agreed = await askConfirmed(title, [h("p", {}, words), rows], yes);
  return agreed ? Object.fromEntries(Object.entries(counts).filter(([, number]) => number > 0)) : null;
}

/** Ask for confirmation in a dialog; resolves to true or false. */
function askConfirmed(title, inside, yes) {
  const place = document.getElementById("sheet");
  return new Promise((resolve) => {
    let answer = false;
    const sure = () => {
      answer = true;
      place.close();
    };
    put(
      place,
      h(
        "div",
        { class: "in" },
        h("h2", { id: "sheet-title" }, title),
        inside,
        h(
          "div",
          { class: "row" },
          button("tower-yes", yes, sure, "main big"),
          button("tower-no", t("cancel"), () => place.close(), "quiet"),
        ),
      ),
    );
    place.addEventListener("close", () => resolve(answer), { once: true });
    place.showModal();
  });
}
