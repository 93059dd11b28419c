// The camera page: this phone as the table's camera, a photo, or a network camera; and what the reader sees.
import { BUSY, author, listen, said, within } from "./api.js";
import { line } from "./cubes.js";
import { headers as deviceHeaders } from "./device.js";
import { h, put } from "./dom.js";
import { loadMessages, t } from "./i18n.js";
import { thisTab } from "./kept.js";
import { hindered, holdLight, openLens, photoOf, shot, stayAwake } from "./lens.js";
import { finding } from "./finding.js";
import { matCard } from "./matcard.js";
import { drawTop, setConnected, untilThere } from "./top.js";
import { addressCard, photoCard, statusCard, secureCard } from "./cameraways.js";
import { ailing } from "./words.js";

const place = document.getElementById("camera");
const CHECK_EVERY_MS = 2500;
const AGAIN_MS = 1500;
const PICTURE_MS = 40000; // for sending a photo; the reader gets 25 s
const ADAPTS_MS = 3000; // automatic exposure settles in one to two seconds
const WATCHED_MS = 1000;
const HOLDS = 3;
const SOON_MS = 200;
const JSON_TYPE = { "Content-Type": "application/json" };
const REFUSED = { 413: "picture_large", 415: "picture_other" }; // messages for these statuses of a photo
const LOST = { ok: false, status: 0, body: { error: { key: "network", params: {} } } };

const here = {
  state: null,
  stream: null,
  video: null,
  reading: null,
  says: "",
  photo: null,
  refusal: "",
  busy: false,
  light: "settling",
};
let key = thisTab.get("tenshu.camera") ?? "";
let taken = ""; // the start id of Tenshu for which the key is valid
let stopping = 0;
let over = new AbortController(); // aborts the pending requests of this turn as camera

const invite = new URLSearchParams(location.hash.slice(1)).get("k") ?? "";
const headers = () => ({ ...deviceHeaders(), "X-Camera-Key": key, "X-Camera-Invite": invite });

async function state() {
  const response = await fetch("/api/v1/camera", { headers: headers() });
  if (response.status === BUSY) throw new Error(response.statusText);
  if (response.ok) here.state = await response.json();
}

/** Fetch the state, retrying in the background: the phone keeps working without it. */
async function stateOfNow() {
  try {
    await state();
  } catch {
    setTimeout(() => stateOfNow().then(draw), AGAIN_MS);
  }
}

function draw() {
  const { state: now } = here;
  if (!now) return;
  // animate the cards once, not with each reading
  document.body.classList.toggle("still", place.childElementCount > 0);
  // the same field element is moved into the new card
  const typing = document.activeElement?.id === "address";
  put(document.getElementById("notice"), here.refusal ? h("p", { class: "note bad" }, here.refusal) : null);
  put(
    place,
    h("h1", {}, t("camera_page")),
    here.stream ? running() : null,
    h(
      "div",
      { class: "ways" },
      here.stream
        ? null
        : [
            statusCard(now, { start, hindered: hindered() }),
            secureCard(now, hindered()),
            photoCard(here, { take: photograph }),
            now.host ? addressCard(now, { use }) : null,
          ],
    ),
  );
  if (typing) document.getElementById("address")?.focus({ preventScroll: true });
}

function running() {
  here.video ??= h("video", {
    autoplay: true,
    muted: true,
    playsinline: true,
    "aria-label": t("camera.live"),
  });
  if (here.video.srcObject !== here.stream) {
    // Safari checks the property, and does not autoplay anything that could make sound
    here.video.muted = true;
    here.video.srcObject = here.stream;
    here.video.play().catch(() => {}); // the attribute suffices in other browsers
  }
  const mine = here.state.phone?.mine;
  return h(
    "section",
    { class: "card", "data-key": "running" },
    h("h2", {}, t(mine ? "camera.running" : "camera.replaced")),
    h("div", { class: "finder" }, here.video, here.reading ? finding(here.reading) : null),
    h(
      "div",
      { class: "says", role: "status", id: "says" },
      h("p", {}, here.says || t("camera.aim")),
      here.reading ? line(here.reading.counts, Object.keys(here.reading.counts)) : null,
    ),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "btn", "data-key": "stop", onclick: stop }, t("camera.stop")),
    ),
    h("p", { class: "muted small", "data-key": "light" }, t(`camera.light.${here.light}`)),
    h("p", { class: "muted small" }, t("camera.keep_open")),
  );
}

async function start() {
  here.refusal = "";
  let stream;
  try {
    stream = await openLens();
  } catch (error) {
    here.refusal = t(error.name === "NotAllowedError" ? "camera.denied" : "camera.none_here");
    return draw();
  }
  const answer = await raw("take", JSON.stringify({ author: author(), invite }), JSON_TYPE);
  if (!answer.ok) {
    stream.getTracks().forEach((track) => track.stop());
    here.refusal = said(answer.body.error);
    return draw();
  }
  key = answer.body.key;
  thisTab.set("tenshu.camera", key);
  Object.assign(here, { stream, reading: null, says: "", light: "settling" });
  stream.getVideoTracks()[0].addEventListener("ended", stop);
  await stateOfNow();
  taken = here.state.start;
  draw();
  stayAwake();
  const run = ++stopping;
  over = new AbortController();
  send(run);
  check(run);
  hold(run);
}

