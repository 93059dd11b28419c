// The server is the only truth: commands by POST, the table by one stream.
import { device, headers, held, here, nowAt } from "./device.js";
import { colour, known, t } from "./i18n.js";
import { tell } from "./spoken.js";

export const author = () => localStorage.getItem("tenshu.name") || t("unknown_device");

/** POST; resolves to {ok, body}. A refusal carries the present table, which the caller shows. */
export function post(path, body) {
  return send(path, { author: author(), ...(here() ? { table: here() } : {}), ...body });
}

/** GET, or POST of just this body; resolves to {ok, status, body}, with a refusal in the body when nobody answered. */
export async function send(path, body) {
  const asked = body ? { method: "POST", headers: { ...headers(), "Content-Type": "application/json" }, body: JSON.stringify(body) } : { headers: headers(), cache: "no-store" };
  try {
    const response = await fetch(`/api/v1/${path}`, asked);
    return { ok: response.ok, status: response.status, body: await response.json() };
  } catch {
    return { ok: false, status: 0, body: { error: { key: "network", sentence: t("error.network"), params: {} } } };
  }
}

/** What a page still says of a refusal once the stream is back: silence is over then, anything else stands. */
export const unlessSilence = (told) => (told === t("error.network") ? null : told);

/** What a refusal says in this device's language. */
export function said(error) {
  const params = { ...error.params, n: error.params?.have ?? 0, sentence: error.sentence };
  if (params.more) params.colour = Object.keys(params.more).map(colour).join(", ");
  else if (params.colour) params.colour = colour(params.colour);
  return known(`error.${error.key}`) ? t(`error.${error.key}`, params) : error.sentence;
}

const AGAIN_MS = 3000;

/** Listen to the table; sleeps while the page is hidden (browsers allow six connections), wakes with the whole view.
    `onState` hears whether the table's computer is there, and whether it was found again just now. */
export function listen(onTable, onState) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(`/api/v1/events?${new URLSearchParams({ device: device(), name: author(), page: location.pathname.slice(1) || "battle" })}`);
    source.addEventListener("open", () => {
      onState(true, true);
      if (held()) send("seats"); // after a restart too the host sees who sits where
    });
    source.addEventListener("error", () => {
      onState(false);
      if (source?.readyState === EventSource.CLOSED) again(); // an answer that was no stream: browsers do not ask twice
    });
    source.addEventListener("table", (event) => {
      onState(true);
      const table = JSON.parse(event.data);
      nowAt(table.table);
      onTable(table);
      tell(table);
      document.dispatchEvent(new CustomEvent("asks", { detail: table.asks }));
    });
  };
  const close = () => {
    source?.close();
    source = null;
  };
  const again = () => {
    close();
    setTimeout(open, AGAIN_MS);
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}
