// A reading's picture for closer study: enlarged, brightened, without marks; a tap on a ring leads to its
// question.
import { enlarge } from "./enlarge.js";
import { h, isShortcut } from "./dom.js";
import { t } from "./i18n.js";
import { brighten } from "./levels.js";
import { trayPicture } from "./tray.js";
import { button } from "./widgets.js";

const settings = { marks: true, bright: false }; // how this device shows pictures, until the page is left
const KEYS = { m: "marks", b: "bright" };

/** The picture with its switches; `onStudied` is called when somebody studies it. */
export function switchablePicture(picture, reading, openPlaces, onStudied = () => null) {
  const figure = trayPicture(picture, reading, openPlaces);
  const openLarge = () => {
    enlarge(() => trayPicture(picture, reading, openPlaces), wireSwitches, questionOf);
    onStudied();
  };
  const whole = h(
    "div",
    { class: "picture", "data-free": true },
    figure,
    h("div", { class: "row tools" }, button("enlarge", t("picture.enlarge"), openLarge), switches("")),
  );
  figure.addEventListener("click", (event) => {
    const ring = event.target.closest("[data-place]");
    if (ring) questionOf(ring.dataset.place);
    else openLarge();
  });
  return wireSwitches(whole);
}

const switches = (where) =>
  Object.values(KEYS).map((name) =>
    h(
      "button",
      { type: "button", class: "btn", "data-key": `${where}${name}`, "data-switch": name },
      t(`picture.${name}`),
    ),
  );

/** Connect the switches and keys in a part of the page to all its pictures. */
function wireSwitches(part) {
  const toggle = (name) => {
    settings[name] = !settings[name];
    applySettings(document);
  };
  for (const control of part.querySelectorAll("[data-switch]"))
    control.addEventListener("click", () => toggle(control.dataset.switch));
  part.addEventListener(
    "keydown",
    (event) => KEYS[event.key] && !isShortcut(event) && toggle(KEYS[event.key]),
  );
  applySettings(part);
  return part;
}

wireSwitches.switches = switches;

function applySettings(part) {
  for (const figure of part.querySelectorAll("figure.tray")) {
    figure.classList.toggle("bare", !settings.marks);
    brighten(figure, settings.bright);
  }
  for (const control of part.querySelectorAll("[data-switch]"))
    control.setAttribute("aria-pressed", String(settings[control.dataset.switch]));
}

function questionOf(number) {
  const question = document.getElementById(`place-${number}`);
  question?.scrollIntoView({ block: "center" });
  question?.querySelector("input:checked")?.focus({ preventScroll: true });
}
