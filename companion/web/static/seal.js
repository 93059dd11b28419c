// The mark of a seat beside its name, so that seats are never shown by colour alone.
import { h, s } from "./dom.js";
import { colour } from "./i18n.js";
import { mon } from "./mapparts.js";

export const sealIcon = (name) =>
  s("svg", { viewBox: "-26 -26 52 52", class: "japan seal-s", "aria-hidden": "true" }, mon(name));
export const sealAndName = (name) => h("span", { class: "who" }, sealIcon(name), h("span", {}, colour(name)));
/** Several colour names as a list. */
export const colourList = (list) => list.map(colour).join(", ");
