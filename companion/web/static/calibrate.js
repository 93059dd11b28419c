// The guided calibration page: the camera's current view, the next step, and the picture of each step.
import { listen, post, refusalText, send } from "./api.js";
import { calibrationForm, typed } from "./calibrateform.js";
import { h, put, s } from "./dom.js";
import { dropOutline, floorQuestion } from "./floordraw.js";
import { hasMessage, loadMessages, t } from "./i18n.js";
import { matCard, printLink } from "./matcard.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { trayCards } from "./traylist.js";
import { button } from "./widgets.js";
import { DRIFT, dyeName, troubleText } from "./words.js";

const EVERY_MS = 700;
const MARKERS = 4;
const USUAL = "0 0 1280 960"; // picture size of most cameras
const byId = (id) => document.getElementById(id);
let state = null;
let drawnParts = {};
let answered = 0;
let refusal = null;
let sawItRun = false; // this page saw the current or last calibration running
let ended = false; // the calibration was ended, but not by this page
let endedHere = false; // this page ended it; answers still under way may show it as running
let beginPending = false; // `begin` was sent and is not answered yet
let commandsAnswered = 0; // by this page: a state requested before the last of them is ignored
let confirmingLeave = false; // Cancel was pressed and asks for confirmation

async function start() {
  await loadMessages();
  drawnParts = {};
  document.title = `Tenshu · ${t("calibrate.page")}`;
  drawTop("calibrate", start);
  if (state) draw();
  else await poll();
  matCard(byId("mat"));
}

async function poll() {
  if (document.hidden) return;
  const before = commandsAnswered;
  const answer = await send("calibration");
  if (before === commandsAnswered) takeAnswer(answer);
}

function takeAnswer({ ok, body }) {
  const shownRefusal = ok ? refusal : body.error;
  redrawIfChanged("notice", shownRefusal, (where) =>
    put(where, shownRefusal && h("p", { class: "note bad" }, refusalText(shownRefusal))),
  );
  if (!ok) return;
  const wasWalking = state?.phase === "walking";
  state = body;
  if (state.phase === "walking") [sawItRun, ended] = [true, false];
  else {
    [answered, confirmingLeave] = [0, false];
    if (wasWalking && state.phase === "off") ended = !endedHere;
  }
  draw();
}

/** Send a command; a refusal stays on the page until the next one. */
async function act(what, body = {}) {
  if (what === "begin" && beginPending) return; // a second tap on the button
  ended = false;
  if (what === "begin") [answered, endedHere, beginPending] = [0, false, true];
  const answer = await post(`calibration/${what}`, body);
  beginPending = false;
  commandsAnswered += 1;
  refusal = answer.ok ? null : answer.body.error;
  if (refusal) answered = 0; // an answer that did not arrive can be given again
  takeAnswer(answer);
  if (!refusal || !state) return;
  delete drawnParts.walk; // a choice in it may not be in force
  draw();
}

/** Redraw each part only if its content has changed, so that a screen reader speaks once. */
function draw() {
  // `still` means nothing without a camera
  redrawIfChanged("live", state.camera && [state.live > 0, state.facts, state.ails, state.still], drawLive);
  if (state.live) byId("now")?.setAttribute("href", `/api/v1/calibration/live.jpg?${state.live}`);
  const { live, facts, still, ails, ...walk } = state;
  const hadFocus = byId("walk").contains(document.activeElement);
  redrawIfChanged("walk", [walk, answered, sawItRun, ended, confirmingLeave], drawWalk);
  // the focus is only parked there
  const hasLostFocus = !byId("walk").contains(document.activeElement) || document.activeElement.id === "say";
  if (hadFocus && hasLostFocus)
    (byId("walk").querySelector(".btn.main") ?? byId("say"))?.focus({ preventScroll: true });
  redrawIfChanged("steps", [state.shown, state.steps, askedStep()], drawSteps);
}

