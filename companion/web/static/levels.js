// Pictures with adapted levels: in a dark one nobody can tell black from nothing.
import { h, s } from "./dom.js";

const SIDE = 280;
const DARK = 75; // of 255: pictures with a darker median are stretched
const LEAST = 56; // levels: a smaller range is only noise
const SMOOTH = 0.012; // fraction of the side
const WANTED = 0.42;
const CUT_OUT = { top: 0.98, least: 0.55, most: 1 };
// no single cube is overexposed; pictures that are not dark are lifted too, since it was asked for
const TRAY = { top: 0.995, least: 0.45, most: 0.75 };
const LOOKED_AT = 160; // pixels across the tray: enough to measure its levels
const GRAIN = 0.0026; // fraction of the tray's width: as smooth as a cut-out
const STEPS = 48;
let newest = null; // {address, image}: only one picture is in use at a time
let filters = 0;

function loadPicture(address) {
  if (newest?.address === address) return newest.image;
  const image = new Image();
  image.src = address;
  newest = { address, image };
  return image;
}

function whenLoaded(address, draw) {
  const image = loadPicture(address);
  if (image.complete && image.naturalWidth) draw(image);
  else image.addEventListener("load", () => draw(image), { once: true });
}

/** A square cut-out around a point, as a canvas; `width` is the picture's width in the reading. */
export function cutOut(address, width, [x, y], reach) {
  const canvas = h("canvas", { width: SIDE, height: SIDE, "aria-hidden": "true" });
  whenLoaded(address, (image) => {
    const scale = image.naturalWidth / width;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const drawPixels = () => {
      context.drawImage(
        image,
        (x - reach) * scale,
        (y - reach) * scale,
        2 * reach * scale,
        2 * reach * scale,
        0,
        0,
        SIDE,
        SIDE,
      );
      return context.getImageData(0, 0, SIDE, SIDE);
    };
    if (!isDark(drawPixels().data)) return;
    context.filter = `blur(${SMOOTH * SIDE}px)`; // brightening shows the noise
    const pixels = drawPixels();
    stretch(pixels.data);
    context.putImageData(pixels, 0, 0);
  });
  return canvas;
}

/** Brighten a figure's picture by the levels of its tray, or show it unchanged. */
export function brighten(figure, on) {
  const picture = figure.querySelector("image");
  figure.classList.toggle("bright", on);
  if (!on) return picture.removeAttribute("filter");
  whenLoaded(picture.getAttribute("href"), (image) => {
    if (figure.classList.contains("bright"))
      picture.setAttribute("filter", `url(#${ensureFilter(figure, picture, image)})`);
  });
}

function ensureFilter(figure, picture, image) {
  const existing = figure.querySelector("filter");
  if (existing) return existing.id;
  const points = [...(figure.querySelector(".edge")?.points ?? [])];
  const part = points.length
    ? bounds(points)
    : { x: 0, y: 0, w: Number(picture.getAttribute("width")), h: Number(picture.getAttribute("height")) };
  const data = partPixels(image, image.naturalWidth / picture.getAttribute("width"), part, points);
  const id = `brighter-${++filters}`;
  picture.before(
    s(
      "filter",
      { id, x: 0, y: 0, width: "100%", height: "100%", "color-interpolation-filters": "sRGB" },
      isDark(data) ? s("feGaussianBlur", { stdDeviation: GRAIN * part.w }) : null,
      s(
        "feComponentTransfer",
        {},
        ["R", "G", "B"].map((channel) =>
          s(`feFunc${channel}`, { type: "table", tableValues: toneTable(data) }),
        ),
      ),
    ),
  );
  return id;
}

function bounds(points) {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

/** The pixels of a part, scaled down; those outside the outline are transparent. */
function partPixels(image, scale, part, outline) {
  const [width, height] = [LOOKED_AT, Math.max(1, Math.round((LOOKED_AT * part.h) / part.w))];
  const context = h("canvas", { width, height }).getContext("2d", {
    willReadFrequently: true,
  });
  for (const { x, y } of outline)
    context.lineTo(((x - part.x) * width) / part.w, ((y - part.y) * height) / part.h);
  if (outline.length) context.clip();
  context.drawImage(
    image,
    part.x * scale,
    part.y * scale,
    part.w * scale,
    part.h * scale,
    0,
    0,
    width,
    height,
  );
  return context.getImageData(0, 0, width, height).data;
}

/** The filter's table of levels: nothing becomes darker, and highlights are not clipped further. */
function toneTable(data) {
  const tone = toneCurve(data, TRAY);
  return Array.from({ length: STEPS + 1 }, (_, step) =>
    Math.max(step / STEPS, Math.min(1, tone((255 * step) / STEPS))).toFixed(3),
  ).join(" ");
}

/** The levels below which the given fractions of the pixels lie (quantiles). */
function quantiles(data, ...shares) {
  const histogram = new Uint32Array(256);
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] === 255) histogram[(2 * data[at] + 5 * data[at + 1] + data[at + 2]) >> 3] += 1;
  const total = histogram.reduce((sum, some) => sum + some);
  return shares.map((share) => {
    let remaining = total * share;
    return histogram.findIndex((some) => (remaining -= some) < 0);
  });
}

const isDark = (data) => quantiles(data, 0.5)[0] < DARK;

/**
 * The curve from a level to a fraction of white: stretches between two quantiles and lifts the median by a
 * power.
 */
function toneCurve(data, { top, least, most }) {
  const [black, middle, high] = quantiles(data, 0.02, 0.5, top);
  const low = middle < DARK ? black : 0; // if the picture is not dark, black cubes are lifted too
  const span = Math.max(LEAST, high - low);
  const power = Math.log(WANTED) / Math.log(Math.min(0.99, Math.max(1, middle - low) / span));
  const gamma = Math.min(most, Math.max(least, power));
  return (level) => Math.max(0, (level - low) / span) ** gamma;
}

function stretch(data) {
  const share = toneCurve(data, CUT_OUT);
  const lookup = Uint8ClampedArray.from({ length: 256 }, (_, at) => 255 * share(at));
  for (let at = 0; at < data.length; at += 4)
    for (const channel of [0, 1, 2]) data[at + channel] = lookup[data[at + channel]];
}
