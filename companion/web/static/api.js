// The server is the only truth: commands by POST, the table by one stream.
import { colour, known, t } from "./i18n.js";

export const author = () => localStorage.getItem("tenshu.name") || t("unknown_device");

/** POST; resolves to {ok, body}. A refusal carries the present table, which the caller shows. */
export async function post(path, body, headers = {}) {
  try {
    const response = await fetch(`/api/v1/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ author: author(), ...body }),
    });
    return { ok: response.ok, body: await response.json() };
  } catch {
    return { ok: false, body: { error: { key: "network", sentence: t("error.network"), params: {} } } };
  }
}

/** What a refusal says in this device's language. */
export function said(error) {
  const params = { ...error.params, n: error.params?.have ?? 0, sentence: error.sentence };
  if (params.more) params.colour = Object.keys(params.more).map(colour).join(", ");
  else if (params.colour) params.colour = colour(params.colour);
  return known(`error.${error.key}`) ? t(`error.${error.key}`, params) : error.sentence;
}

/** Listen to the table; sleeps while the page is hidden (browsers allow six connections), wakes with the whole view. */
export function listen(onTable, onState) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource("/api/v1/events");
    source.addEventListener("open", () => onState(true));
    source.addEventListener("error", () => onState(false));
    source.addEventListener("table", (event) => {
      onState(true);
      onTable(JSON.parse(event.data));
    });
  };
  const close = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}
