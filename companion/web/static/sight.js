// A reading's picture for closer study: enlarged, brightened, without marks; a tap on a ring leads to its
// question.
import { enlarge } from "./enlarge.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { brighten } from "./levels.js";
import { tray } from "./tray.js";
import { button } from "./widgets.js";

const how = { marks: true, bright: false }; // how this device shows pictures, until the page is left
const KEYS = { m: "marks", b: "bright" };

/** The picture with its switches; `nearer` is called when somebody studies it. */
export function sight(picture, reading, open, nearer = () => null) {
  const figure = tray(picture, reading, open);
  const large = () => {
    enlarge(() => tray(picture, reading, open), wired, questionOf);
    nearer();
  };
  const whole = h(
    "div",
    { class: "picture", "data-free": true },
    figure,
    h("div", { class: "row tools" }, button("enlarge", t("picture.enlarge"), large), switches("")),
  );
  figure.addEventListener("click", (event) => {
    const ring = event.target.closest("[data-place]");
    if (ring) questionOf(ring.dataset.place);
    else large();
  });
  return wired(whole);
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
function wired(part) {
  const turn = (name) => {
    how[name] = !how[name];
    show(document);
  };
  for (const one of part.querySelectorAll("[data-switch]"))
    one.addEventListener("click", () => turn(one.dataset.switch));
  part.addEventListener(
    "keydown",
    (event) => KEYS[event.key] && !event.ctrlKey && !event.metaKey && turn(KEYS[event.key]),
  );
  show(part);
  return part;
}

wired.switches = switches;

function show(part) {
  for (const figure of part.querySelectorAll("figure.tray")) {
    figure.classList.toggle("bare", !how.marks);
    brighten(figure, how.bright);
  }
  for (const one of part.querySelectorAll("[data-switch]"))
    one.setAttribute("aria-pressed", String(how[one.dataset.switch]));
}

function questionOf(number) {
  const question = document.getElementById(`place-${number}`);
  question?.scrollIntoView({ block: "center" });
  question?.querySelector("input:checked")?.focus({ preventScroll: true });
}
