// Cut-outs of a picture with levels of their own: in a dark one nobody can tell black from nothing.
import { h } from "./dom.js";

const SIDE = 280;
const DARK = 75; // of 255: darker middles are stretched
const LEAST = 56; // levels: less is grain
const SMOOTH = 0.012; // of the side
const WANTED = 0.42;
let newest = null; // {address, image}: one picture is asked about at a time

function pictureAt(address) {
  if (newest?.address === address) return newest.image;
  const image = new Image();
  image.src = address;
  newest = { address, image };
  return image;
}

/** A square of the picture about a point, as a canvas; `width` is the picture's as the reading has it. */
export function cutOut(address, width, [x, y], reach) {
  const canvas = h("canvas", { width: SIDE, height: SIDE, "aria-hidden": "true" });
  const image = pictureAt(address);
  const draw = () => {
    const scale = image.naturalWidth / width;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const drawn = () => {
      context.drawImage(image, (x - reach) * scale, (y - reach) * scale, 2 * reach * scale, 2 * reach * scale, 0, 0, SIDE, SIDE);
      return context.getImageData(0, 0, SIDE, SIDE);
    };
    if (!dark(drawn().data)) return;
    context.filter = `blur(${SMOOTH * SIDE}px)`; // what is brightened shows its grain
    const pixels = drawn();
    stretch(pixels.data);
    context.putImageData(pixels, 0, 0);
  };
  if (image.complete && image.naturalWidth) draw();
  else image.addEventListener("load", draw, { once: true });
  return canvas;
}

/** The levels below which such shares of the pixels are. */
function levels(data, ...shares) {
  const number = new Uint32Array(256);
  for (let at = 0; at < data.length; at += 4) number[(2 * data[at] + 5 * data[at + 1] + data[at + 2]) >> 3] += 1;
  return shares.map((share) => {
    let left = (data.length / 4) * share;
    return number.findIndex((some) => (left -= some) < 0);
  });
}

const dark = (data) => levels(data, 0.5)[0] < DARK;

/** Between its 2nd and 98th percentile, the middle lifted. */
function stretch(data) {
  const [low, middle, high] = levels(data, 0.02, 0.5, 0.98);
  const span = Math.max(LEAST, high - low);
  const power = Math.min(1, Math.max(0.55, Math.log(WANTED) / Math.log(Math.min(0.99, Math.max(1, middle - low) / span))));
  const after = Uint8ClampedArray.from({ length: 256 }, (_, at) => 255 * Math.max(0, (at - low) / span) ** power);
  for (let at = 0; at < data.length; at += 4) for (const channel of [0, 1, 2]) data[at + channel] = after[data[at + channel]];
}
