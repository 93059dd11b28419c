// The picture of the tray with each detected cube marked; the marks are drawn here from the reading.
import { timeoutSignal } from "./api.js";
import { h, s } from "./dom.js";
import { colourLetter, t } from "./i18n.js";
import { UNSURE_BELOW, cubeOutline, pointList } from "./finding.js";
import { placeRings } from "./places.js";

const RETRY_MS = 3000; // after which a picture that was lost on its way is requested again

/** Whether anything in the picture is circled, so that messages may refer to it. */
export const hasCircles = (reading, openPlaces = reading.open ?? []) =>
  openPlaces.length > 0 || reading.cubes.some((cube) => cube.confidence < UNSURE_BELOW);

/**
 * The picture with rings around doubtful places (`openPlaces`, or those of the reading); if there are none,
 * around uncertain cubes.
 */
export function trayPicture(picture, reading, openPlaces = reading.open ?? []) {
  const [width, height] = reading.size;
  const unit = width / 1600;
  const marks = reading.cubes.map((cube) => {
    const [x, y] = cube.centre;
    const size = traySide(cube.outline);
    return s(
      "g",
      {},
      cubeOutline(cube, unit),
      !openPlaces.length && cube.confidence < UNSURE_BELOW
        ? s("circle", { cx: x, cy: y, r: size, class: "unsure", "stroke-width": 4 * unit })
        : null,
      s(
        "text",
        {
          x: 0,
          y: 0,
          transform: `translate(${x} ${y}) scale(${Math.max(14 * unit, size * 0.62)})`,
          "stroke-width": 0.28,
        },
        colourLetter(cube.colour),
      ),
    );
  });
  return h(
    "figure",
    { class: "tray", vars: { margin: "0" } },
    s(
      "svg",
      {
        viewBox: viewBoxOf(reading, width, height),
        role: "img",
        "aria-label": t("picture_alt", { n: reading.cubes.length }),
      },
      pictureImage(picture, width, height),
      reading.tray.length
        ? s("polygon", { points: pointList(reading.tray), class: "edge", "stroke-width": 2 * unit })
        : null,
      marks,
      placeRings(openPlaces, 4 * unit),
    ),
    h("figcaption", {}, t("picture_lost")),
  );
}

/** Whether a picture was removed: an image that fails to load does not tell this from a lost request. */
async function isRemoved(picture) {
  try {
    return (await fetch(picture, { method: "HEAD", signal: timeoutSignal() })).status === 404;
  } catch {
    return false;
  }
}

/**
 * The picture itself; its figure is `lost` while it cannot be loaded: browsers would draw a torn sheet. It is
 * requested again unless it was removed.
 */
function pictureImage(picture, width, height) {
  const retry = () => image.isConnected && image.setAttribute("href", picture);
  const setLost = (isLost) => image.closest("figure")?.classList.toggle("lost", isLost);
  const image = s("image", {
    href: picture,
    width,
    height,
    onload: () => setLost(false),
    onerror: async () => {
      setLost(true);
      if (!(await isRemoved(picture))) setTimeout(retry, RETRY_MS);
      else image.closest("figure")?.querySelector("figcaption").replaceChildren(t("no_picture"));
    },
  });
  return image;
}

/** The tray with a margin, since in the whole picture a cube is too small to judge by eye. */
function viewBoxOf(reading, width, height) {
  if (!reading.tray.length) return `0 0 ${width} ${height}`;
  const visible = [...reading.tray, ...reading.cubes.map((cube) => cube.centre)];
  const [left, right] = rangeWithMargin(
    visible.map((point) => point[0]),
    width,
  );
  const [top, bottom] = rangeWithMargin(
    visible.map((point) => point[1]),
    height,
  );
  return `${left} ${top} ${right - left} ${bottom - top}`;
}

function rangeWithMargin(values, most) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = (high - low) * 0.08;
  return [Math.max(0, low - room), Math.min(most, high + room)];
}

function traySide(outline) {
  const xs = outline.map((point) => point[0]);
  const ys = outline.map((point) => point[1]);
  return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) * 0.7;
}
