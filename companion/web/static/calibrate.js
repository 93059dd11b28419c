// The guided calibration: what the camera sees now, what to do next, and what was seen at each step.
import { listen, post, said, send } from "./api.js";
import { h, put, s } from "./dom.js";
import { known, loadMessages, t } from "./i18n.js";
import { drawTop, setConnected } from "./top.js";
import { button } from "./widgets.js";

const EVERY_MS = 700;
const MARKERS = 4;
const place = (id) => document.getElementById(id);
const wish = { name: "", colours: "", cube: "", width: "", depth: "", sized: false };
let state = null;
let drawn = {};
let answered = 0;
let refused = null;

async function start() {
  await loadMessages();
  drawn = {};
  drawTop("calibrate", start);
  if (state) draw();
  else await look();
}

async function look() {
  if (document.hidden) return;
  take(await send("calibration"));
}

function take({ ok, body }) {
  const why = ok ? refused : body.error;
  part("notice", why, (where) => put(where, why && h("p", { class: "note bad" }, said(why))));
  if (!ok) return;
  state = body;
  draw();
}

/** Why something was refused stands until the person does something else. */
async function act(what, body = {}) {
  const answer = await post(`calibration/${what}`, body);
  refused = answer.ok ? null : answer.body.error;
  if (refused) answered = 0; // what did not arrive can be answered again
  take(answer);
  if (refused && state) draw();
}

/** Each part is drawn anew only when what it shows has changed: a screen reader is told once. */
function draw() {
  part("live", [state.camera, state.live > 0, state.facts], drawLive);
  if (state.live) place("now")?.setAttribute("href", `/api/v1/calibration/live.jpg?${state.live}`);
  const { live, facts, shown, ...walk } = state;
  part("walk", [walk, answered], drawWalk);
  part("steps", [shown, state.steps], drawSteps);
}

function part(id, what, paint) {
  const text = JSON.stringify(what);
  if (drawn[id] === text) return;
  drawn[id] = text;
  paint(place(id));
}

function drawLive(where) {
  const title = h("h2", { id: "live-title" }, t("calibrate.live"));
  if (!state.camera) return put(where, title, h("p", { class: "note" }, t("calibrate.no_camera")));
  if (!state.facts) return put(where, title, h("p", { class: "muted" }, t("calibrate.wait_camera")));
  const { size: [width, height], outline } = state.facts;
  put(
    where,
    title,
    s(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, class: "seen", role: "img", "aria-label": t(outline.length ? "calibrate.alt_tray" : "calibrate.alt_none") },
      s("image", { id: "now", href: `/api/v1/calibration/live.jpg?${state.live}`, width, height, preserveAspectRatio: "none" }),
      outline.length ? s("polygon", { class: "floor", points: outline.map((point) => point.join(",")).join(" "), "stroke-width": width / 260 }) : null,
    ),
    signs(state.facts),
  );
}

function signs(facts) {
  if (facts.trouble) return h("ul", { class: "signs" }, h("li", { class: "bad" }, t(`trouble.${facts.trouble}`)));
  const one = (good, key, params) => h("li", { class: good ? "" : "bad" }, t(key, params));
  return h(
    "ul",
    { class: "signs" },
    one(facts.outline.length > 0, facts.outline.length ? "calibrate.tray_seen" : "calibrate.tray_unseen"),
    one(facts.markers > 0, facts.markers ? "calibrate.markers" : "calibrate.no_mat", { n: facts.markers, all: MARKERS }),
    one(!facts.too_dark && !facts.too_bright, facts.too_dark ? "calibrate.dark_room" : facts.too_bright ? "doubt.too_bright" : "calibrate.light_good"),
    facts.dark_tray ? one(false, "calibrate.dark_tray") : null,
  );
}

function drawWalk(where) {
  const parts = { walking, done, failed };
  put(where, (parts[state.phase] ?? before)());
}

function before() {
  const field = (id, key, attributes, value) =>
    h("div", {}, h("label", { for: id }, t(key)), h("input", { id, type: "text", autocomplete: "off", value, "data-key": id, ...attributes }));
  const note = (name) => (event) => (wish[name] = event.target.value);
  return [
    h("h2", {}, t("calibrate.three")),
    h("p", {}, t("calibrate.intro")),
    h("div", { class: "fields" },
      field("tray-name", "calibrate.name", { maxlength: 40, spellcheck: "false", oninput: note("name") }, wish.name || state.in_use || "table"),
      h("details", { open: Boolean(wish.width || wish.depth || wish.sized) },
        h("summary", {}, t("calibrate.other_tray")),
        h("div", { class: "fields" },
          field("tray-width", "calibrate.width", { type: "number", min: 60, max: 400, step: 1, inputmode: "numeric", oninput: note("width") }, wish.width),
          field("tray-depth", "calibrate.depth", { type: "number", min: 60, max: 400, step: 1, inputmode: "numeric", oninput: note("depth") }, wish.depth))),
      h("details", {},
        h("summary", {}, t("calibrate.other_cubes")),
        h("div", { class: "fields" },
          field("colours", "calibrate.colours", { maxlength: 120, placeholder: "red, blue, white", spellcheck: "false", oninput: note("colours") }, wish.colours),
          field("cube-mm", "calibrate.edge", { type: "number", min: 4, max: 30, step: 0.5, oninput: note("cube") }, wish.cube)))),
    h("div", { class: "row" }, button("begin", t("calibrate.begin"), begin, "main big")),
    trays(),
  ];
}

