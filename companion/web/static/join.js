// Joining: the scanned URL carries the code, and optionally a seat given out by the host.
import { listen, said, send } from "./api.js";
import { keepTicket, keepToken } from "./device.js";
import { h, put } from "./dom.js";
import { loadMessages, t } from "./i18n.js";
import { forgets } from "./kept.js";
import * as link from "./seatlink.js";
import { drawTop, setConnected, untilThere } from "./top.js";

const byId = (id) => document.getElementById(id);
const showRefusal = (sentence) =>
  put(byId("notice"), sentence ? h("p", { class: "note bad" }, sentence) : null);

let unfinished = false; // taking a seat got no answer: the seat page tries again

async function join(code, seat, ticket) {
  const answer = await send("join", { code });
  if (!answer.ok) return showRefusal(said(answer.body.error));
  keepToken(answer.body.token);
  if (seat) {
    await link.seats();
    keepTicket({ seat, ticket });
    const refused = await link.claim(seat);
    unfinished = Boolean(refused && link.ticket());
    if (refused) return showRefusal(refused);
  }
  location.replace("/seat");
}

async function start() {
  await loadMessages();
  document.title = `Tenshu · ${t("join.title")}`;
  drawTop("join", start);
  if (forgets()) put(byId("keeps"), h("p", { class: "note" }, t("forgets")));
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

await untilThere(start, "join");
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
