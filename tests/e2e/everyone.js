// What the checks for everyone ask a page; loaded into it by `tests/e2e/pages.py`.
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex='0']";
const CLEAR = new Set(["none", "rgba(0, 0, 0, 0)"]);
const walked = new Set(); // by name and number among their like: a view that arrives draws all anew
const radios = new Set();

const nameOf = (one) =>
  one.dataset.key || `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 40)}`;
const idOf = (one) =>
  `${nameOf(one)} ${[...document.querySelectorAll(FOCUSABLE)].filter((other) => nameOf(other) === nameOf(one)).indexOf(one)}`;
const marked = (style) =>
  (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || !CLEAR.has(style.stroke);
const middle = (from, to, most) => (Math.max(from, 0) + Math.min(to, most)) / 2;

/** Where the focus is now: whether it was there before, is marked, and lies in sight. */
function stop() {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const id = idOf(one);
  const again = walked.has(id);
  walked.add(id);
  if (one.type === "radio") radios.add(one.name);
  const places = [one, one.nextElementSibling, one.querySelector(".ring")].filter(Boolean);
  const box = one.getBoundingClientRect();
  const hit = document.elementFromPoint(
    middle(box.left, box.right, innerWidth),
    middle(box.top, box.bottom, innerHeight),
  );
  const same = hit && one.closest("svg") && one.closest("svg") === hit.closest("svg");
  const seen = box.width > 0 && hit && (one.contains(hit) || hit.contains(one) || same);
  return {
    again,
    marked: places.some((place) => marked(getComputedStyle(place))),
    seen: Boolean(seen),
    name: nameOf(one),
  };
}

/** Controls that the walk did not come to; of a group of radio buttons one is enough. */
function left() {
  const group = (one) => one.type === "radio" && radios.has(one.name);
  return [...document.querySelectorAll(FOCUSABLE)]
    .filter(
      (one) =>
        !walked.has(idOf(one)) &&
        !one.disabled &&
        one.tabIndex >= 0 &&
        one.checkVisibility({ visibilityProperty: true }) &&
        !group(one),
    )
    .map(nameOf);
}

/** Text that is cut off or lies beyond the edge; only the innermost, and not where one may scroll. */
function cut() {
  const scrolls = (one) => one.closest(".scrolls, .standing, svg, .sr");
  const shown = [...document.querySelectorAll("main *, header *, dialog[open] *")].filter(
    (one) => one.checkVisibility() && !scrolls(one),
  );
  // A closed select shows its options whole once it is opened; some builds of Chromium measure them closed.
  const narrow = (one) =>
    one.tagName !== "SELECT" &&
    one.clientWidth > 0 &&
    getComputedStyle(one).display !== "inline" &&
    one.scrollWidth > one.clientWidth + 1;
  const past = (one) =>
    one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1;
  const bad = shown.filter((one) => one.innerText?.trim() && (narrow(one) || past(one)));
  const inner = bad.filter((one) => !bad.some((other) => other !== one && one.contains(other)));
  const wide =
    document.documentElement.scrollWidth > innerWidth
      ? [`the page is ${document.documentElement.scrollWidth} wide`]
      : [];
  return [...wide, ...inner.map(nameOf)];
}

/**
 * Controls too small for a finger; a link within a sentence is as high as its line, and what only a reader
 * hears is not touched.
 */
function small() {
  const within = (one) =>
    one.tagName === "A" &&
    !one.matches(".btn, .lone") &&
    one.parentElement.textContent.trim() !== one.textContent.trim();
  const size = (one) =>
    [one, one.closest("label")].filter(Boolean).map((place) => place.getBoundingClientRect());
  return [...document.querySelectorAll(FOCUSABLE)]
    .filter(
      (one) =>
        one.matches("a, button, input, select, textarea, summary") &&
        one.checkVisibility({ visibilityProperty: true }) &&
        !within(one),
    )
    .filter(
      (one) =>
        one.getBoundingClientRect().width > 2 &&
        Math.min(
          Math.max(...size(one).map((box) => box.width)),
          Math.max(...size(one).map((box) => box.height)),
        ) < 43.5,
    )
    .map(nameOf);
}

/** Tables that have to be moved sideways to be read, and words of a chart beyond its card. */
function aside() {
  const over = [...document.querySelectorAll(".standing")].filter(
    (one) => one.scrollWidth > one.clientWidth + 1,
  );
  const out = ([one, word]) => word.left < one.left - 1 || word.right > one.right + 1;
  const words = [...document.querySelectorAll(".card svg.chart text")].filter((one) =>
    out([one.closest(".card").getBoundingClientRect(), one.getBoundingClientRect()]),
  );
  return [...over, ...words].map(nameOf);
}

window.everyone = { stop, left, cut, small, aside };
