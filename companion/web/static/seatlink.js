// The line between this phone and its seat: the key stays here and goes only to the table's own computer.
import { author, said, send } from "./api.js";
import { claimed, elsewhere, held, here, keepClaim, keepTicket, newKey, nowAt, sit, ticket } from "./device.js";
import { byRule } from "./words.js";

export { held, ticket };
export const letGo = () => sit(null);

const order = (path, body) => send(path, { author: author(), expected: 0, ...body });

/** Who sits where; tells this device which table is played, unless the table itself told of another meanwhile. */
export async function seats() {
  const before = here();
  const answer = await send("seats");
  if (answer.ok && here() === before) nowAt(answer.body.table);
  if (answer.ok && !held()) await recognised(answer.body.taken);
  return answer;
}

/** A key that is kept here may open a seat: one that was taken though the answer was lost, or one of before, as a copy of
    a table that was taken up has another name and the same seats. */
async function recognised(taken) {
  const asked = claimed();
  for (const one of [asked, ...elsewhere()].filter((one) => one && taken.includes(one.seat))) {
    const { seat, key } = one;
    const { ok, status } = await send(`seats/${seat}`, null, undefined, { seat, key });
    if (ok) return seated({ seat, key });
    if (one === asked && status === 403) keepClaim(null); // another was faster
  }
}

function seated(one) {
  keepClaim(null);
  keepTicket(null);
  sit(one);
}

export const view = () => send(`seats/${held().seat}`);
export const command = (expected, given) => order(`seats/${held().seat}/commands`, { expected, table: here(), command: given });
export const free = (seat) => order(`seats/${seat}/free`, {});

/** Take a seat; resolves to what was refused, or nothing. Without an answer the key and the ticket stay: it may be taken. */
export async function claim(seat) {
  if (claimed()?.seat !== seat) keepClaim({ seat, key: newKey() });
  const before = here();
  const answer = await order(`seats/${seat}/take`, { key: claimed().key });
  if (!answer.status) return reason(answer);
  keepClaim(null);
  keepTicket(null);
  if (!answer.ok) return reason(answer);
  const { table, seat: name, key } = answer.body;
  if (here() === before) nowAt(table);
  sit({ seat: name, key }, table);
  return null;
}

/** Ask the host for a seat that another device holds; resolves to what was refused, or nothing. */
export async function ask(seat) {
  const answer = await order(`seats/${seat}/ask`, {});
  if (!answer.ok) return reason(answer);
  keepTicket({ seat, ticket: answer.body.ticket });
  return null;
}

/** Why it was refused, with the rule. */
export const reason = ({ body }) => (body.error.rule ? byRule(said(body.error), body.error.rule) : said(body.error));
