// The connection between this phone and its seat: the key is stored here and sent only to the server.
import { author, said, send } from "./api.js";
import {
  claimed,
  elsewhere,
  held,
  here,
  keepClaim,
  keepTicket,
  newKey,
  nowAt,
  sit,
  ticket,
} from "./device.js";
import { byRule } from "./words.js";

export { held, ticket };
export const letGo = () => sit(null);

const postAsSeat = (path, body) => send(path, { author: author(), expected: 0, ...body });

/** Who sits where; also updates the current table, unless a view of another one arrived meanwhile. */
export async function seats() {
  const before = here();
  const answer = await send("seats");
  if (answer.ok && here() === before) nowAt(answer.body.table);
  if (answer.ok && !held()) await reclaimSeat(answer.body.taken);
  return answer;
}

/**
 * Try stored keys on taken seats: one whose `take` was not answered, or one from before, since a restored
 * copy of a table has another name but the same seats.
 */
async function reclaimSeat(taken) {
  const claimHeld = claimed();
  for (const candidate of [claimHeld, ...elsewhere()].filter(
    (candidate) => candidate && taken.includes(candidate.seat),
  )) {
    const { seat, key } = candidate;
    const { ok, status } = await send(`seats/${seat}`, null, undefined, { seat, key });
    if (ok) return keepSeat({ seat, key });
    if (candidate === claimHeld && status === 403) keepClaim(null); // another device was faster
  }
}

function keepSeat(seat) {
  keepClaim(null);
  keepTicket(null);
  sit(seat);
}

export const view = () => send(`seats/${held().seat}`);
export const command = (expected, order) =>
  postAsSeat(`seats/${held().seat}/commands`, { expected, table: here(), command: order });
export const free = (seat) => postAsSeat(`seats/${seat}/free`, {});

/**
 * Take a seat; resolves to the refusal, or null. Without an answer key and ticket are kept, since the seat
 * may be taken.
 */
export async function claim(seat) {
  if (claimed()?.seat !== seat) keepClaim({ seat, key: newKey() });
  const before = here();
  const answer = await postAsSeat(`seats/${seat}/take`, { key: claimed().key });
  if (!answer.status) return reason(answer);
  keepClaim(null);
  keepTicket(null);
  if (!answer.ok) return reason(answer);
  const { table, seat: name, key } = answer.body;
  if (here() === before) nowAt(table);
  sit({ seat: name, key }, table);
  return null;
}

/** Ask the host for a seat that another device holds; resolves to the refusal, or null. */
export async function ask(seat) {
  const answer = await postAsSeat(`seats/${seat}/ask`, {});
  if (!answer.ok) return reason(answer);
  keepTicket({ seat, ticket: answer.body.ticket });
  return null;
}

/** The reason for a refusal, with the rule. */
export const reason = ({ body }) =>
  body.error.rule ? byRule(said(body.error), body.error.rule) : said(body.error);
