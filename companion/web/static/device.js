// What this browser keeps: its own random name, the token of who joined, and the keys of its seats, table by table.
import { always } from "./kept.js";

const keep = (key, value) => (value === null ? always.drop(key) : always.set(key, JSON.stringify(value)));

function kept(key) {
  try {
    return JSON.parse(always.get(key) ?? "null");
  } catch {
    return null;
  }
}

const random = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** No secret: the host's list of devices knows this browser by it. */
export function device() {
  if (!kept("tenshu.device")) keep("tenshu.device", random(12));
  return kept("tenshu.device");
}

/** The table that is played, as far as this device has heard. */
export const here = () => kept("tenshu.table");
export const nowAt = (table) => here() === table || keep("tenshu.table", table);

/** This device's seat at the table that is played: {seat, key}, or null. */
export const held = () => kept("tenshu.seats")?.[here()] ?? null;
export const sit = (seat, table = here()) => keep("tenshu.seats", { ...kept("tenshu.seats"), [table]: seat });

/** Its seats at other tables, the last first; none where it let go of one here. */
export function elsewhere() {
  const all = kept("tenshu.seats") ?? {};
  return here() in all ? [] : Object.values(all).filter(Boolean).reverse();
}

/** A seat that was asked for or issued: {table, seat, ticket}. */
export const ticket = () => (kept("tenshu.ticket")?.table === here() ? kept("tenshu.ticket") : null);
export const keepTicket = (one) => keep("tenshu.ticket", one && { table: here(), ...one });

/** A seat that was asked to be taken, until an answer comes: {table, seat, key}, with the key that was made for it here. */
export const claimed = () => (kept("tenshu.claim")?.table === here() ? kept("tenshu.claim") : null);
export const keepClaim = (one) => keep("tenshu.claim", one && { table: here(), ...one });
export const newKey = () => random(18);

export const keepToken = (token) => keep("tenshu.join", token);

/** What every request of this device carries; a browser that forgets cookies still has the token. */
export function headers(seat = held()) {
  return {
    "X-Device": device(),
    ...(kept("tenshu.join") ? { "X-Join-Token": kept("tenshu.join") } : {}),
    ...(seat ? { "X-Seat": seat.seat, "X-Seat-Key": seat.key } : {}),
    ...(ticket() ? { "X-Seat-Ticket": ticket().ticket } : {}),
  };
}
