// The server is the single source of truth: commands go by POST, the table comes through one event stream.
import { currentTable, deviceId, heldSeat, requestHeaders, setCurrentTable } from "./device.js";
import { colour, hasMessage, t, usePlainColours } from "./i18n.js";
import { deviceStore } from "./kept.js";
import { speakNews } from "./spoken.js";
import { noteSend } from "./twice.js";

/** The log's name for someone without a name: the same in every language, and translated for display. */
export const NAMELESS = "guest";
export const author = () => deviceStore.get("tenshu.name") || NAMELESS;

/** POST; resolves to {ok, body}. A refusal carries the current table, which the caller shows. */
export function post(path, body) {
  return send(path, { author: author(), ...(currentTable() ? { table: currentTable() } : {}), ...body });
}

const ANSWER_TIMEOUT_MS = 8000;
/** Whether this HTTP status only puts a request off: the server is busy, or was asked too often. */
export const isPutOff = (status) => status === 503 || status === 429;
let reportState = () => {}; // set by the page in `listen`
let unanswered = false; // the last request got no answer

/**
 * Signal that aborts a request after `ms`, or with `outerSignal`: nothing else ends it if the network dies
 * silently.
 */
export function timeoutSignal(ms = ANSWER_TIMEOUT_MS, outerSignal = null) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  outerSignal?.addEventListener("abort", () => controller.abort());
  return controller.signal;
}

let pendingPost = null; // the last POST while it is still unanswered

/**
 * GET, or POST of exactly this body, with the key of `seat`; resolves to {ok, status, body}, with a refusal
 * in the body if nobody answered. An identical POST during the first one, as by a second tap, shares its
 * answer; otherwise a double tap would be refused as outdated.
 */
export function send(path, body, ms = ANSWER_TIMEOUT_MS, seat = heldSeat()) {
  if (!body) return exchange(path, body, ms, seat);
  noteSend();
  const requestText = JSON.stringify([path, body, seat]);
  if (pendingPost?.words === requestText) return pendingPost.answer;
  const pending = (pendingPost = { words: requestText, answer: exchange(path, body, ms, seat) });
  pending.answer.then(() => pendingPost === pending && (pendingPost = null));
  return pending.answer;
}

/** The body of a GET of this path; throws if the request fails. */
export async function fetchBody(path) {
  const { ok, status, body } = await send(path);
  if (!ok) throw new Error(`${path} ${status}`);
  if (path === "table") nameColours((firstView = body));
  return body;
}

let firstView = null; // the view that the page started with: the stream need not send it again

async function exchange(path, body, ms, seat) {
  const options = body
    ? {
        method: "POST",
        headers: { ...requestHeaders(seat), "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }
    : { headers: requestHeaders(seat), cache: "no-store" };
  try {
    const response = await fetch(`/api/v1/${path}`, { ...options, signal: timeoutSignal(ms) });
    const answer = { ok: response.ok, status: response.status, body: await response.json() };
    noteAnswer();
    if (!body && isPutOff(response.status)) retryLater();
    return answer;
  } catch {
    unanswered = true;
    reportState(false);
    if (!body) retryLater();
    return {
      ok: false,
      status: 0,
      body: { error: { key: "network", sentence: t("error.network"), params: {} } },
    };
  }
}

/** Note a sign of life; after a silence, tell the page that the server is back. */
function noteAnswer(wasSilent = unanswered) {
  unanswered = false;
  if (wasSilent) reportState(true, true);
}

/**
 * The refusal to show once the stream is back: the network error is over, but a tap during it may be lost.
 */
export const messageAfterSilence = (message) =>
  message === t("error.network") ? t("error.unanswered") : message;

/** A refusal in this device's language. */
export function refusalText(error) {
  const params = { ...error.params, n: error.params?.have ?? 0, sentence: error.sentence };
  if (params.more) params.colour = Object.keys(params.more).map(colour).join(", ");
  else if (params.colour) params.colour = colour(params.colour);
  return hasMessage(`error.${error.key}`) ? t(`error.${error.key}`, params) : error.sentence;
}

/** Delay before a failed request is repeated. */
export const RETRY_MS = 3000;
let refetchView = () => {}; // fetches the whole view again
let allAnswered = true; // every GET so far was answered
export const isEverythingAnswered = () => allAnswered;
let retryTimer = null; // timer of the next retry

/**
 * A GET failed: fetch the view again, since pages repeat their own GETs with each view and none may come for
 * long.
 */
function retryLater() {
  firstView = null;
  allAnswered = false;
  retryTimer ??= setTimeout(() => {
    retryTimer = null;
    refetchView();
  }, RETRY_MS);
}

const SILENT_MS = 20000; // the server's heartbeat comes every 8 s

/**
 * Listen to the table; disconnects while the page is hidden (browsers allow six connections), then fetches
 * the whole view. `onState(up, again)` is told whether the table's computer answers, and whether it has just
 * come back.
 */
export function listen(onTable, onState) {
  let source = null;
  let silence = null;
  let initialView = firstView;
  reportState = onState;
  const reportLost = () => onState(false);
  const restartSilence = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      reportLost();
      reopen();
    }, SILENT_MS);
  };
  const open = () => {
    if (source || document.hidden) return;
    const after = initialView ? { after: `${initialView.start}.${initialView.rev}` } : {};
    initialView = null; // only once: a reopened stream sends the whole view
    const page = location.pathname.slice(1) || "battle";
    const query = new URLSearchParams({ device: deviceId(), name: author(), page, ...after });
    source = new EventSource(`/api/v1/events?${query}`);
    restartSilence();
    source.addEventListener("open", () => {
      restartSilence();
      noteAnswer(true);
      if (heldSeat()) send("seats"); // so that the host sees who sits where after a restart too
    });
    source.addEventListener("error", () => {
      reportLost();
      // the answer was no stream: browsers do not retry then
      if (source?.readyState === EventSource.CLOSED) reopenLater();
    });
    source.addEventListener("here", () => {
      restartSilence();
      noteAnswer();
    });
    source.addEventListener("table", (event) => {
      restartSilence();
      noteAnswer();
      onState(true);
      const table = JSON.parse(event.data);
      setCurrentTable(table.table);
      nameColours(table);
      onTable(table);
      publishView(table);
    });
  };
  const close = () => {
    clearTimeout(silence);
    source?.close();
    source = null;
  };
  const reopen = () => {
    close();
    open();
  };
  const reopenLater = () => {
    close();
    setTimeout(open, RETRY_MS);
  };
  refetchView = reopen;
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  // the old connection may be dead unnoticed; the serving computer needs no network
  for (const change of ["offline", "online"]) addEventListener(change, reopen);
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  if (initialView) {
    setCurrentTable(initialView.table);
    publishView(initialView);
  }
  open();
}

/** Name colours as this table's game does, before anything of it is drawn. */
function nameColours({ game }) {
  if (game) usePlainColours(!game.cubes);
}

/** Pass the view on to the parts that every page has. */
function publishView(table) {
  speakNews(table);
  document.dispatchEvent(new CustomEvent("view", { detail: table }));
}