function begin() {
  const name = wish.name.trim() || state.in_use || "table";
  const colours = wish.colours.toLowerCase().split(/[\s,;]+/).filter(Boolean);
  const sides = [Number(wish.width || wish.depth), Number(wish.depth || wish.width)];
  return act("begin", { name, colours, cube_mm: wish.cube ? Number(wish.cube) : null, inner_mm: sides[0] ? sides : null });
}

/** The trays that are known, and which of them is read. */
function trays() {
  if (!state.profiles.length) return null;
  if (state.fixed) return h("p", { class: "muted" }, t("calibrate.fixed", { name: state.in_use }));
  const select = h(
    "select",
    { id: "in-use", "data-key": "in-use", onchange: (event) => act("use", { name: event.target.value || null }) },
    h("option", { value: "", selected: !state.in_use }, t("calibrate.none_in_use")),
    state.profiles.map((name) => h("option", { value: name, selected: name === state.in_use }, name)),
  );
  return h("div", { class: "fields" }, h("label", { for: "in-use" }, t("calibrate.in_use")), select);
}

/** A question is answered once; what the server still shows of it is passed over. */
function answer(yes) {
  answered = state.asked;
  draw();
  return act("answer", { yes, asked: state.asked });
}

function walking() {
  const waits = state.asked === answered && ["ready", "agrees"].includes(state.waits) ? "thinking" : state.waits;
  const asks = { ready: [["ready", "calibrate.ready", true]], agrees: [["yes", "calibrate.yes", true], ["no", "calibrate.no", false]] }[waits];
  return [
    way(),
    h("div", {}, state.said.map((one) => h("p", { class: "note" }, words(one)))),
    asks && state.line ? h("p", { class: "say", id: "say" }, words(state.line)) : h("p", { class: "say", id: "say" }, t(waits === "picture" ? "calibrate.resting" : "calibrate.thinking")),
    h("div", { class: "row" }, asks ? asks.map(([key, text, yes]) => button(key, t(text), () => answer(yes), yes ? "main big" : "big")) : null, button("leave", t("cancel"), () => act("end"), "quiet")),
  ];
}

const stepName = (step) => (step === "empty" || step === "test" ? t(`calibrate.step_${step}`) : dye(step));

function way() {
  const now = state.steps.indexOf(state.step);
  return h(
    "ol",
    { class: "way" },
    state.steps.map((step, place) => h("li", { class: place < now ? "done" : "", "aria-current": place === now ? "step" : null }, stepName(step))),
  );
}

function done() {
  const { right, kept, line, name, trouble } = state.verdict;
  const again = (kind) => button("again", t("calibrate.again"), () => act("end"), kind);
  const keep = (text, kind) => button("keep", t(text), () => act("keep"), kind);
  const ways = { kept: [h("a", { class: "btn main big", href: "/", "data-key": "to-table" }, t("calibrate.to_table")), again("quiet")], full: [keep("calibrate.keep_again", "main big"), again("quiet")], wrong: [again("main big"), keep("calibrate.keep")] };
  return [
    h("h2", {}, t("calibrate.verdict")),
    h("p", { class: right ? "say" : "say note bad", id: "verdict" }, words(line)),
    trouble ? h("p", { class: "note bad", id: "trouble" }, words(trouble)) : null,
    h("p", {}, kept ? t("calibrate.kept", { name }) : t("calibrate.not_kept")),
    h("div", { class: "row" }, ways[kept ? "kept" : trouble ? "full" : "wrong"]),
    trays(),
  ];
}

function failed() {
  const [what, remedy] = state.error;
  const whole = what.key.startsWith("trouble.");
  return [
    h("h2", {}, t("calibrate.stopped")),
    h("p", { class: "note bad", id: "verdict" }, words(what), whole ? null : ` ${words(remedy)}`),
    h("div", { class: "row" }, button("again", t("calibrate.again"), again, "main big")),
  ];

  function again() {
    wish.sized ||= what.key === "calibrate.other_size"; // the form opens where the size is said
    return act("end");
  }
}

function drawSteps(where) {
  const order = state.steps ?? state.shown;
  const seen = order.filter((step) => state.shown.includes(step));
  put(where, seen.map((step) =>
    h("figure", { class: "card" },
      h("img", { class: "seen", src: `/api/v1/calibration/steps/${step}.jpg`, alt: t("calibrate.step_alt", { step: stepName(step) }) }),
      h("figcaption", {}, stepName(step)))));
}

const dye = (name) => (known(`dye.${name}`) ? t(`dye.${name}`) : name);

/** A sentence of the walk in this device's language; English where it has no key. */
function words({ key, params, sentence }) {
  if (!key || !known(key)) return sentence;
  const own = { ...params };
  if (params.colour) own.colour = dye(params.colour);
  if (params.counts) own.counts = Object.entries(params.counts).filter(([, n]) => n).map(([name, n]) => t("calibrate.some", { n, colour: dye(name) })).join(", ") || t("nothing");
  if (params.doubts) own.doubts = params.doubts.map((doubt) => t(`doubt.${doubt}`)).join(" ") || t("calibrate.see_doctor");
  return t(key, own);
}

await start();
setInterval(look, EVERY_MS);
listen(() => {}, (up) => setConnected(up, "calibrate", start));
