// Joining: the scanned URL carries the code, and optionally a seat given out by the host.
import { listen, refusalText, send } from "./api.js";
import { storeJoinToken, storeTicket } from "./device.js";
import { h, put } from "./dom.js";
import { loadMessages, t } from "./i18n.js";
import { isStorageLost } from "./kept.js";
import * as link from "./seatlink.js";
import { drawTop, setConnected, startWithRetries } from "./top.js";

const byId = (id) => document.getElementById(id);
const showRefusal = (sentence) =>
  put(byId("notice"), sentence ? h("p", { class: "note bad" }, sentence) : null);

let unfinished = false; // taking a seat got no answer: the seat page tries again

async function join(code, seat, ticket) {
  const answer = await send("join", { code });
  if (!answer.ok) return showRefusal(refusalText(answer.body.error));
  storeJoinToken(answer.body.token);
  if (seat) {
    await link.fetchSeats();
    storeTicket({ seat, ticket });
    const refused = await link.claimSeat(seat);
    unfinished = Boolean(refused && link.storedTicket());
    if (refused) return showRefusal(refused);
  }
  location.replace("/seat");
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("join.title")}`;
  drawTop("join", start);
  if (isStorageLost()) put(byId("keeps"), h("p", { class: "note" }, t("forgets")));
}

/**
 * Use the code in the URL; also called on hashchange, since scanning on the open page only changes the
 * fragment.
 */
function readScannedCode() {
  const [code, seat, ticket] = location.hash.slice(1).split(".");
  history.replaceState(null, "", location.pathname); // do not leave codes and tickets in the URL
  return code ? join(code, seat, ticket) : null;
}

await startWithRetries(start, "join");
addEventListener("hashchange", readScannedCode);
byId("join").addEventListener("submit", (event) => {
  event.preventDefault();
  join(byId("code").value);
});
await readScannedCode();
listen(
  () => unfinished && location.replace("/seat"),
  (up) => setConnected(up, "join", start),
);
