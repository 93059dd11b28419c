// What this browser stores: its random device id, the join token, and the keys of its seats by table.
import { always } from "./kept.js";

const keep = (key, value) => (value === null ? always.drop(key) : always.set(key, JSON.stringify(value)));

function kept(key) {
  try {
    return JSON.parse(always.get(key) ?? "null");
  } catch {
    return null;
  }
}

const random = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** The device id in the host's list of devices; not a secret. */
export function device() {
  if (!kept("tenshu.device")) keep("tenshu.device", random(12));
  return kept("tenshu.device");
}

/** The current table, as far as this device knows. */
export const here = () => kept("tenshu.table");
export const nowAt = (table) => here() === table || keep("tenshu.table", table);

/** This device's seat at the current table: {seat, key}, or null. */
export const held = () => kept("tenshu.seats")?.[here()] ?? null;
export const sit = (seat, table = here()) => keep("tenshu.seats", { ...kept("tenshu.seats"), [table]: seat });

/** This device's seats at other tables, the last first; none if it gave up a seat at this one. */
export function elsewhere() {
  const all = kept("tenshu.seats") ?? {};
  return here() in all ? [] : Object.values(all).filter(Boolean).reverse();
}

/** Ticket for a seat that was asked for or issued: {table, seat, ticket}. */
export const ticket = () => (kept("tenshu.ticket")?.table === here() ? kept("tenshu.ticket") : null);
export const keepTicket = (one) => keep("tenshu.ticket", one && { table: here(), ...one });

/** A seat being taken, until an answer comes: {table, seat, key}, with a key made by this device. */
export const claimed = () => (kept("tenshu.claim")?.table === here() ? kept("tenshu.claim") : null);
export const keepClaim = (one) => keep("tenshu.claim", one && { table: here(), ...one });
export const newKey = () => random(18);

export const keepToken = (token) => keep("tenshu.join", token);

/** Headers of every request of this device; a browser that drops cookies still has the token. */
export function headers(seat = held()) {
  return {
    "X-Device": device(),
    ...(kept("tenshu.join") ? { "X-Join-Token": kept("tenshu.join") } : {}),
    ...(seat ? { "X-Seat": seat.seat, "X-Seat-Key": seat.key } : {}),
    ...(ticket() ? { "X-Seat-Ticket": ticket().ticket } : {}),
  };
}
