// The battle page: redrawn from each view of the server; the only state of its own is what a person is
// entering.
import { RETRY_MS, fetchBody, listen, messageAfterSilence, post, refusalText, send as get } from "./api.js";
import { applyChange, declareFormCommand, firstForm, refitForm } from "./battleform.js";
import { dropDraft, storeDraft, storedDraft } from "./drafts.js";
import { h, put } from "./dom.js";
import { loadMessages, t } from "./i18n.js";
import { refusalNote } from "./insisting.js";
import { sideCards } from "./side.js";
import { counterCards } from "./counter.js";
import { closeEnlarged } from "./enlarge.js";
import { CORRECT_HASH } from "./late.js";
import { betweenThrowsCard, throwCard } from "./fights.js";
import { correctionCard, isTrayEmpty, lookCard } from "./looking.js";
import { isOlder, throwKey } from "./newer.js";
import { countedColours, countsAfterChoice } from "./places.js";
import * as series from "./series.js";
import { fallingCard, lastThrowCard } from "./stage.js";
import { cubesThatCameOut, modelOf, settledThrow } from "./model.js";
import { newBattleCard } from "./newbattle.js";
import { drawTop, isConnected, setConnected, startWithRetries } from "./top.js";
import { towerCard } from "./towercard.js";
import { cellTroubleText } from "./celltrouble.js";
import { undoBatch } from "./undoing.js";
import { button } from "./widgets.js";
import { phaseTitle, provinceNames, purposeWords, troubleText } from "./words.js";

const TRAY_ALONE = { kind: "throw", cubes: {} };
const LAMPS = { idle: "", waiting: "go", falling: "wait", unseen: "ask", countdown: "go", asking: "ask" };
const byId = (id) => document.getElementById(id);

let table = null;
let view = null; // as sent by the server
let demo = false;
let form = null;
let edit = newEdit(null, {});
let mode = null; // "hand" or "correct": a person is counting; "aside": choosing a battle out of turn
let shownNotice = null; // the refusal or notice on the page
let refusal = null; // a sentence; or, if overrulable, {words, error, again}
let deadline = 0;
let holding = null; // promise while the countdown is being stopped
let ticking = false; // the countdown bar is animated
let joined = true; // otherwise this device only watches

/**
 * The counts being entered, also place by place. `isPreviewPending`: the server has not yet answered what
 * they would decide; `excess`: why they have to be insisted on; `emptyAsked`: it was already asked whether
 * really nothing came out.
 */
function newEdit(look, counts, places = []) {
  return {
    look,
    counts,
    places,
    preview: null,
    impossible: null,
    excess: null,
    isPreviewPending: false,
    emptyAsked: false,
    isReread: false,
  };
}

/** Start from the reading, or from the stored draft of a person's changes to it. */
function startingEdit() {
  const look = view.look?.number ?? null;
  const unchanged = newEdit(look, { ...view.look?.counts }, countedColours(view.look));
  const draft = storedDraft(view);
  if (draft?.look === null) {
    mode = "hand";
    return newEdit(null, draft.counts);
  }
  if (!draft || !view.look) return unchanged;
  return draft.look === look
    ? { ...unchanged, counts: draft.counts, places: draft.places }
    : { ...unchanged, isReread: true };
}

function show(newer) {
  if (isOlder(newer, table)) return;
  const previous = view;
  view = newer;
  const sameMoment = previous?.table === view.table && previous.expected === view.expected;
  const sameThrow = previous !== null && throwKey(previous) === throwKey(view);
  const isOtherReading = !sameThrow || view.look?.number !== previous.look?.number;
  const phaseChanged = previous !== null && view.phase !== previous.phase;
  table = { ...view, game: view.game && modelOf(view.game), demo };
  deadline = performance.now() + (view.left_ms ?? 0);
  if (!sameMoment || isOtherReading || phaseChanged) refusal = null; // it was about something that is over
  if (isOtherReading) closeEnlarged();
  if (view.phase === "idle") dropDraft();
  if (mode === "correct" ? !isCorrectable(edit.batch) : isOtherReading && !(mode === "hand" && sameThrow)) {
    mode = null;
    form = null;
    edit = startingEdit();
    if (view.look || mode === "hand") preview();
  } else if (!sameMoment) {
    form = table.game?.counter ? form && { cubes: form.cubes } : form && refitForm(table.game, form);
    if (view.look || mode === "hand" || mode === "correct") preview();
  }
  // a reading must not overtake a count by hand
  if (joined && mode === "hand" && view.phase === "countdown") holdOnce();
  draw();
  if (phaseChanged) toTop();
  if (!sameMoment) continueSeries();
}

