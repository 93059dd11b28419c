// What this browser stores: its random device id, the join token, and the keys of its seats by table.
import { deviceStore } from "./kept.js";

const store = (key, value) =>
  value === null ? deviceStore.drop(key) : deviceStore.set(key, JSON.stringify(value));

function readStored(key) {
  try {
    return JSON.parse(deviceStore.get(key) ?? "null");
  } catch {
    return null;
  }
}

const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** The device id in the host's list of devices; not a secret. */
export function deviceId() {
  if (!readStored("tenshu.device")) store("tenshu.device", randomHex(12));
  return readStored("tenshu.device");
}

/** The current table, as far as this device knows. */
export const currentTable = () => readStored("tenshu.table");
export const setCurrentTable = (table) => currentTable() === table || store("tenshu.table", table);

/** This device's seat at the current table: {seat, key}, or null. */
export const heldSeat = () => readStored("tenshu.seats")?.[currentTable()] ?? null;
export const storeSeat = (seat, table = currentTable()) =>
  store("tenshu.seats", { ...readStored("tenshu.seats"), [table]: seat });

/** This device's seats at other tables, the last first; none if it gave up a seat at this one. */
export function seatsElsewhere() {
  const all = readStored("tenshu.seats") ?? {};
  return currentTable() in all ? [] : Object.values(all).filter(Boolean).reverse();
}

/** Ticket for a seat that was asked for or issued: {table, seat, ticket}. */
export const storedTicket = () =>
  readStored("tenshu.ticket")?.table === currentTable() ? readStored("tenshu.ticket") : null;
export const storeTicket = (value) => store("tenshu.ticket", value && { table: currentTable(), ...value });

/** A seat being taken, until an answer comes: {table, seat, key}, with a key made by this device. */
export const pendingClaim = () =>
  readStored("tenshu.claim")?.table === currentTable() ? readStored("tenshu.claim") : null;
export const storeClaim = (value) => store("tenshu.claim", value && { table: currentTable(), ...value });
export const newSeatKey = () => randomHex(18);

export const storeJoinToken = (token) => store("tenshu.join", token);

/** Headers of every request of this device; a browser that drops cookies still has the token. */
export function requestHeaders(seat = heldSeat()) {
  return {
    "X-Device": deviceId(),
    ...(readStored("tenshu.join") ? { "X-Join-Token": readStored("tenshu.join") } : {}),
    ...(seat ? { "X-Seat": seat.seat, "X-Seat-Key": seat.key } : {}),
    ...(storedTicket() ? { "X-Seat-Ticket": storedTicket().ticket } : {}),
  };
}
