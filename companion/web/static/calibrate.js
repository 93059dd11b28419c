// The guided calibration page: the camera's current view, the next step, and the picture of each step.
import { listen, post, said, send } from "./api.js";
import { form, wish } from "./calibrateform.js";
import { h, put, s } from "./dom.js";
import { floorQuestion, forget } from "./floordraw.js";
import { known, loadMessages, t } from "./i18n.js";
import { matCard, printLink } from "./matcard.js";
import { drawTop, setConnected, untilThere } from "./top.js";
import { trays } from "./traylist.js";
import { button } from "./widgets.js";
import { DRIFT, ailing, dye } from "./words.js";

const EVERY_MS = 700;
const MARKERS = 4;
const USUAL = "0 0 1280 960"; // picture size of most cameras
const place = (id) => document.getElementById(id);
let state = null;
let drawn = {};
let answered = 0;
let refused = null;
let led = false; // this page saw the current or last calibration running
let ended = false; // the calibration was ended, but not by this page
let mine = false; // this page ended it; answers still under way may show it as running
let begins = false; // `begin` was sent and is not answered yet
let acts = 0; // answered commands of this page: a state requested before the last of them is ignored
let leaving = false; // Cancel was pressed and asks for confirmation

async function start() {
  await loadMessages();
  drawn = {};
  drawTop("calibrate", start);
  if (state) draw();
  else await look();
  matCard(place("mat"));
}

async function look() {
  if (document.hidden) return;
  const before = acts;
  const answer = await send("calibration");
  if (before === acts) take(answer);
}

function take({ ok, body }) {
  const why = ok ? refused : body.error;
  part("notice", why, (where) => put(where, why && h("p", { class: "note bad" }, said(why))));
  if (!ok) return;
  const walked = state?.phase === "walking";
  state = body;
  if (state.phase === "walking") [led, ended] = [true, false];
  else {
    [answered, leaving] = [0, false];
    if (walked && state.phase === "off") ended = !mine;
  }
  draw();
}

/** Send a command; a refusal stays on the page until the next one. */
async function act(what, body = {}) {
  if (what === "begin" && begins) return; // a second tap on the button
  ended = false;
  if (what === "begin") [answered, mine, begins] = [0, false, true];
  const answer = await post(`calibration/${what}`, body);
  begins = false;
  acts += 1;
  refused = answer.ok ? null : answer.body.error;
  if (refused) answered = 0; // an answer that did not arrive can be given again
  take(answer);
  if (refused && state) draw();
}

/** Redraw each part only if its content has changed, so that a screen reader speaks once. */
function draw() {
  // `still` means nothing without a camera
  part("live", state.camera && [state.live > 0, state.facts, state.ails, state.still], drawLive);
  if (state.live) place("now")?.setAttribute("href", `/api/v1/calibration/live.jpg?${state.live}`);
  const { live, facts, still, ails, ...walk } = state;
  const held = place("walk").contains(document.activeElement);
  part("walk", [walk, answered, led, ended, leaving], drawWalk);
  // the focus is only parked there
  const lost = !place("walk").contains(document.activeElement) || document.activeElement.id === "say";
  if (held && lost)
    (place("walk").querySelector(".btn.main") ?? place("say"))?.focus({ preventScroll: true });
  part("steps", [state.shown, state.steps, asked()], drawSteps);
}

/** The step whose picture the current question is about; it is shown with the question. */
const asked = () =>
  state.phase === "walking" && ["agrees", "floor"].includes(state.waits) && state.step in state.shown
    ? state.step
    : null;

function part(id, what, paint) {
  const text = JSON.stringify(what);
  if (drawn[id] === text) return;
  drawn[id] = text;
  paint(place(id));
}

