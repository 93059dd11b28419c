// The reader's findings, drawn over a picture of the same aspect ratio: the tray's edge and each cube with
// its letter.
import { s } from "./dom.js";
import { fillOf } from "./cubes.js";
import { t } from "./i18n.js";

export const UNSURE_BELOW = 0.8;

export const pointList = (list) => list.map((point) => point.join(",")).join(" ");

/** The outline of a detected cube, in its colour. */
export const cubeOutline = (cube, unit) => [
  s("polygon", { points: pointList(cube.outline), class: "halo", "stroke-width": 7 * unit }),
  s("polygon", {
    points: pointList(cube.outline),
    class: "outline",
    "stroke-width": 3 * unit,
    stroke: fillOf(cube.colour),
  }),
];

export function findingOverlay(reading) {
  const [width, height] = reading.size;
  const unit = width / 1280;
  return s(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": t("picture_alt", { n: reading.cubes.length }),
    },
    reading.tray.length
      ? s("polygon", { points: pointList(reading.tray), class: "edge", "stroke-width": 4 * unit })
      : null,
    reading.cubes.map((cube) => [
      cubeOutline(cube, unit),
      cube.confidence < UNSURE_BELOW
        ? s("circle", {
            cx: cube.centre[0],
            cy: cube.centre[1],
            r: 40 * unit,
            class: "unsure",
            "stroke-width": 4 * unit,
          })
        : null,
    ]),
  );
}
