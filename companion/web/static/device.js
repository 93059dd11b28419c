// What this browser stores: its random device id, the join token, and the keys of its seats by table.
import { always } from "./kept.js";

const store = (key, value) => (value === null ? always.drop(key) : always.set(key, JSON.stringify(value)));

function readStored(key) {
  try {
    return JSON.parse(always.get(key) ?? "null");
  } catch {
    return null;
  }
}

const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** The device id in the host's list of devices; not a secret. */
export function device() {
  if (!readStored("tenshu.device")) store("tenshu.device", randomHex(12));
  return readStored("tenshu.device");
}

/** The current table, as far as this device knows. */
export const here = () => readStored("tenshu.table");
export const nowAt = (table) => here() === table || store("tenshu.table", table);

/** This device's seat at the current table: {seat, key}, or null. */
export const held = () => readStored("tenshu.seats")?.[here()] ?? null;
export const sit = (seat, table = here()) =>
  store("tenshu.seats", { ...readStored("tenshu.seats"), [table]: seat });

/** This device's seats at other tables, the last first; none if it gave up a seat at this one. */
export function elsewhere() {
  const all = readStored("tenshu.seats") ?? {};
  return here() in all ? [] : Object.values(all).filter(Boolean).reverse();
}

/** Ticket for a seat that was asked for or issued: {table, seat, ticket}. */
export const ticket = () =>
  readStored("tenshu.ticket")?.table === here() ? readStored("tenshu.ticket") : null;
export const keepTicket = (value) => store("tenshu.ticket", value && { table: here(), ...value });

/** A seat being taken, until an answer comes: {table, seat, key}, with a key made by this device. */
export const claimed = () =>
  readStored("tenshu.claim")?.table === here() ? readStored("tenshu.claim") : null;
export const keepClaim = (value) => store("tenshu.claim", value && { table: here(), ...value });
export const newKey = () => randomHex(18);

export const keepToken = (token) => store("tenshu.join", token);

/** Headers of every request of this device; a browser that drops cookies still has the token. */
export function headers(seat = held()) {
  return {
    "X-Device": device(),
    ...(readStored("tenshu.join") ? { "X-Join-Token": readStored("tenshu.join") } : {}),
    ...(seat ? { "X-Seat": seat.seat, "X-Seat-Key": seat.key } : {}),
    ...(ticket() ? { "X-Seat-Ticket": ticket().ticket } : {}),
  };
}