let top = null; // scroll position set by `toTop`

/**
 * Scroll the current task to the top; in a low window the page head scrolls away to make room for the
 * picture.
 */
function toTop() {
  scrollTo({ top: 0 });
  const [tray, bar] = ["#stage .sight figure.tray", "#stage .decide"].map((selector) =>
    document.querySelector(selector)?.getBoundingClientRect(),
  );
  // the bar is below the picture or beside it
  const visibleEnd = bar && tray && (bar.left < tray.right ? bar.top : innerHeight);
  if (visibleEnd)
    scrollTo({
      top: Math.max(0, Math.min(tray.bottom - visibleEnd, byId("light").getBoundingClientRect().top - 6)),
    });
  top = scrollY;
}

/** Begin the next throw of a series once the last is counted. */
async function continueSeries() {
  if (
    joined &&
    table.phase === "idle" &&
    series.continuesSeries(table) &&
    !(await act.sendCommand(TRAY_ALONE))
  )
    series.end();
}

function draw() {
  if (!table?.game) return;
  form ??= table.game.counter ? { cubes: {} } : firstForm(table.game);
  drawLight();
  drawNotice(refusal ?? (table.notice ? refusalText(table.notice) : null));
  put(byId("stage"), joined ? null : watchingNote(), cellTrouble(), ...stageParts());
  const cards = sideCards(table, act);
  put(byId("side"), ...cards.slice(0, 2), towerCard(view, takeAnswer), ...cards.slice(2));
  if (!joined)
    for (const control of document.querySelectorAll(":is(#stage, #side) :is(button, input, select)"))
      control.disabled ||= !control.closest("[data-free]");
  if (!ticking) animateBar();
  document.body.classList.add("still");
}

/** Show a refusal or notice; what stands there already is not spoken again. */
function drawNotice(notice) {
  if (notice === shownNotice) return;
  shownNotice = notice;
  put(byId("notice"), notice ? refusalNote(notice.words ?? notice, notice.error, notice.again) : null);
}

/** A note on devices that only watch, before a tap is refused. */
const watchingNote = () =>
  h(
    "p",
    { class: "note row", id: "watching" },
    h("span", { class: "grow" }, t("watching")),
    h("a", { class: "btn", href: "/join", "data-key": "join" }, t("join.go")),
  );

/** A note about the load cell; not an alarm, since the camera works without it. */
function cellTrouble() {
  const { sensor } = table.health;
  return sensor.name ? h("p", { class: "note", id: "cell-trouble" }, cellTroubleText(sensor)) : null;
}

function stageParts() {
  if (mode === "correct") return [correctionCard(table, edit, act)];
  if (mode === "hand" && table.game.battle)
    return [
      table.look ? readMeanwhileNote() : null,
      lookCard({ ...table, look: null, weight: table.look ? null : table.weight }, edit, act),
    ];
  if (table.phase === "waiting") return [series.seriesNote(table), throwCard(table, act)];
  // allows going back if nobody has thrown
  if (table.phase === "unseen" && table.health.camera.name === "none") return [throwCard(table, act)];
  if (["falling", "unseen"].includes(table.phase)) return [fallingCard(table, act)];
  if (table.phase === "countdown" || table.phase === "asking") return [lookCard(table, edit, act)];
  if (table.game.counter) return counterCards(table, form, act);
  if (!table.game.whole) return [lastThrowCard(table, act), newBattleCard(table, form, act)];
  return mode === "aside"
    ? [newBattleCard(table, form, act)]
    : [betweenThrowsCard(table.game, act), lastThrowCard(table, act)];
}

const readMeanwhileNote = () =>
  h(
    "p",
    { class: "note row", id: "read-meanwhile" },
    h("span", { class: "grow" }, t("hand.read")),
    button("show-read", t("hand.show"), act.cancel),
  );

