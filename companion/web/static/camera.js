// The camera page: this phone as the table's camera, a photo, or a network camera; and what the reader sees.
import { author, isPutOff, listen, refusalText, timeoutSignal } from "./api.js";
import { cubeLine } from "./cubes.js";
import { requestHeaders } from "./device.js";
import { h, put } from "./dom.js";
import { loadMessages, t } from "./i18n.js";
import { tabStore } from "./kept.js";
import {
  captureFrame,
  channelMedians,
  freeLight,
  holdsFocus,
  isOtherLight,
  keepScreenOn,
  liveVideoObstacle,
  lockLight,
  openLens,
  preparePhoto,
} from "./lens.js";
import { findingOverlay } from "./finding.js";
import { matCard } from "./matcard.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";
import { addressCard, photoCard, statusCard, secureCard } from "./cameraways.js";
import { troubleText } from "./words.js";

const place = document.getElementById("camera");
const CHECK_EVERY_MS = 2500;
const AGAIN_MS = 1500;
const PICTURE_MS = 40000; // for sending a photo; the reader gets 25 s
const ADAPTS_MS = 3000; // automatic exposure settles in one to two seconds
const WATCHED_MS = 1000;
const HOLDS = 3;
const OUTLIVED = 2; // looks in a row at which what was locked no longer fits
const SOON_MS = 200;
const JSON_TYPE = { "Content-Type": "application/json" };
const REFUSED = { 413: "picture_large", 415: "picture_other" }; // messages for these statuses of a photo
const LOST = { ok: false, status: 0, body: { error: { key: "network", params: {} } } };

const page = {
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
let key = tabStore.get("tenshu.camera") ?? "";
let takenStart = ""; // the start id of Tenshu for which the key is valid
let currentRun = 0;
let aborter = new AbortController(); // aborts the pending requests of this turn as camera

const invite = new URLSearchParams(location.hash.slice(1)).get("k") ?? "";
const headers = () => ({ ...requestHeaders(), "X-Camera-Key": key, "X-Camera-Invite": invite });

async function fetchState() {
  const response = await fetch("/api/v1/camera", { headers: headers() });
  if (isPutOff(response.status)) throw new Error(response.statusText);
  if (response.ok) page.state = await response.json();
}

/** Fetch the state, retrying in the background: the phone keeps working without it. */
async function refreshState() {
  try {
    await fetchState();
  } catch {
    setTimeout(() => refreshState().then(draw), AGAIN_MS);
  }
}

function draw() {
  const { state: current } = page;
  if (!current) return;
  // animate the cards once, not with each reading
  document.body.classList.toggle("still", place.childElementCount > 0);
  // the same field element is moved into the new card
  const typing = document.activeElement?.id === "address";
  put(document.getElementById("notice"), page.refusal ? h("p", { class: "note bad" }, page.refusal) : null);
  put(
    place,
    h("h1", {}, t("camera_page")),
    page.stream ? runningCard() : null,
    h(
      "div",
      { class: "ways" },
      page.stream
        ? null
        : [
            statusCard(current, { start, obstacle: liveVideoObstacle() }),
            secureCard(current, liveVideoObstacle()),
            photoCard(page, { readPhoto: photograph }),
            current.host ? addressCard(current, { useAddress }) : null,
          ],
    ),
  );
  if (typing) document.getElementById("address")?.focus({ preventScroll: true });
}

function runningCard() {
  page.video ??= h("video", {
    autoplay: true,
    muted: true,
    playsinline: true,
    "aria-label": t("camera.live"),
  });
  if (page.video.srcObject !== page.stream) {
    // Safari checks the property, and does not autoplay anything that could make sound
    page.video.muted = true;
    page.video.srcObject = page.stream;
    page.video.play().catch(() => {}); // the attribute suffices in other browsers
  }
  const mine = page.state.phone?.mine;
  return h(
    "section",
    { class: "card", "data-key": "running" },
    h("h2", {}, t(mine ? "camera.running" : "camera.replaced")),
    h("div", { class: "finder" }, page.video, page.reading ? findingOverlay(page.reading) : null),
    h(
      "div",
      { class: "says", role: "status", id: "says" },
      h("p", {}, page.says || t("camera.aim")),
      page.reading ? cubeLine(page.reading.counts, Object.keys(page.reading.counts)) : null,
    ),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "btn", "data-key": "stop", onclick: stop }, t("camera.stop")),
    ),
    h("p", { class: "muted small", "data-key": "light" }, t(`camera.light.${page.light}`)),
    h("p", { class: "muted small" }, t("camera.keep_open")),
  );
}

