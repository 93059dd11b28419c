// The mark of a seat beside its name: never a colour alone.
import { h, s } from "./dom.js";
import { colour } from "./i18n.js";
import { mon } from "./mapparts.js";

export const seal = (name) => s("svg", { viewBox: "-26 -26 52 52", class: "japan seal-s", "aria-hidden": "true" }, mon(name));
export const who = (name) => h("span", { class: "who" }, seal(name), h("span", {}, colour(name)));
/** Several names in one sentence. */
export const names = (list) => list.map(colour).join(", ");