function drawLight() {
  const trouble = table.health.camera.sentence;
  const isLost = !isConnected();
  const isBad = isLost || (trouble && table.phase !== "idle");
  const lamp = isBad ? "bad" : LAMPS[table.phase];
  const { title, text: usual } = isLost ? { title: t("lost.title"), text: t("lost.more") } : headline();
  const more = isBad && !isLost ? troubleText(table.health.camera) : usual;
  const light = byId("light");
  const text = `${table.phase}|${lamp}|${title}|${more}`;
  if (light.dataset.text === text) return; // a live region should speak only on changes
  light.dataset.text = text;
  light.dataset.phase = table.phase;
  light.className = `light ${lamp}`;
  put(
    light,
    h(
      "span",
      { class: "lamps", "aria-hidden": "true" },
      h("i", { class: "ask" }),
      h("i", { class: "wait" }),
      h("i", { class: "go" }),
    ),
    h("div", {}, h("h1", {}, title), h("p", {}, more)),
  );
}

/** What happens now, to be read from across the room. */
function headline() {
  const { game, phase } = table;
  const usual = phaseTitle(table);
  if (mode === "hand" && game.battle) return { title: t("hand.title"), text: t("hand.more") };
  if (phase === "asking" && isTrayEmpty(table.look))
    return { title: t("doubt.empty"), text: t("phase.waiting.more") };
  if (phase === "idle" && game.counter) return { title: t("counter.idle"), text: t("counter.idle.more") };
  if (phase === "idle" && game.whole)
    return {
      title: game.now,
      text: t("round.season", { season: t(`season.${game.season}`), year: game.year }),
    };
  return phase === "waiting" && game.battle && !game.counter
    ? { ...usual, text: `${purposeWords(game.battle, provinceNames(game))}. ${usual.text}` }
    : usual;
}

async function send(path, body) {
  return takeAnswer(await post(path, { expected: table.expected, ...body }));
}

function takeAnswer(answer, again = null) {
  const newer = answer.ok ? answer.body : answer.body.table;
  if (newer?.rev) show(newer);
  const { error } = answer.body;
  if (!answer.ok) shownNotice = null; // a second refusal in the same words is spoken again
  refusal = answer.ok
    ? null
    : again && error.overrulable
      ? { words: refusalText(error), error, again }
      : refusalText(error);
  if (error?.key === "not_in_tower" && !again) edit.excess = error;
  draw();
  return answer.ok;
}

async function preview() {
  if (!joined) return;
  const sentCounts = JSON.stringify(edit.counts);
  edit.isPreviewPending = true;
  draw();
  const answer = await post("preview", {
    expected: table.expected,
    counts: edit.counts,
    batch: mode === "correct" ? edit.batch : null,
  });
  // no answer (asked again once the server is back), or the counts have changed
  if (!answer.status || JSON.stringify(edit.counts) !== sentCounts) return;
  edit.isPreviewPending = false;
  edit.preview = answer.ok && answer.body.result ? settledThrow(answer.body.result) : null;
  edit.impossible = answer.ok && answer.body.error ? refusalText(answer.body.error) : null;
  edit.excess = answer.ok ? answer.body.beyond : null;
  draw();
  if (scrollY === top) toTop(); // the outcome took up space, and nobody has scrolled
}

/** Whether the throw of this command can be corrected: nothing builds on it yet. */
const isCorrectable = (batch) => Boolean(view.undo?.throw) && view.undo.batch === batch;

function zeros() {
  return Object.fromEntries(table.game.colours.map((name) => [name, 0]));
}

