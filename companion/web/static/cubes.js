// Colours are never distinguished by hue alone: each has a shape and a letter, on cubes and everywhere else.
import { h, s } from "./dom.js";
import { colour, colourLetter, t } from "./i18n.js";

export const SHAPES = {
  red: "M0-5a5 5 0 1 0 .01 0z",
  blue: "M0-6L6 0 0 6-6 0z",
  yellow: "M0-5.5L6 5H-6z",
  black: "M-4.6-4.6h9.2v9.2h-9.2z",
  purple: "M0-6l1.6 4h4.2L2.4.6l1.3 4.4L0 2.4-3.7 5l1.3-4.4L-5.8-2h4.2z",
  green: "M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
  white: "M0-6L5-1 2 5h-4L-5-1z",
  orange: "M-6-2h12v4H-6z",
  brown: "M-6-5h12L0 6z",
  grey: "M-5-5h3v10h-3zm7 0h3v10H2z",
  pink: "M0 6C-8 0-6-6-2.5-6-1-6 0-4 0-4s1-2 2.5-2C6-6 8 0 0 6z",
  wood: "M-6-5h12v3H-6zm0 6h12v3H-6z",
};
const INK_ON = {
  yellow: "#221c00",
  white: "#1d2233",
  orange: "#2a1400",
  grey: "#14171f",
  pink: "#2a0f1a",
  wood: "#2a1c08",
};

/** Grey for a colour of one's own, which a tray was taught. */
export const fillOf = (name) => (name in SHAPES ? `var(--c-${name})` : "#666");

/** A drawing of one cube. */
export function cube(name, label = true) {
  const ink = INK_ON[name] ?? "#fff";
  const title = label ? { role: "img", "aria-label": colour(name) } : { "aria-hidden": "true" };
  return s(
    "svg",
    { viewBox: "0 0 30 32", class: "cube", ...title },
    s("path", {
      d: "M3 9l12-6 12 6v14l-12 6-12-6z",
      fill: fillOf(name),
      stroke: "rgb(0 0 0 / 45%)",
      "stroke-linejoin": "round",
    }),
    s("path", { d: "M3 9l12-6 12 6-12 6z", fill: "#fff", opacity: ".32" }),
    s("path", { d: "M15 15l12-6v14l-12 6z", fill: "#000", opacity: ".22" }),
    s("path", {
      d: SHAPES[name] ?? "",
      transform: "translate(15 9) scale(.72 .42)",
      fill: ink,
      stroke: "rgb(0 0 0 / 35%)",
      "stroke-width": ".6",
    }),
    s(
      "text",
      {
        x: 9,
        y: 23.4,
        "text-anchor": "middle",
        "font-size": 9,
        "font-weight": 700,
        fill: ink,
        transform: "skewY(0)",
      },
      colourLetter(name),
    ),
  );
}

/** A number and as many cubes; beyond a dozen only the number grows. */
function pile(name, number) {
  const shown = Math.min(number, 12);
  return h(
    "div",
    { class: "pile" },
    h("b", {}, String(number)),
    h("span", { class: "sr" }, colour(name)),
    h("span", { class: "muted", "aria-hidden": "true" }, colour(name)),
    h(
      "span",
      { class: "cubes", "aria-hidden": "true" },
      Array.from({ length: shown }, () => cube(name, false)),
      number > shown ? " …" : null,
    ),
  );
}

/** Piles of all colours present, or a word for nothing. */
export function cubePiles(counts, order) {
  const present = order.filter((name) => counts[name]);
  return present.length
    ? present.map((name) => pile(name, counts[name]))
    : h("p", { class: "muted" }, t("nothing"));
}

/** The same as one line, for lists. */
export function cubeLine(counts, order) {
  const present = order.filter((name) => counts?.[name]);
  if (!present.length) return h("span", { class: "muted" }, t("nothing"));
  return h(
    "span",
    { class: "row" },
    present.map((name) => h("span", {}, cube(name), ` ${counts[name]}`)),
  );
}
