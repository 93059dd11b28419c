// The small drawings on the map: colour marks, buildings, revolts, patterns of the regions.
import { SHAPES } from "./cubes.js";
import { s } from "./dom.js";

export const REGIONS = ["brown", "yellow", "red", "purple", "green"];
export const BUILDINGS = ["castle", "temple", "theatre"];

// Each region has its own pattern, so that none is distinguished by its tint alone.
const PATTERNS = {
  brown: [28, 28, "M7 7h.1M21 21h.1"], // dots
  yellow: [40, 22, "M0 11h40"], // lines
  red: [24, 24, "M-2 26L26-2M-2 2L2-2M22 26l4-4"], // slanted
  purple: [34, 34, "M0 0l34 34M34 0L0 34"], // lattice
  green: [44, 22, "M0 11q11-12 22 0t22 0"], // waves
};
const ICONS = {
  castle: "M-15 14V2h5v-6h-7l17-11L17-4h-7v6h5v12H4V7h-8v7z",
  temple: "M-18-8Q0-4 18-8v-5Q0-10-18-13zM-12-6h5v20h-5zM7-6h5v20H7zM-14 0h28v4h-28z",
  theatre: "M-15-12Q0-17 15-12V1Q13 13 0 16-13 13-15 1zM-9-5v4h6v-4zm12 0v4h6v-4zM-7 5Q0 12 7 5z",
  revolt: "M0-18Q3-8 10-4 16 2 13 9 10 16 0 16-10 16-13 9-15 1-8-5-7 1-3 2-6-8 0-18z",
};

/** Pattern fills of the regions, of provinces out of play, and of the sea. */
export function regionPatterns(prefix) {
  const hatch = (name, [w, hgt, d], under) =>
    s(
      "pattern",
      { id: `${prefix}-${name}`, width: w, height: hgt, patternUnits: "userSpaceOnUse" },
      under ? s("rect", { width: w, height: hgt, class: `tint ${name}` }) : null,
      s("path", { d, class: `pattern ${name}` }),
    );
  return s(
    "defs",
    {},
    REGIONS.map((name) => hatch(name, PATTERNS[name], true)),
    hatch("out", [18, 18, "M0 0l18 18M18 0L0 18"], true),
    hatch(
      "sea",
      [
        96,
        48,
        "M0 48a48 48 0 0 1 96 0M16 48a32 32 0 0 1 64 0M-48 24a48 48 0 0 1 96 0M-32 24a32 32 0 0 1 64 0M48 24a48 48 0 0 1 96 0M64 24a32 32 0 0 1 64 0",
      ],
      true,
    ),
  );
}

/** A colour's mark in a round seal, like a mon. */
export function mon(colour, radius = 22) {
  return s(
    "g",
    { class: `mon ${colour}` },
    s("circle", { r: radius, class: "seal" }),
    s("path", { d: SHAPES[colour], transform: `scale(${radius / 9})`, class: "sign" }),
  );
}

/** A banner with the owner's mark and the number of armies, centred on 0, 0. */
export function banner(colour, armies) {
  const width = armies > 9 ? 104 : 86;
  return s(
    "g",
    { class: `banner ${colour}` },
    s("rect", { x: -width / 2, y: -25, width, height: 50, rx: 25, class: "cloth" }),
    s("g", { transform: `translate(${25 - width / 2} 0)` }, mon(colour, 20)),
    s("text", { x: width / 2 - (armies > 9 ? 32 : 24), y: 14, class: "number" }, String(armies)),
  );
}

export const icon = (name) => s("path", { d: ICONS[name], class: `icon ${name}` });

/** Buildings and revolt markers side by side, centred on 0, 0. */
export function tokens(buildings, markers) {
  const signs = [...BUILDINGS.filter((kind) => buildings.includes(kind)), ...Array(markers).fill("revolt")];
  return signs.map((name, at) =>
    s(
      "g",
      { transform: `translate(${(at - (signs.length - 1) / 2) * 38} 0)` },
      s("circle", { r: 21, class: `plate ${name}` }),
      icon(name),
    ),
  );
}
