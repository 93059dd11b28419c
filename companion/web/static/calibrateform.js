// The form for a new calibration: the tray's name and size, the cubes' colours and edge.
import { SHAPES } from "./cubes.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

export const typed = { name: "", colours: "", cube: "", width: "", depth: "", sized: false };
const DYES = Object.keys(SHAPES); // colours of all games
// combining marks are needed for the vowels of Hindi and Thai
const DYE_NAME = /^\p{L}[\p{L}\p{M}\p{N}_-]{0,19}$/u;

/** `begin` gets the command's fields; the browser itself reports numbers out of range beside their field. */
export function calibrationForm(state, begin) {
  return h(
    "form",
    { class: "fields", onsubmit: (event) => (event.preventDefault(), begin(beginBody(state))) },
    field(
      "tray-name",
      "calibrate.name",
      { maxlength: 40, spellcheck: "false", oninput: storeTyped("name") },
      typed.name || state.in_use || "table",
    ),
    h(
      "details",
      { open: Boolean(typed.width || typed.depth || typed.sized) },
      h("summary", {}, t("calibrate.other_tray")),
      h(
        "div",
        { class: "fields" },
        field(
          "tray-width",
          "calibrate.width",
          { type: "number", min: 60, max: 400, step: 1, inputmode: "numeric", oninput: storeTyped("width") },
          typed.width,
        ),
        field(
          "tray-depth",
          "calibrate.depth",
          { type: "number", min: 60, max: 400, step: 1, inputmode: "numeric", oninput: storeTyped("depth") },
          typed.depth,
        ),
      ),
    ),
    h(
      "details",
      { open: Boolean(typed.colours || typed.cube) },
      h("summary", {}, t("calibrate.other_cubes")),
      h(
        "div",
        { class: "fields" },
        field(
          "colours",
          "calibrate.colours",
          {
            maxlength: 160,
            placeholder: DYES.slice(0, 3).map(dyeName).join(", "),
            spellcheck: "false",
            oninput: checkColours,
          },
          typed.colours,
        ),
        field(
          "cube-mm",
          "calibrate.edge",
          { type: "number", min: 4, max: 30, step: 0.5, inputmode: "decimal", oninput: storeTyped("cube") },
          typed.cube,
        ),
      ),
    ),
    state.camera
      ? h(
          "div",
          { class: "row" },
          h("button", { type: "submit", class: "btn main big", "data-key": "begin" }, t("calibrate.begin")),
        )
      : null,
  );
}

const field = (id, key, attributes, value) =>
  h(
    "div",
    {},
    h("label", { for: id }, t(key)),
    h("input", {
      id,
      type: "text",
      autocomplete: "off",
      value,
      "data-key": id,
      oninvalid: openDetails,
      ...attributes,
    }),
  );
const openDetails = (event) => event.target.closest("details")?.setAttribute("open", "");
const storeTyped = (name) => (event) => (typed[name] = event.target.value);
const dyeName = (name) => t(`dye.${name}`);

/** A word as people also type it: "желтый" for "жёлтый", "rosu" for "roșu", "weiss" for "weiß". */
const plain = (word) => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");

/** The names of a game colour: as calibration and as the other pages call it, and in American English. */
const namesOf = (name) => [
  name,
  name.replace("grey", "gray"),
  dyeName(name),
  t(name === "green" ? "colour.just_green" : `colour.${name}`),
];

/** The game colour with this name in the device's language or in English, or the name itself. */
const dyeOf = (word) =>
  DYES.find((name) => namesOf(name).some((known) => plain(known) === plain(word))) ??
  word.normalize("NFC").toLocaleLowerCase();

const parseDyes = (text) =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(dyeOf);

function checkColours(event) {
  typed.colours = event.target.value;
  event.target.setCustomValidity(coloursComplaint(parseDyes(typed.colours)));
}

/** What is wrong with the colour names, reported before anybody has laid out a cube. */
function coloursComplaint(names) {
  if (!names.length) return "";
  if (!names.every((name) => DYE_NAME.test(name))) return t("calibrate.colours_wrong");
  if (new Set(names).size < names.length) return t("calibrate.named_twice");
  if (names.some((name) => name === "empty" || name === "test")) return t("calibrate.no_colours");
  return names.length < 2 || names.length > 8 ? t("calibrate.two_to_eight") : "";
}

function beginBody(state) {
  const sides = [Number(typed.width || typed.depth), Number(typed.depth || typed.width)];
  return {
    name: typed.name.trim() || state.in_use || "table",
    colours: parseDyes(typed.colours),
    cube_mm: typed.cube ? Number(typed.cube) : null,
    inner_mm: sides[0] ? sides : null,
  };
}