const act = {
  changeForm(change) {
    form = table.game.counter ? { ...form, ...change } : applyChange(table.game, form, change);
    draw();
  },
  attack: () => send("commands", { command: declareFormCommand(table.game, form) }),
  sendCommand: (command) => send("commands", { command }),
  async startSeries() {
    series.begin(table);
    if (!(await act.sendCommand(TRAY_ALONE))) series.end();
  },
  callOff: () => send("commands", { command: { kind: "call_off" } }),
  letCubesFall: () => send("demo/fall", {}),
  look: () => send("look", {}),
  hold: () => send("hold", { look: table.look.number }),
  settle(insist) {
    const alreadySaid = mode === null && isTrayEmpty(table.look); // by the button: nothing came out
    if (!alreadySaid && !edit.emptyAsked && Object.values(edit.counts).every((number) => !number)) {
      edit.emptyAsked = true;
      return draw();
    }
    return send("settle", {
      counts: edit.counts,
      look: mode === "hand" ? null : (table.look?.number ?? null),
      insist,
    });
  },
  undo: async (batch, words) => {
    const answer = await undoBatch(table.expected, batch, words);
    return answer && takeAnswer(answer);
  },
  byHand() {
    mode = "hand";
    edit = newEdit(null, zeros());
    preview();
    toTop();
  },
  declareAside() {
    mode = "aside";
    draw();
    toTop();
  },
  startCorrecting() {
    mode = "correct";
    const { late } = table;
    const correction = (edit = newEdit(null, {
      ...zeros(),
      ...(late?.counts ?? cubesThatCameOut(table)),
    }));
    correction.batch = table.undo.batch;
    if (late?.look) correction.evidence = { picture: late.look.picture, reading: late.look };
    preview();
    toTop();
    if (!late?.look) addPicture(correction);
  },
  saveCorrection: async () => (await send("correct", { batch: edit.batch, counts: edit.counts })) && toTop(),
  cancel() {
    if (mode === "hand") dropDraft();
    mode = null;
    edit = startingEdit();
    if (view.look) preview();
    else draw();
    toTop();
  },
  choosePlace(at, name) {
    const previous = edit.places[at];
    edit.places = edit.places.map((choice, index) => (index === at ? name : choice));
    act.editCounts(countsAfterChoice(edit.counts, previous, name));
  },
  editCounts(counts) {
    Object.assign(edit, { counts, emptyAsked: false });
    if (mode !== "correct")
      storeDraft(view, {
        look: mode === "hand" ? null : edit.look,
        counts,
        places: edit.places,
      });
    if (table.phase !== "countdown" || mode !== null) return preview();
    edit.isPreviewPending = true;
    draw(); // at once: a person who sees no change taps again
    holdAndPreview();
  },
  // otherwise it would be settled while somebody is still looking
  onStudied: () => joined && mode === null && table.phase === "countdown" && holdAndPreview(),
};

/** If linked from the late bar of another page: correct the newest throw to what lies there now. */
function correctIfLinked() {
  if (location.hash !== CORRECT_HASH) return;
  window.history.replaceState(null, "", location.pathname);
  if (!joined || !table.late || !table.undo?.throw) return;
  act.startCorrecting();
}

let heldAt = ""; // moment and reading whose countdown a count by hand has asked to stop

/** Stop the countdown, once for each moment and reading, since a refusal is shown as a view again. */
async function holdOnce() {
  const at = [view.table, view.expected, view.look?.number].join(" ");
  if (heldAt === at) return;
  heldAt = at;
  const answer = await post("hold", { expected: table.expected, look: table.look.number });
  if (!answer.status) heldAt = "";
  takeAnswer(answer);
}

/** Stop the countdown, only once for several causes; then preview what was counted meanwhile. */
function holdAndPreview() {
  holding ??= act.hold().then(() => {
    holding = null;
    if (edit.isPreviewPending) preview();
  });
}

/** Add the throw's picture to a correction once it has loaded, with retries. */
async function addPicture(correction) {
  const { ok, body } = await get(`throws?last=1&before=${correction.batch + 1}`);
  if (edit !== correction) return;
  if (!ok) setTimeout(addPicture, RETRY_MS, correction);
  const [corrected] = body.throws ?? [];
  if (!corrected?.reading || !corrected.evidence) return;
  correction.evidence = { picture: `/api/v1/evidence/${corrected.evidence}`, reading: corrected.reading };
  draw();
  if (scrollY === top) toTop();
}

/** Animate the countdown bar; requests no frames without one, since a table's tablet stays on all evening. */
function animateBar() {
  const bar = byId("bar");
  ticking = Boolean(bar);
  if (!bar) return;
  bar.style.transform = `scaleX(${Math.max(0, (deadline - performance.now()) / table.countdown_ms)})`;
  requestAnimationFrame(animateBar);
}

async function start() {
  await loadMessages();
  drawTop("battle", start);
  byId("side").setAttribute("aria-label", t("recovery.table"));
  joined = (await fetchBody("join")).joined !== false;
  const first = await fetchBody("table");
  demo = first.demo;
  byId("light").dataset.text = "";
  show(first);
  correctIfLinked();
}

await startWithRetries(start, "battle");
addEventListener("hashchange", correctIfLinked);
listen(show, (now, again) => {
  if (again) refusal = messageAfterSilence(refusal);
  if (again && edit.isPreviewPending) preview();
  setConnected(now, "battle", start);
  if (table?.game) drawLight();
});