let isStarting = false; // a second tap would open a second stream, which nobody stops

async function start() {
  if (isStarting) return;
  isStarting = true;
  page.refusal = "";
  try {
    await takeCamera();
  } finally {
    isStarting = false;
  }
}

async function takeCamera() {
  let stream;
  try {
    stream = await openLens();
  } catch (error) {
    page.refusal = t(error.name === "NotAllowedError" ? "camera.denied" : "camera.none_here");
    return draw();
  }
  const answer = await request("take", JSON.stringify({ author: author(), invite }), JSON_TYPE);
  if (!answer.ok) {
    stream.getTracks().forEach((track) => track.stop());
    page.refusal = refusalText(answer.body.error);
    return draw();
  }
  key = answer.body.key;
  tabStore.set("tenshu.camera", key);
  Object.assign(page, { stream, reading: null, says: "", light: "settling" });
  stream.getVideoTracks()[0].addEventListener("ended", stop);
  await refreshState();
  takenStart = page.state.start;
  draw();
  keepScreenOn();
  const run = ++currentRun;
  aborter = new AbortController();
  sendFrames(run);
  checkFrames(run);
  keepLight(run);
}

const isHeld = () => page.light === "locked" || page.light === "partly";

/**
 * Lock exposure and white balance once they have settled, retrying if the picture changed, and anew when they
 * no longer fit; each frame reports the state.
 */
async function keepLight(run) {
  const [track] = page.stream.getVideoTracks();
  for (;;) {
    for (let turn = 0; turn < HOLDS && !isHeld(); turn++) {
      await pause(ADAPTS_MS);
      if (run !== currentRun) return;
      const light = await lockLight(track, page.video, () => pause(WATCHED_MS));
      if (run !== currentRun) return;
      page.light = light;
      draw();
    }
    if (!isHeld()) return;
    await untilOutlived(run, track);
    if (run !== currentRun) return;
    page.light = "settling";
    draw();
    await freeLight(track);
  }
}

/**
 * Wait until what was locked no longer fits: the phone was locked in the hand and then put onto its stand, or
 * a lamp was lit.
 */
async function untilOutlived(run, track) {
  const before = channelMedians(page.video);
  for (let looks = 0; looks < OUTLIVED && run === currentRun;) {
    await pause(CHECK_EVERY_MS);
    if (run !== currentRun) return;
    const isBlurred = holdsFocus(track) && page.reading?.doubts.some((doubt) => doubt.key === "blurred");
    looks = isBlurred || isOtherLight(before, channelMedians(page.video)) ? looks + 1 : 0;
  }
}

async function stop() {
  currentRun++;
  aborter.abort(); // a frame that arrives after `leave` would be refused
  page.stream?.getTracks().forEach((track) => track.stop());
  Object.assign(page, { stream: null, video: null, reading: null });
  await request("leave", null, {});
  key = "";
  tabStore.drop("tenshu.camera");
  await refreshState();
  draw();
}

