// The connection between this phone and its seat: the key is stored here and sent only to the server.
import { author, refusalText, send } from "./api.js";
import {
  currentTable,
  heldSeat,
  newSeatKey,
  pendingClaim,
  seatsElsewhere,
  setCurrentTable,
  storeClaim,
  storeSeat,
  storeTicket,
  storedTicket,
} from "./device.js";
import { withRule } from "./words.js";

export { heldSeat, storedTicket };
export const leaveSeat = () => storeSeat(null);

const postAsSeat = (path, body) => send(path, { author: author(), expected: 0, ...body });

/** Who sits where; also updates the current table, unless a view of another one arrived meanwhile. */
export async function fetchSeats() {
  const before = currentTable();
  const answer = await send("seats");
  if (answer.ok && currentTable() === before) setCurrentTable(answer.body.table);
  if (answer.ok && !heldSeat()) await reclaimSeat(answer.body.taken);
  return answer;
}

/**
 * Try stored keys on taken seats: one whose `take` was not answered, or one from before, since a restored
 * copy of a table has another name but the same seats.
 */
async function reclaimSeat(taken) {
  const claimHeld = pendingClaim();
  for (const candidate of [claimHeld, ...seatsElsewhere()].filter(
    (candidate) => candidate && taken.includes(candidate.seat),
  )) {
    const { seat, key } = candidate;
    const { ok, status } = await send(`seats/${seat}`, null, undefined, { seat, key });
    if (ok) return keepSeat({ seat, key });
    if (candidate === claimHeld && status === 403) storeClaim(null); // another device was faster
  }
}

function keepSeat(seat) {
  storeClaim(null);
  storeTicket(null);
  storeSeat(seat);
}

export const fetchSeatView = () => send(`seats/${heldSeat().seat}`);
export const sendCommand = (expected, order) =>
  postAsSeat(`seats/${heldSeat().seat}/commands`, { expected, table: currentTable(), command: order });
export const freeSeat = (seat) => postAsSeat(`seats/${seat}/free`, {});

/**
 * Take a seat; resolves to the refusal, or null. Without an answer key and ticket are kept, since the seat
 * may be taken.
 */
export async function claimSeat(seat) {
  if (pendingClaim()?.seat !== seat) storeClaim({ seat, key: newSeatKey() });
  const before = currentTable();
  const answer = await postAsSeat(`seats/${seat}/take`, { key: pendingClaim().key });
  if (!answer.status) return refusalReason(answer);
  storeClaim(null);
  storeTicket(null);
  if (!answer.ok) return refusalReason(answer);
  const { table, seat: name, key } = answer.body;
  if (currentTable() === before) setCurrentTable(table);
  storeSeat({ seat: name, key }, table);
  return null;
}

/** Ask the host for a seat that another device holds; resolves to the refusal, or null. */
export async function askForSeat(seat) {
  const answer = await postAsSeat(`seats/${seat}/ask`, {});
  if (!answer.ok) return refusalReason(answer);
  storeTicket({ seat, ticket: answer.body.ticket });
  return null;
}

/** The reason for a refusal, with the rule. */
export const refusalReason = ({ body }) =>
  body.error.rule ? withRule(refusalText(body.error), body.error.rule) : refusalText(body.error);
