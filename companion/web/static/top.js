// The head of each page, and the sheet with this device's settings and the way for others to join.
import { h, put } from "./dom.js";
import { RETRY_MS, messageAfterSilence, refusalText, send } from "./api.js";
import { requestHeaders } from "./device.js";
import { LANGUAGES, hasMessage, language, t } from "./i18n.js";
import { deviceStore, isStorageLost } from "./kept.js";
import { canSpeak, isSpeakingOn, setSpeaking } from "./spoken.js";
import { editionBar } from "./edition.js";
import { HEAD, PAGES } from "./pagelist.js";
import { lateBar } from "./late.js";
import { pollBar } from "./poll.js";
import { button } from "./widgets.js";

const SOON_MS = 300; // too short to be noticed
const POLLING_PAGE = "calibrate"; // a page that polls: a lost request there was no tap
let connected = true;
let seatRequests = 0; // number of phones asking for a seat; host only
let redraw = () => null;
let startAgain = () => null;

document.addEventListener("view", async ({ detail: view }) => {
  editionBar(document.getElementById("edition"), view);
  pollBar(document.getElementById("poll"), view);
  lateBar(document.getElementById("late"), view);
  const now = view.asks ? ((await send("seats")).body.host ? view.asks : 0) : 0;
  if (now === seatRequests) return;
  seatRequests = now;
  redraw();
});

/** What a page is drawn for: the language, whether this device has joined, and its seat. */
const drawnFor = () => JSON.stringify([language(), requestHeaders()]);
let leftAs = "";

// Browsers restore a page as it was left (back/forward cache): close the menu, so that going back shows the
// page; and start it again if another page has changed what it is drawn for.
addEventListener("pagehide", () => {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  leftAs = drawnFor();
});
addEventListener("pageshow", ({ persisted }) => persisted && leftAs !== drawnFor() && startAgain());

export function drawTop(pageName, onChange) {
  redraw = () => drawTop(pageName, onChange);
  startAgain = () => startWithRetries(onChange, pageName);
  put(
    document.getElementById("top"),
    h(
      "a",
      { class: "brand", href: "/" },
      h("img", { src: new URL("mark.svg", import.meta.url).href, alt: "" }),
      h("span", {}, h("b", {}, "Tenshu"), h("small", {}, t("tagline"))),
    ),
    h("span", { class: "grow" }),
    h(
      "span",
      { class: `conn${connected ? "" : " off"}`, id: "conn", role: "status" },
      h("i", {}),
      h("span", { class: "hide-s" }, t(connected ? "connected" : "lost")),
    ),
    seatRequests
      ? h(
          "a",
          { class: "btn asks", href: "/host", "data-key": "asks" },
          t("host.asks_n", { n: seatRequests }),
        )
      : null,
    h("nav", { class: "pages", "aria-label": t("pages") }, links(PAGES.slice(0, HEAD), pageName)),
    h(
      "button",
      {
        type: "button",
        class: "btn",
        "aria-label": t("menu"),
        "data-key": "menu",
        onclick: () => openSheet(pageName, onChange),
      },
      "☰",
    ),
  );
}

/** Start a page, retrying lost requests, such as when a phone wakes up before its network. */
export async function startWithRetries(start, pageName) {
  for (;;) {
    try {
      await start();
      return setConnected(true, pageName, start);
    } catch (error) {
      console.warn(error);
      if (hasMessage("lost")) setConnected(false, pageName, start);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

export const isConnected = () => connected;

export function setConnected(now, pageName, onChange) {
  if (now === connected) return;
  connected = now;
  const notice = document.getElementById("notice");
  const message = notice?.textContent ?? "";
  if (now && message !== messageAfterSilence(message))
    put(
      notice,
      pageName === POLLING_PAGE ? null : h("p", { class: "note bad" }, messageAfterSilence(message)),
    );
  drawTop(pageName, onChange);
}

function links(pages, pageName) {
  return pages
    .filter(([name]) => name !== pageName)
    .map(([name, href, key]) => h("a", { class: "btn", href, "data-key": `page-${name}` }, t(key)));
}

/** How others can join, and this device if it only watches. */
function joinWays({ ok, body: joining }) {
  if (!ok) return h("p", { class: "note bad" }, refusalText(joining.error));
  return [
    joining.url
      ? [
          h("img", { class: "qr", src: `/api/v1/join.svg?${joining.code ?? ""}`, alt: joining.url }),
          h("p", {}, joining.url),
        ]
      : h("p", { class: "muted" }, t("join_none")),
    joining.url && joining.code
      ? h("p", { class: "row" }, t("join.code_is"), " ", h("b", { class: "code" }, joining.code))
      : null,
    joining.joined === false ? h("p", {}, h("a", { class: "btn main", href: "/join" }, t("join.go"))) : null,
  ];
}

/**
 * Open the sheet at once; the ways to join are included if they load fast enough, so that nothing moves, else
 * they follow.
 */
async function openSheet(pageName, onChange) {
  const sheet = document.getElementById("sheet");
  const joinRequest = send("join");
  const first = await Promise.race([
    joinRequest,
    new Promise((resolve) => setTimeout(resolve, SOON_MS, null)),
  ]);
  if (sheet.open) return; // opened by a second tap, or in use for a question
  const joining = h("div", { class: "in", role: "status" }, first && joinWays(first));
  if (!first) joinRequest.then((answer) => put(joining, joinWays(answer)));
  const name = h("input", {
    type: "text",
    id: "name",
    maxlength: 24,
    value: deviceStore.get("tenshu.name") ?? "",
    placeholder: t("author.guest"),
    autocomplete: "off",
  });
  name.addEventListener("change", () =>
    name.value.trim() ? deviceStore.set("tenshu.name", name.value.trim()) : deviceStore.drop("tenshu.name"),
  );
  const select = h(
    "select",
    { id: "lang" },
    Object.entries(LANGUAGES).map(([code, text]) =>
      h("option", { value: code, lang: code, selected: code === language() }, text),
    ),
  );
  select.addEventListener("change", () => {
    deviceStore.set("tenshu.language", select.value);
    startWithRetries(onChange, pageName);
    sheet.close();
  });
  put(
    sheet,
    h(
      "div",
      { class: "in" },
      h("h2", { class: "sr", id: "sheet-title" }, t("menu")),
      h("nav", { class: "allpages", "aria-label": t("pages") }, links(PAGES, pageName)),
      h("h2", {}, t("join")),
      joining,
      isStorageLost() ? h("p", { class: "note" }, t("forgets")) : null,
      h("label", { for: "name" }, t("device_name")),
      name,
      h("label", { for: "lang" }, t("language")),
      select,
      canSpeak()
        ? h(
            "label",
            { class: "row speak", for: "speak" },
            h("input", {
              type: "checkbox",
              id: "speak",
              "data-key": "speak",
              checked: isSpeakingOn(),
              onchange: (event) => setSpeaking(event.target.checked),
            }),
            t("speak"),
          )
        : null,
      h(
        "div",
        { class: "ends" },
        button("close", t("close"), () => sheet.close(), "main"),
      ),
    ),
  );
  sheet.showModal();
}