/** The step whose picture the current question is about; it is shown with the question. */
const askedStep = () =>
  state.phase === "walking" && ["agrees", "floor"].includes(state.waits) && state.step in state.shown
    ? state.step
    : null;

function redrawIfChanged(id, what, paint) {
  const text = JSON.stringify(what);
  if (drawnParts[id] === text) return;
  drawnParts[id] = text;
  paint(byId(id));
}

function drawLive(where) {
  const title = h("h2", { id: "live-title" }, t("calibrate.live"));
  const elsewhere = h(
    "p",
    {},
    h("a", { class: "lone", href: "/camera", "data-key": "to-camera" }, t("calibrate.to_camera")),
  );
  if (!state.camera) return put(where, title, h("p", { class: "note" }, t("calibrate.no_camera")), elsewhere);
  const isStale = state.still || (state.ails && !DRIFT.has(state.ails.key)); // the picture is not current
  const ails = state.ails ? h("p", { class: "note bad", id: "ails" }, troubleText(state.ails)) : null;
  if (!state.facts)
    return put(
      where,
      title,
      ails ?? [placeholder(), h("p", { class: "muted waits" }, t("calibrate.wait_camera"))],
      state.ails || state.still ? elsewhere : null,
    );
  const {
    size: [width, height],
    outline,
  } = state.facts;
  put(
    where,
    title,
    ails,
    isStale
      ? [ails ? null : h("p", { class: "note bad", id: "still" }, t("calibrate.still")), elsewhere]
      : null,
    s(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        class: `seen${isStale ? " old" : ""}`,
        role: "img",
        "aria-label": t(outline.length ? "calibrate.alt_tray" : "calibrate.alt_none"),
      },
      s("image", {
        id: "now",
        href: `/api/v1/calibration/live.jpg?${state.live}`,
        width,
        height,
        preserveAspectRatio: "none",
      }),
      outline.length
        ? s("polygon", {
            class: "floor",
            points: outline.map((point) => point.join(",")).join(" "),
            "stroke-width": width / 260,
          })
        : null,
    ),
    isStale ? null : liveChecks(state.facts),
  );
}

/** A placeholder for the coming picture, so that the content below does not move. */
const placeholder = () => s("svg", { viewBox: USUAL, class: "seen", "aria-hidden": "true" });

function liveChecks(facts) {
  if (facts.trouble)
    return h("ul", { class: "signs" }, h("li", { class: "bad" }, t(`trouble.${facts.trouble}`)));
  const checkItem = (good, key, params, sheet) =>
    h(
      "li",
      { class: good ? "" : "bad" },
      h("span", {}, t(key, params), sheet ? [" ", printLink(sheet, "sign")] : null),
    );
  return h(
    "ul",
    { class: "signs" },
    checkItem(
      facts.outline.length > 0 && !facts.cut,
      facts.cut
        ? "calibrate.tray_cut"
        : facts.outline.length
          ? "calibrate.tray_seen"
          : "calibrate.tray_unseen",
    ),
    checkItem(
      facts.markers > 0,
      facts.markers ? "calibrate.markers" : "calibrate.no_mat",
      { n: facts.markers, all: MARKERS },
      facts.markers ? null : "mat",
    ),
    checkItem(
      !facts.too_dark && !facts.too_bright,
      facts.too_dark ? "calibrate.dark_room" : facts.too_bright ? "doubt.too_bright" : "calibrate.light_good",
    ),
    facts.dark_tray ? checkItem(false, "calibrate.dark_tray", {}, "inlay") : null,
    facts.like_floor ? checkItem(false, "calibrate.like_floor", {}, "inlay") : null,
  );
}