/**
 * Lock exposure and white balance once they have settled, retrying if the picture changed; each frame reports
 * the state.
 */
async function hold(run) {
  for (let turn = 0; turn < HOLDS && here.light !== "locked" && here.light !== "partly"; turn++) {
    await pause(ADAPTS_MS);
    if (run !== stopping) return;
    const light = await holdLight(here.stream.getVideoTracks()[0], here.video, () => pause(WATCHED_MS));
    if (run !== stopping) return;
    here.light = light;
    draw();
  }
}

async function stop() {
  stopping++;
  over.abort(); // a frame that arrives after `leave` would be refused
  here.stream?.getTracks().forEach((track) => track.stop());
  Object.assign(here, { stream: null, video: null, reading: null });
  await raw("leave", null, {});
  key = "";
  thisTab.drop("tenshu.camera");
  await stateOfNow();
  draw();
}

/** Send frames one at a time: the next is taken once the last has arrived, so that none is ever stale. */
async function send(run) {
  let wait = 0;
  while (run === stopping) {
    await pause(wait);
    if (run !== stopping) return;
    const blob = await shot(here.video);
    if (run !== stopping) return;
    const answer = blob
      ? await raw(`frame?light=${here.light}`, blob, { "Content-Type": "image/jpeg" }, over.signal)
      : null;
    if (run !== stopping) return;
    wait = answer ? (answer.body.next_ms ?? AGAIN_MS) : SOON_MS;
    if (!answer) continue;
    if (answer.status === 429) wait = SOON_MS;
    if (answer.status === 403 && (await takenAgain())) continue;
    if (answer.status === 403) {
      here.refusal = said(answer.body.error);
      return stop();
    }
  }
}

/**
 * After a restart the server knows no phone: take the camera again unless another took its place. True: keep
 * sending.
 */
async function takenAgain() {
  try {
    await state();
  } catch {
    return true; // no network: the next frame is refused again
  }
  if (here.state.phone || here.state.start === taken) return false; // the host chose another camera
  const answer = await raw("take", JSON.stringify({ author: author(), invite }), JSON_TYPE, over.signal);
  if (!answer.ok) return false;
  key = answer.body.key;
  thisTab.set("tenshu.camera", key);
  taken = here.state.start;
  await stateOfNow();
  draw();
  return true;
}

/** Regularly ask what the reader sees, as an aid for aiming. */
async function check(run) {
  while (run === stopping) {
    await pause(CHECK_EVERY_MS);
    if (run !== stopping || document.hidden) continue;
    const answer = await raw("check", null, {}, over.signal);
    if (run !== stopping) return;
    if (answer.ok) {
      here.reading = answer.body.reading;
      here.says = inWords(answer.body);
      draw();
    }
  }
}

function inWords(answer) {
  const { reading } = answer;
  // a lens cap goes before the doubts that follow from it
  if (!reading || answer.sentence) return ailing(answer);
  const [doubt] = reading.doubts;
  return doubt
    ? t(`doubt.${doubt.key}`, { sentence: doubt.sentence })
    : t("camera.sees", { n: reading.cubes.length });
}

async function photograph(file) {
  // the last photo's result does not apply to this one
  Object.assign(here, { busy: true, photo: null, refusal: "" });
  draw();
  const { canvas, blob } = await photoOf(file);
  const answer = await raw("photo", blob, { "Content-Type": blob.type || "image/jpeg" });
  const refused = answer.ok
    ? ""
    : REFUSED[answer.status]
      ? t(`trouble.${REFUSED[answer.status]}`)
      : said(answer.body.error);
  here.busy = false;
  here.photo = answer.ok ? { canvas, ...answer.body, words: inWords(answer.body) } : { refused };
  await stateOfNow();
  draw();
  // the result and the next step
  document.getElementById("photo")?.closest(".card").lastElementChild.scrollIntoView({ block: "nearest" });
}

async function use(address) {
  const answer = await raw("address", JSON.stringify({ address }), JSON_TYPE);
  here.refusal = answer.ok ? "" : said(answer.body.error);
  await stateOfNow();
  draw();
  return answer.ok;
}

async function raw(path, body, more, ends = null) {
  try {
    const response = await fetch(`/api/v1/camera/${path}`, {
      method: "POST",
      headers: { ...headers(), ...more },
      body,
      signal: within(PICTURE_MS, ends),
    });
    return { ok: response.ok, status: response.status, body: await response.json() };
  } catch {
    return LOST;
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function heard(view) {
  if (!here.state) return;
  const before = JSON.stringify(here.state.health) + here.state.phase;
  here.state.health = view.health.camera;
  here.state.phase = view.phase;
  if (JSON.stringify(here.state.health) + here.state.phase !== before) stateOfNow().then(draw);
}

async function begin() {
  await loadMessages();
  drawTop("camera", begin);
  await state();
  draw();
  matCard(document.getElementById("mat"), true);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && here.stream) stayAwake();
});
await untilThere(begin, "camera");
listen(heard, (now) => setConnected(now, "camera", begin));
