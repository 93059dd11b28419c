// The picture in full screen: pinch, wheel, buttons and keys zoom; Escape closes it.
import { h, isShortcut } from "./dom.js";
import { t } from "./i18n.js";
import { MapView } from "./mapview.js";
import { button } from "./widgets.js";

const STEP = 1.5;
const zoomIn = (view) => view.zoomBy(STEP);
const zoomOut = (view) => view.zoomBy(1 / STEP);
const KEYS = {
  "+": zoomIn,
  "=": zoomIn,
  "-": zoomOut, // + without Shift is =
  ArrowLeft: (view) => pan(view, -1, 0),
  ArrowRight: (view) => pan(view, 1, 0),
  ArrowUp: (view) => pan(view, 0, -1),
  ArrowDown: (view) => pan(view, 0, 1),
};
let dialog = null;

/** Close it, because another picture is asked about now. */
export const closeEnlarged = () => dialog?.close();

/**
 * `drawFigure` makes the figure, `wireSwitches` connects its switches, `onRing` gets the number of a tapped
 * ring.
 */
export function enlarge(drawFigure, wireSwitches, onRing) {
  closeEnlarged();
  const figure = drawFigure();
  const svg = figure.querySelector("svg");
  const picture = svg.querySelector("image");
  const part = svg.getAttribute("viewBox").split(" ").map(Number);
  let view = null;
  const controls = h(
    "dialog",
    { class: "zoom", "aria-label": t("picture.enlarge") },
    figure,
    h(
      "div",
      { class: "row tools" },
      button("zoom-in", "+", () => zoomIn(view)),
      button("zoom-out", "−", () => zoomOut(view)),
      wireSwitches.switches("zoom-"),
      button("zoom-close", t("close"), () => controls.close(), "main"),
    ),
  );
  controls.querySelector('[data-key="zoom-in"]').setAttribute("aria-label", t("map.nearer"));
  controls.querySelector('[data-key="zoom-out"]').setAttribute("aria-label", t("map.farther"));
  wireSwitches(controls);
  controls.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || isShortcut(event)) return;
    event.preventDefault();
    KEYS[event.key](view);
  });
  svg.addEventListener("click", (event) => {
    const ring = event.target.closest("[data-place]");
    if (!ring) return;
    controls.close();
    onRing(ring.dataset.place);
  });
  controls.addEventListener("close", () => {
    controls.remove();
    view.end();
    if (dialog === controls) dialog = null;
    if (document.activeElement === document.body)
      document.querySelector('[data-key="enlarge"]')?.focus({ preventScroll: true });
  });
  dialog = controls;
  document.body.append(controls);
  controls.showModal();
  view = new MapView(svg, Number(picture.getAttribute("width")), Number(picture.getAttribute("height")));
  zoomToPart(view, part);
}

/** Zoom so that the whole tray fills the screen. */
function zoomToPart(view, [x, y, width, height]) {
  const { w, h: tall } = view.box;
  Object.assign(view, { x: x + width / 2, y: y + height / 2 });
  view.zoomBy(Math.min((w * view.zoom) / width, (tall * view.zoom) / height), { x: view.x, y: view.y });
}

function pan(view, x, y) {
  const { w, h: tall } = view.box;
  view.x += x * w * 0.2;
  view.y += y * tall * 0.2;
  view.zoomBy(1);
}