/** Send frames one at a time: the next is taken once the last has arrived, so that none is ever stale. */
async function sendFrames(run) {
  let wait = 0;
  while (run === currentRun) {
    await pause(wait);
    if (run !== currentRun) return;
    const blob = await captureFrame(page.video);
    if (run !== currentRun) return;
    const answer = blob
      ? await request(`frame?light=${page.light}`, blob, { "Content-Type": "image/jpeg" }, aborter.signal)
      : null;
    if (run !== currentRun) return;
    wait = answer ? (answer.body.next_ms ?? AGAIN_MS) : SOON_MS;
    if (!answer) continue;
    if (answer.status === 429) wait = SOON_MS;
    if (answer.status === 403 && (await retake())) continue;
    if (answer.status === 403) {
      page.refusal = refusalText(answer.body.error);
      return stop();
    }
  }
}

/**
 * After a restart the server knows no phone: take the camera again unless another took its place. True: keep
 * sending.
 */
async function retake() {
  try {
    await fetchState();
  } catch {
    return true; // no network: the next frame is refused again
  }
  if (page.state.phone || page.state.start === takenStart) return false; // the host chose another camera
  const answer = await request(
    "take",
    JSON.stringify({ author: author(), invite }),
    JSON_TYPE,
    aborter.signal,
  );
  if (!answer.ok) return false;
  key = answer.body.key;
  tabStore.set("tenshu.camera", key);
  takenStart = page.state.start;
  await refreshState();
  draw();
  return true;
}

/** Regularly ask what the reader sees, as an aid for aiming. */
async function checkFrames(run) {
  while (run === currentRun) {
    await pause(CHECK_EVERY_MS);
    if (run !== currentRun || document.hidden) continue;
    const answer = await request("check", null, {}, aborter.signal);
    if (run !== currentRun) return;
    if (answer.ok) {
      page.reading = answer.body.reading;
      page.says = readingWords(answer.body);
      draw();
    }
  }
}

function readingWords(answer) {
  const { reading } = answer;
  // a lens cap goes before the doubts that follow from it
  if (!reading || answer.sentence) return troubleText(answer);
  const [doubt] = reading.doubts;
  return doubt
    ? t(`doubt.${doubt.key}`, { sentence: doubt.sentence })
    : t("camera.sees", { n: reading.cubes.length });
}

async function photograph(file) {
  // the last photo's result does not apply to this one
  Object.assign(page, { busy: true, photo: null, refusal: "" });
  draw();
  const { canvas, blob } = await preparePhoto(file);
  const answer = await request("photo", blob, { "Content-Type": blob.type || "image/jpeg" });
  const refused = answer.ok
    ? ""
    : REFUSED[answer.status]
      ? t(`trouble.${REFUSED[answer.status]}`)
      : refusalText(answer.body.error);
  page.busy = false;
  page.photo = answer.ok ? { canvas, ...answer.body, words: readingWords(answer.body) } : { refused };
  await refreshState();
  draw();
  // the result and the next step
  document.getElementById("photo")?.closest(".card").lastElementChild.scrollIntoView({ block: "nearest" });
}

async function useAddress(address) {
  const answer = await request("address", JSON.stringify({ address }), JSON_TYPE);
  page.refusal = answer.ok ? "" : refusalText(answer.body.error);
  await refreshState();
  draw();
  return answer.ok;
}

async function request(path, body, more, signal = null) {
  try {
    const response = await fetch(`/api/v1/camera/${path}`, {
      method: "POST",
      headers: { ...headers(), ...more },
      body,
      signal: timeoutSignal(PICTURE_MS, signal),
    });
    return { ok: response.ok, status: response.status, body: await response.json() };
  } catch {
    return LOST;
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function takeTableView(view) {
  if (!page.state) return;
  const before = JSON.stringify(page.state.health) + page.state.phase;
  page.state.health = view.health.camera;
  page.state.phase = view.phase;
  if (JSON.stringify(page.state.health) + page.state.phase !== before) refreshState().then(draw);
}

async function startPage() {
  await loadMessages();
  document.title = `Tenshu · ${t("camera_page")}`;
  drawTop("camera", startPage);
  await fetchState();
  draw();
  matCard(document.getElementById("mat"), true);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && page.stream) keepScreenOn();
});
await startWithRetries(startPage, "camera");
listen(takeTableView, (now) => setConnected(now, "camera", startPage));
