// The line between this phone and its seat: the key stays here and goes only to the table's own computer.
import { author, said } from "./api.js";
import { t } from "./i18n.js";

const KEY = "tenshu.seat";

export const held = () => JSON.parse(localStorage.getItem(KEY) ?? "null");
export const letGo = () => localStorage.removeItem(KEY);

async function call(path, body) {
  const headers = { ...(held() ? { "X-Seat-Key": held().key } : {}), ...(body ? { "Content-Type": "application/json" } : {}) };
  try {
    const response = await fetch(`/api/v1/${path}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify({ author: author(), expected: 0, ...body }), cache: "no-store" });
    return { ok: response.ok, status: response.status, body: await response.json() };
  } catch {
    return { ok: false, status: 0, body: { error: { key: "network", sentence: t("error.network"), params: {} } } };
  }
}

export const seats = () => call("seats");
export const view = () => call(`seats/${held().seat}`);
export const command = (expected, order) => call(`seats/${held().seat}/commands`, { expected, command: order });
export const free = (seat) => call(`seats/${seat}/free`, {});

/** Take a seat; resolves to what was refused, or nothing. */
export async function claim(seat) {
  const answer = await call(`seats/${seat}/take`, {});
  if (!answer.ok) return reason(answer);
  localStorage.setItem(KEY, JSON.stringify(answer.body));
  return null;
}

/** Why it was refused, with the rule. */
export const reason = ({ body }) => (body.error.rule ? t("seat.by_rule", { sentence: said(body.error), rule: body.error.rule }) : said(body.error));
