// Small DOM helpers: elements are made without markup strings, so that text is never parsed as code.
const SVG = "http://www.w3.org/2000/svg";

/** Create an element with attributes, `on…` listeners and children (nodes, strings, null). */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG elements. */
export function s(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars")
      for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Whether a key is pressed with one that makes it a shortcut of the browser or the system. */
export const isShortcut = (event) => event.ctrlKey || event.metaKey || event.altKey;

const NAMES = ["data-key", "id", "href", "aria-label"];

/**
 * A selector that finds an element again after a redraw, by its key, id, link or label; null if it has none.
 */
function traceOf(element) {
  const name = NAMES.find((name) => element.hasAttribute(name));
  if (name) return `${element.localName}[${name}="${CSS.escape(element.getAttribute(name))}"]`;
  return element.localName === "summary" ? "summary" : null;
}

/**
 * Replace the content of `place` and restore the focus. Where the focused element is gone, or cannot take it,
 * the one with the `data-key` that its `data-next` names gets it: else keys would begin at the page's top.
 */
export function put(place, ...children) {
  const focused = document.activeElement;
  const trace = focused && focused !== place && place.contains(focused) ? traceOf(focused) : null;
  const at = trace && [...place.querySelectorAll(trace)].indexOf(focused);
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (!trace) return;
  const same = place.querySelectorAll(trace)[at];
  const next =
    focused.dataset.next && place.querySelector(`[data-key="${CSS.escape(focused.dataset.next)}"]`);
  (same && !same.disabled ? same : next)?.focus({ preventScroll: true });
}

/** Focus `element` if what had the focus is gone. */
export function focusIfLost(element) {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

let pressed = null;
const pressable = (event) => event.target.closest?.("[data-key], a[href], summary");

// Browsers fire no click if the pressed element is replaced before the button is released: click its
// successor instead.
addEventListener(
  "pointerdown",
  (event) => (pressed = event.pointerType !== "touch" && event.button === 0 ? pressable(event) : null),
  true,
);
addEventListener(
  "pointerup",
  (event) => {
    const pressedBefore = pressed;
    pressed = null;
    const successor = pressedBefore && !pressedBefore.isConnected ? pressable(event) : null;
    if (successor && traceOf(successor) === traceOf(pressedBefore)) successor.click();
  },
  true,
);

let focusBefore = null; // where the focus was before a dialog opened

addEventListener(
  "focusin",
  ({ target }) => {
    if (target.closest?.("dialog")) return;
    const trace = traceOf(target);
    focusBefore = trace && { trace, at: [...document.querySelectorAll(trace)].indexOf(target) };
  },
  true,
);
addEventListener(
  "focusout",
  ({ target, relatedTarget }) => relatedTarget || target.closest?.("dialog") || (focusBefore = null),
  true,
);

// When a dialog closes, browsers restore the focus only if its element was not redrawn meanwhile.
addEventListener(
  "close",
  () => {
    if (focusBefore && document.activeElement?.matches("body, dialog:not([open]) *"))
      document.querySelectorAll(focusBefore.trace)[focusBefore.at]?.focus({ preventScroll: true });
  },
  true,
);
