// Small helpers: elements without markup strings, so that no text is ever taken for code.
const SVG = "http://www.w3.org/2000/svg";

/** An element: attributes, `on…` listeners, children (nodes, strings, nothing). */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for drawings. */
export function s(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const NAMES = ["data-key", "id", "href", "aria-label"];

/** What finds an element again once all is drawn anew: its key, where it leads, what it is called; null where nothing does. */
function traceOf(element) {
  const name = NAMES.find((one) => element.hasAttribute(one));
  if (name) return `${element.localName}[${name}="${CSS.escape(element.getAttribute(name))}"]`;
  return element.localName === "summary" ? "summary" : null;
}

/** Replace what is in `place`, and give the focus back to what had it. */
export function put(place, ...children) {
  const held = document.activeElement;
  const trace = held && held !== place && place.contains(held) ? traceOf(held) : null;
  const at = trace && [...place.querySelectorAll(trace)].indexOf(held);
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (trace) place.querySelectorAll(trace)[at]?.focus({ preventScroll: true });
}

let pressed = null;
const pressable = (event) => event.target.closest?.("[data-key], a[href], summary");

// Browsers give no click where what the mouse pressed was replaced before it was let go: it goes to what stands there now.
addEventListener("pointerdown", (event) => (pressed = event.pointerType !== "touch" && event.button === 0 ? pressable(event) : null), true);
addEventListener("pointerup", (event) => {
  const was = pressed;
  pressed = null;
  const now = was && !was.isConnected ? pressable(event) : null;
  if (now && traceOf(now) === traceOf(was)) now.click();
}, true);

let left = null; // where the focus was before a sheet opened over the page

addEventListener("focusin", ({ target }) => {
  if (target.closest?.("dialog")) return;
  const trace = traceOf(target);
  left = trace && { trace, at: [...document.querySelectorAll(trace)].indexOf(target) };
}, true);
addEventListener("focusout", ({ target, relatedTarget }) => relatedTarget || target.closest?.("dialog") || (left = null), true);

// A browser gives the focus back to what had it, unless a view has drawn that anew meanwhile.
addEventListener("close", () => {
  if (left && document.activeElement?.matches("body, dialog:not([open]) *")) document.querySelectorAll(left.trace)[left.at]?.focus({ preventScroll: true });
}, true);