function drawLive(where) {
  const title = h("h2", { id: "live-title" }, t("calibrate.live"));
  const elsewhere = h(
    "p",
    {},
    h("a", { class: "lone", href: "/camera", "data-key": "to-camera" }, t("calibrate.to_camera")),
  );
  if (!state.camera) return put(where, title, h("p", { class: "note" }, t("calibrate.no_camera")), elsewhere);
  const old = state.still || (state.ails && !DRIFT.has(state.ails.key)); // the picture is not current
  const ails = state.ails ? h("p", { class: "note bad", id: "ails" }, ailing(state.ails)) : null;
  if (!state.facts)
    return put(
      where,
      title,
      ails ?? [room(), h("p", { class: "muted waits" }, t("calibrate.wait_camera"))],
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
    old ? [ails ? null : h("p", { class: "note bad", id: "still" }, t("calibrate.still")), elsewhere] : null,
    s(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        class: `seen${old ? " old" : ""}`,
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
    old ? null : signs(state.facts),
  );
}

/** A placeholder for the coming picture, so that the content below does not move. */
const room = () => s("svg", { viewBox: USUAL, class: "seen", "aria-hidden": "true" });

function signs(facts) {
  if (facts.trouble)
    return h("ul", { class: "signs" }, h("li", { class: "bad" }, t(`trouble.${facts.trouble}`)));
  const one = (good, key, params, sheet) =>
    h(
      "li",
      { class: good ? "" : "bad" },
      h("span", {}, t(key, params), sheet ? [" ", printLink(sheet, "sign")] : null),
    );
  return h(
    "ul",
    { class: "signs" },
    one(
      facts.outline.length > 0 && !facts.cut,
      facts.cut
        ? "calibrate.tray_cut"
        : facts.outline.length
          ? "calibrate.tray_seen"
          : "calibrate.tray_unseen",
    ),
    one(
      facts.markers > 0,
      facts.markers ? "calibrate.markers" : "calibrate.no_mat",
      { n: facts.markers, all: MARKERS },
      facts.markers ? null : "mat",
    ),
    one(
      !facts.too_dark && !facts.too_bright,
      facts.too_dark ? "calibrate.dark_room" : facts.too_bright ? "doubt.too_bright" : "calibrate.light_good",
    ),
    facts.dark_tray ? one(false, "calibrate.dark_tray", {}, "inlay") : null,
    facts.like_floor ? one(false, "calibrate.like_floor", {}, "inlay") : null,
  );
}

function drawWalk(where) {
  if (state.phase !== "walking" || state.waits === "ready") forget();
  const parts = { walking, done, failed };
  // whoever opens the page now wants a new one
  const old = state.phase === "done" && state.verdict.kept && !led;
  put(
    where,
    ended ? h("p", { class: "note", id: "ended" }, t("calibrate.ended")) : null,
    old ? before() : (parts[state.phase] ?? before)(),
  );
  where.querySelector("#say, #verdict")?.scrollIntoView({ block: "nearest" });
  const picture = asked() && where.querySelector("figure img");
  // the whole picture that is asked about, above the buttons
  picture?.addEventListener("load", () => picture.scrollIntoView({ block: "nearest" }));
}

const before = () => [
  h("h2", {}, t("calibrate.three")),
  h("p", {}, t("calibrate.intro")),
  h("p", {}, printLink("mat", "first", "lone")),
  form(state, (body) => act("begin", body)),
  trays(state, { act, take }),
];

/** Answer a question once; later views that still show it are ignored. */
function answer(yes, outline = null) {
  answered = state.asked;
  draw();
  return act("answer", { yes, asked: state.asked, outline });
}

function walking() {
  const waits =
    state.asked === answered && ["ready", "agrees", "floor"].includes(state.waits) ? "thinking" : state.waits;
  const floor =
    waits === "floor"
      ? floorQuestion({
          floor: state.floor,
          href: stepPicture("empty"),
          answer: (outline) => answer(true, outline),
          redraw: drawAgain,
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
    way(),
    h(
      "div",
      {},
      state.said.map((one) => h("p", { class: "note" }, told(one))),
    ),
    h(
      "p",
      { class: "say", id: "say", tabindex: -1 },
      floor?.asks ??
        ((asks || floor) && state.line
          ? words(state.line)
          : t(waits === "picture" ? "calibrate.resting" : "calibrate.thinking")),
    ),
    floor?.parts ?? (asked() ? figure(asked()) : null),
    h(
      "div",
      { class: "row" },
      asks
        ? asks.map(([key, text, yes]) => button(key, t(text), () => answer(yes), yes ? "main big" : "big"))
        : null,
      leaving ? null : button("leave", t("cancel"), leave, "quiet"),
    ),
    leaving
      ? h(
          "div",
          { class: "note", role: "alert" },
          h("p", {}, t("calibrate.leave_sure")),
          h(
            "div",
            { class: "row" },
            button("leave-yes", t("calibrate.leave_yes"), leaveNow),
            button("go-on", t("calibrate.go_on"), stay, "quiet"),
          ),
        )
      : null,
  ];
}

/** Redraw the walk: an outline drawn by hand is not part of the server's state. */
function drawAgain() {
  delete drawn.walk;
  draw();
}

/** Cancel only after confirmation, so that one slip of the thumb loses nothing. */
function leave() {
  if (state.steps.indexOf(state.step) < 2) return leaveNow();
  leaving = true;
  draw();
}

function stay() {
  leaving = false;
  draw();
}

function leaveNow() {
  [led, mine] = [false, true];
  return act("end");
}

const stepName = (step) => (step === "empty" || step === "test" ? t(`calibrate.step_${step}`) : dye(step));

function way() {
  const now = state.steps.indexOf(state.step);
  return h(
    "ol",
    { class: "way" },
    state.steps.map((step, place) =>
      h(
        "li",
        {
          class: state.left_out.includes(step) ? "left" : place < now ? "done" : "",
          "aria-current": place === now ? "step" : null,
        },
        stepName(step),
      ),
    ),
  );
}

function done() {
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
    h("p", { class: right ? "say" : "say note bad", id: "verdict" }, words(line)),
    state.verdict.notes.map((note) => h("p", { class: "note" }, words(note))),
    trouble ? h("p", { class: "note bad", id: "trouble" }, words(trouble)) : null,
    h("p", {}, kept ? t("calibrate.kept", { name }) : t("calibrate.not_kept")),
    h("div", { class: "row" }, ways[kept ? "kept" : trouble ? "full" : "wrong"]),
    trays(state, { act, take }),
  ];
}

function failed() {
  const [what, remedy] = state.error;
  const whole = !remedy || what.key.startsWith("trouble.");
  return [
    h("h2", {}, t("calibrate.stopped")),
    h("p", { class: "note bad", id: "verdict" }, words(what), whole ? null : [" ", told(remedy)]),
    h("div", { class: "row" }, button("again", t("calibrate.again"), again, "main big")),
  ];

  function again() {
    wish.sized ||= what.key === "calibrate.other_size"; // the form opens at the size
    return act("end");
  }
}

function drawSteps(where) {
  const order = state.steps ?? Object.keys(state.shown);
  const seen = order.filter((step) => step in state.shown && step !== asked());
  put(
    where,
    seen.sort((one, other) => state.shown[other] - state.shown[one]).map((step) => figure(step, "card")),
  );
}

/** URL of a step's picture; a new picture has a new URL. */
const stepPicture = (step) =>
  `/api/v1/calibration/steps/${encodeURIComponent(step)}.jpg?${state.shown[step]}`;

/** The picture of a step. */
const figure = (step, kind = "") =>
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
const told = (one) => [words(one), PRINTED[one.key] ? [" ", printLink(PRINTED[one.key], "told")] : null];

/** A sentence of the calibration in this device's language; English if it has no key. */
function words({ key, params, sentence }) {
  if (!key || !known(key)) return sentence;
  const own = { ...params };
  for (const name of ["colour", "other"]) if (params[name]) own[name] = dye(params[name]);
  if (params.colours) own.colours = params.colours.map(dye).join(", ");
  if (params.counts)
    own.counts =
      Object.entries(params.counts)
        .filter(([, n]) => n)
        .map(([name, n]) => t("calibrate.some", { n, colour: dye(name) }))
        .join(", ") || t("nothing");
  if (params.doubts)
    own.doubts = params.doubts.map((doubt) => t(`doubt.${doubt}`)).join(" ") || t("calibrate.see_doctor");
  return t(key, own);
}

await untilThere(start, "calibrate");
setInterval(look, EVERY_MS);
listen(
  () => {},
  (up) => setConnected(up, "calibrate", start),
);
