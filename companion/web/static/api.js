// The server is the only truth: commands by POST, the table by one stream.
import { device, headers, held, here, nowAt } from "./device.js";
import { colour, known, t } from "./i18n.js";
import { always } from "./kept.js";
import { tell } from "./spoken.js";
import { sends } from "./twice.js";

/** How the log calls who has given no name: the same in every language, and told in the reader's. */
export const NAMELESS = "guest";
export const author = () => always.get("tenshu.name") || NAMELESS;

/** POST; resolves to {ok, body}. A refusal carries the present table, which the caller shows. */
export function post(path, body) {
  return send(path, { author: author(), ...(here() ? { table: here() } : {}), ...body });
}

const ANSWERS_MS = 8000;
/** The status of an answer of a computer that has no time now. */
export const BUSY = 503;
let stateHeard = () => {}; // the page's own, once it listens
let unanswered = false; // what was asked last had no answer

/** Ends a request that takes longer, or when `over` does: where the network dies in silence nothing else does. */
export function within(ms = ANSWERS_MS, over = null) {
  const late = new AbortController();
  setTimeout(() => late.abort(), ms);
  over?.addEventListener("abort", () => late.abort());
  return late.signal;
}

let onItsWay = null; // what was posted last, and no answer has come yet

/** GET, or POST of just this body, as who holds this seat; resolves to {ok, status, body}, with a refusal in the body when nobody answered.
    The same once more while it is on its way, as by a second tap, is the same: else who taps twice reads that somebody was faster. */
export function send(path, body, ms = ANSWERS_MS, seat = held()) {
  if (!body) return exchange(path, body, ms, seat);
  sends();
  const words = JSON.stringify([path, body, seat]);
  if (onItsWay?.words === words) return onItsWay.answer;
  const mine = (onItsWay = { words, answer: exchange(path, body, ms, seat) });
  mine.answer.then(() => onItsWay === mine && (onItsWay = null));
  return mine.answer;
}

/** What the table answers to a GET of this path; throws where it does not. */
export async function got(path) {
  const { ok, status, body } = await send(path);
  if (!ok) throw new Error(`${path} ${status}`);
  if (path === "table") begun = body;
  return body;
}

let begun = null; // the view that a page began with: the stream need not bring it once more

async function exchange(path, body, ms, seat) {
  const asked = body ? { method: "POST", headers: { ...headers(seat), "Content-Type": "application/json" }, body: JSON.stringify(body) } : { headers: headers(seat), cache: "no-store" };
  try {
    const response = await fetch(`/api/v1/${path}`, { ...asked, signal: within(ms) });
    const answer = { ok: response.ok, status: response.status, body: await response.json() };
    isThere();
    if (!body && response.status === BUSY) missed();
    return answer;
  } catch {
    unanswered = true;
    stateHeard(false);
    if (!body) missed();
    return { ok: false, status: 0, body: { error: { key: "network", sentence: t("error.network"), params: {} } } };
  }
}

/** A sign of life; the first after a silence is told as such. */
function isThere(again = unanswered) {
  unanswered = false;
  if (again) stateHeard(true, true);
}

/** What a page says of a refusal once the stream is back: silence is over then, but what was tapped into it may be lost. */
export const afterSilence = (told) => (told === t("error.network") ? t("error.unanswered") : told);

/** What a refusal says in this device's language. */
export function said(error) {
  const params = { ...error.params, n: error.params?.have ?? 0, sentence: error.sentence };
  if (params.more) params.colour = Object.keys(params.more).map(colour).join(", ");
  else if (params.colour) params.colour = colour(params.colour);
  return known(`error.${error.key}`) ? t(`error.${error.key}`, params) : error.sentence;
}

/** Until what did not come is asked for again. */
export const AGAIN_MS = 3000;
let viewAgain = () => {}; // the whole view comes once more
let whole = true; // so far all came that was asked for
export const isWhole = () => whole;
let coming = null; // it will

/** A page asks for more beside each view. What did not come would never, where nothing happens at the table. */
function missed() {
  begun = null;
  whole = false;
  coming ??= setTimeout(() => {
    coming = null;
    viewAgain();
  }, AGAIN_MS);
}

const SILENT_MS = 20000; // the server says every 8 s that it is here

/** Listen to the table; sleeps while the page is hidden (browsers allow six connections), wakes with the whole view.
    `onState` hears whether the table's computer is there, and whether it was found again just now. */
export function listen(onTable, onState) {
  let source = null;
  let silence = null;
  let shown = begun;
  stateHeard = onState;
  const lost = () => onState(false);
  const hear = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      lost();
      anew();
    }, SILENT_MS);
  };
  const open = () => {
    if (source || document.hidden) return;
    const after = shown ? { after: `${shown.start}.${shown.rev}` } : {};
    shown = null; // once: what is opened anew brings the whole view
    source = new EventSource(`/api/v1/events?${new URLSearchParams({ device: device(), name: author(), page: location.pathname.slice(1) || "battle", ...after })}`);
    hear();
    source.addEventListener("open", () => {
      hear();
      isThere(true);
      if (held()) send("seats"); // after a restart too the host sees who sits where
    });
    source.addEventListener("error", () => {
      lost();
      if (source?.readyState === EventSource.CLOSED) again(); // an answer that was no stream: browsers do not ask twice
    });
    source.addEventListener("here", () => {
      hear();
      isThere();
    });
    source.addEventListener("table", (event) => {
      hear();
      isThere();
      onState(true);
      const table = JSON.parse(event.data);
      nowAt(table.table);
      onTable(table);
      everywhere(table);
    });
  };
  const close = () => {
    clearTimeout(silence);
    source?.close();
    source = null;
  };
  const anew = () => {
    close();
    open();
  };
  const again = () => {
    close();
    setTimeout(open, AGAIN_MS);
  };
  viewAgain = anew;
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  for (const change of ["offline", "online"]) addEventListener(change, anew); // the old line may be dead and not say so; the table's own computer needs none
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  if (shown) {
    nowAt(shown.table);
    everywhere(shown);
  }
  open();
}

/** For what stands on every page. */
function everywhere(table) {
  tell(table);
  document.dispatchEvent(new CustomEvent("view", { detail: table }));
}