function drawWalk(where) {
  if (state.phase !== "walking" || state.waits === "ready") dropOutline();
  const parts = { walking: walkingParts, done: doneParts, failed: failedParts };
  // whoever opens the page now wants a new one
  const isOfEarlierVisit = state.phase === "done" && state.verdict.kept && !sawItRun;
  put(
    where,
    ended ? h("p", { class: "note", id: "ended" }, t("calibrate.ended")) : null,
    isOfEarlierVisit ? startParts() : (parts[state.phase] ?? startParts)(),
  );
  where.querySelector("#say, #verdict")?.scrollIntoView({ block: "nearest" });
  const picture = askedStep() && where.querySelector("figure img");
  // the whole picture that is asked about, above the buttons
  picture?.addEventListener("load", () => picture.scrollIntoView({ block: "nearest" }));
}

const startParts = () => [
  h("h2", {}, t("calibrate.three")),
  h("p", {}, t("calibrate.intro")),
  h("p", {}, printLink("mat", "first", "lone")),
  calibrationForm(state, (body) => act("begin", body)),
  trayCards(state, { act, takeAnswer }),
];

/** Answer a question once; later views that still show it are ignored. */
function answer(yes, outline = null) {
  answered = state.asked;
  draw();
  return act("answer", { yes, asked: state.asked, outline });
}

function walkingParts() {
  const waits =
    state.asked === answered && ["ready", "agrees", "floor"].includes(state.waits) ? "thinking" : state.waits;
  const floor =
    waits === "floor"
      ? floorQuestion({
          floor: state.floor,
          href: stepPicture("empty"),
          answer: (outline) => answer(true, outline),
          redraw: redrawWalk,
        })
      : null;
  const asks = {
    ready: [["ready", "calibrate.ready", true]],
    agrees: [
      ["yes", "calibrate.yes", true],
      ["no", "calibrate.no", false],
    ],
  }[waits];
  return [
    stepList(),
    h(
      "div",
      {},
      state.said.map((message) => h("p", { class: "note" }, withPrintLink(message))),
    ),
    h(
      "p",
      { class: "say", id: "say", tabindex: -1 },
      floor?.instruction ??
        ((asks || floor) && state.line
          ? sentenceOf(state.line)
          : t(waits === "picture" ? "calibrate.resting" : "calibrate.thinking")),
    ),
    floor?.parts ?? (askedStep() ? stepFigure(askedStep()) : null),
    h(
      "div",
      { class: "row" },
      asks
        ? asks.map(([key, text, yes]) => button(key, t(text), () => answer(yes), yes ? "main big" : "big"))
        : null,
      confirmingLeave ? null : button("leave", t("cancel"), leave, "quiet"),
    ),
    confirmingLeave
      ? h(
          "div",
          { class: "note", role: "alert" },
          h("p", {}, t("calibrate.leave_sure")),
          h(
            "div",
            { class: "row" },
            button("leave-yes", t("calibrate.leave_yes"), leaveNow),
            button("go-on", t("calibrate.go_on"), goOn, "quiet"),
          ),
        )
      : null,
  ];
}

/** Redraw the walk: an outline drawn by hand is not part of the server's state. */
function redrawWalk() {
  delete drawnParts.walk;
  draw();
}

/** Cancel only after confirmation, so that one slip of the thumb loses nothing. */
function leave() {
  if (state.steps.indexOf(state.step) < 2) return leaveNow();
  confirmingLeave = true;
  draw();
}

function goOn() {
  confirmingLeave = false;
  draw();
}

function leaveNow() {
  [sawItRun, endedHere] = [false, true];
  return act("end");
}

const stepName = (step) =>
  step === "empty" || step === "test" ? t(`calibrate.step_${step}`) : dyeName(step);

function stepList() {
  const currentIndex = state.steps.indexOf(state.step);
  return h(
    "ol",
    { class: "way" },
    state.steps.map((step, place) =>
      h(
        "li",
        {
          class: state.left_out.includes(step) ? "left" : place < currentIndex ? "done" : "",
          "aria-current": place === currentIndex ? "step" : null,
        },
        stepName(step),
      ),
    ),
  );
}

