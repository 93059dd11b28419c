// What the checks for everyone ask a page; loaded into it by `tests/e2e/pages.py`.
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex='0']";
const CLEAR = new Set(["none", "rgba(0, 0, 0, 0)"]);
const walked = new Set(); // by name and number among their like: a view that arrives draws all anew
const radios = new Set();

const nameOf = (element) =>
  element.dataset.key || `${element.tagName}.${element.className} ${element.textContent.trim().slice(0, 40)}`;
const idOf = (element) =>
  `${nameOf(element)} ${[...document.querySelectorAll(FOCUSABLE)].filter((other) => nameOf(other) === nameOf(element)).indexOf(element)}`;
const isMarked = (style) =>
  (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || !CLEAR.has(style.stroke);
const middleOf = (from, to, most) => (Math.max(from, 0) + Math.min(to, most)) / 2;

/** Where the focus is now: whether it was there before, is marked, and lies in sight. */
function focusStop() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const id = idOf(element);
  const again = walked.has(id);
  walked.add(id);
  if (element.type === "radio") radios.add(element.name);
  const places = [element, element.nextElementSibling, element.querySelector(".ring")].filter(Boolean);
  const box = element.getBoundingClientRect();
  const hit = document.elementFromPoint(
    middleOf(box.left, box.right, innerWidth),
    middleOf(box.top, box.bottom, innerHeight),
  );
  const isSameDrawing = hit && element.closest("svg") && element.closest("svg") === hit.closest("svg");
  const isSeen = box.width > 0 && hit && (element.contains(hit) || hit.contains(element) || isSameDrawing);
  return {
    again,
    marked: places.some((place) => isMarked(getComputedStyle(place))),
    seen: Boolean(isSeen),
    name: nameOf(element),
  };
}

/** Controls that the walk did not come to; of a group of radio buttons one is enough. */
function unreached() {
  const isInWalkedGroup = (element) => element.type === "radio" && radios.has(element.name);
  return [...document.querySelectorAll(FOCUSABLE)]
    .filter(
      (element) =>
        !walked.has(idOf(element)) &&
        !element.disabled &&
        element.tabIndex >= 0 &&
        element.checkVisibility({ visibilityProperty: true }) &&
        !isInWalkedGroup(element),
    )
    .map(nameOf);
}

/** Text that is cut off or lies beyond the edge; only the innermost, and not where one may scroll. */
function cutOff() {
  const mayScroll = (element) => element.closest(".scrolls, .standing, svg, .sr");
  const shown = [...document.querySelectorAll("main *, header *, dialog[open] *")].filter(
    (element) => element.checkVisibility() && !mayScroll(element),
  );
  // A closed select shows its options whole once it is opened; some builds of Chromium measure them closed.
  const isTooNarrow = (element) =>
    element.tagName !== "SELECT" &&
    element.clientWidth > 0 &&
    getComputedStyle(element).display !== "inline" &&
    element.scrollWidth > element.clientWidth + 1;
  const isBeyondEdge = (element) =>
    element.getBoundingClientRect().right > innerWidth + 1 || element.getBoundingClientRect().left < -1;
  const cutElements = shown.filter(
    (element) => element.innerText?.trim() && (isTooNarrow(element) || isBeyondEdge(element)),
  );
  const innermost = cutElements.filter(
    (element) => !cutElements.some((other) => other !== element && element.contains(other)),
  );
  const widePage =
    document.documentElement.scrollWidth > innerWidth
      ? [`the page is ${document.documentElement.scrollWidth} wide`]
      : [];
  return [...widePage, ...innermost.map(nameOf)];
}

/**
 * Controls too small for a finger; a link within a sentence is as high as its line, and what only a reader
 * hears is not touched.
 */
function tooSmall() {
  const isInSentence = (element) =>
    element.tagName === "A" &&
    !element.matches(".btn, .lone") &&
    element.parentElement.textContent.trim() !== element.textContent.trim();
  const touchBoxes = (element) =>
    [element, element.closest("label")].filter(Boolean).map((place) => place.getBoundingClientRect());
  return [...document.querySelectorAll(FOCUSABLE)]
    .filter(
      (element) =>
        element.matches("a, button, input, select, textarea, summary") &&
        element.checkVisibility({ visibilityProperty: true }) &&
        !isInSentence(element),
    )
    .filter(
      (element) =>
        element.getBoundingClientRect().width > 2 &&
        Math.min(
          Math.max(...touchBoxes(element).map((box) => box.width)),
          Math.max(...touchBoxes(element).map((box) => box.height)),
        ) < 43.5,
    )
    .map(nameOf);
}

/** Tables that have to be moved sideways to be read, and words of a chart beyond its card. */
function movedSideways() {
  const wideTables = [...document.querySelectorAll(".standing")].filter(
    (element) => element.scrollWidth > element.clientWidth + 1,
  );
  const isOutside = ([card, word]) => word.left < card.left - 1 || word.right > card.right + 1;
  const words = [...document.querySelectorAll(".card svg.chart text")].filter((element) =>
    isOutside([element.closest(".card").getBoundingClientRect(), element.getBoundingClientRect()]),
  );
  return [...wideTables, ...words].map(nameOf);
}

window.everyone = { focusStop, unreached, cutOff, tooSmall, movedSideways };