function doneParts() {
  const { right, kept, line, name, trouble } = state.verdict;
  const again = (kind) => button("again", t("calibrate.again"), () => act("end"), kind);
  const keep = (text, kind) => button("keep", t(text), () => act("keep"), kind);
  const ways = {
    kept: [
      h("a", { class: "btn main big", href: "/", "data-key": "to-table" }, t("calibrate.to_table")),
      again("quiet"),
    ],
    full: [keep("calibrate.keep_again", "main big"), again("quiet")],
    wrong: [again("main big"), keep("calibrate.keep")],
  };
  return [
    h("h2", {}, t("calibrate.verdict")),
    h("p", { class: right ? "say" : "say note bad", id: "verdict" }, sentenceOf(line)),
    state.verdict.notes.map((note) => h("p", { class: "note" }, sentenceOf(note))),
    trouble ? h("p", { class: "note bad", id: "trouble" }, sentenceOf(trouble)) : null,
    h("p", {}, kept ? t("calibrate.kept", { name }) : t("calibrate.not_kept")),
    h("div", { class: "row" }, ways[kept ? "kept" : trouble ? "full" : "wrong"]),
    trayCards(state, { act, takeAnswer }),
  ];
}

function failedParts() {
  const [what, remedy] = state.error;
  const whole = !remedy || what.key.startsWith("trouble.");
  return [
    h("h2", {}, t("calibrate.stopped")),
    h(
      "p",
      { class: "note bad", id: "verdict" },
      sentenceOf(what),
      whole ? null : [" ", withPrintLink(remedy)],
    ),
    h("div", { class: "row" }, button("again", t("calibrate.again"), again, "main big")),
  ];

  function again() {
    typed.sized ||= what.key === "calibrate.other_size"; // the form opens at the size
    return act("end");
  }
}

function drawSteps(where) {
  const order = state.steps ?? Object.keys(state.shown);
  const steps = order.filter((step) => step in state.shown && step !== askedStep());
  put(
    where,
    steps.sort((a, b) => state.shown[b] - state.shown[a]).map((step) => stepFigure(step, "card")),
  );
}

/** URL of a step's picture; a new picture has a new URL. */
const stepPicture = (step) =>
  `/api/v1/calibration/steps/${encodeURIComponent(step)}.jpg?${state.shown[step]}`;

/** The picture of a step. */
const stepFigure = (step, kind = "") =>
  h(
    "figure",
    { class: `step ${kind}` },
    h("img", {
      class: "seen",
      src: stepPicture(step),
      alt: t("calibrate.step_alt", { step: stepName(step) }),
    }),
    h("figcaption", {}, stepName(step)),
  );

/** Messages that mention a sheet, with the sheet to link to. */
const PRINTED = {
  "calibrate.dark_tray": "inlay",
  "calibrate.like_floor": "inlay",
  "calibrate.black_unseen": "inlay",
  "calibrate.lay_mat": "mat",
  "calibrate.mat_for_now": "mat",
};
const withPrintLink = (message) => [
  sentenceOf(message),
  PRINTED[message.key] ? [" ", printLink(PRINTED[message.key], "told")] : null,
];

/** A sentence of the calibration in this device's language; English if it has no key. */
function sentenceOf({ key, params, sentence }) {
  if (!key || !hasMessage(key)) return sentence;
  const values = { ...params };
  for (const name of ["colour", "other"]) if (params[name]) values[name] = dyeName(params[name]);
  if (params.colours) values.colours = params.colours.map(dyeName).join(", ");
  if (params.counts)
    values.counts =
      Object.entries(params.counts)
        .filter(([, n]) => n)
        .map(([name, n]) => t("calibrate.some", { n, colour: dyeName(name) }))
        .join(", ") || t("nothing");
  if (params.doubts)
    values.doubts = params.doubts.map((doubt) => t(`doubt.${doubt}`)).join(" ") || t("calibrate.see_doctor");
  return t(key, values);
}

await startWithRetries(start, "calibrate");
setInterval(poll, EVERY_MS);
listen(
  () => {},
  (up) => setConnected(up, "calibrate", start),
);
