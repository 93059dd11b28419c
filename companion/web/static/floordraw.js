// The tray's floor: its outline over the picture of the empty tray, with four handles to redraw it.
import { h, s } from "./dom.js";
import { t } from "./i18n.js";
import { homography } from "./plane.js";
import { button, choices } from "./widgets.js";

const UNIT = {
  square: [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ],
  oval: [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ],
};
const ROUND = 0.29; // corner radius of most trays, as a fraction of half a side
const AROUND = 64;
const LEAST_AREA = 0.01; // fraction of the picture, as on the server
const MIDDLE = {
  shape: "square",
  handles: [
    [0.3, 0.25],
    [0.7, 0.25],
    [0.75, 0.75],
    [0.25, 0.75],
  ],
};
const STEP = { fine: 0.002, coarse: 0.01 };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LOUPE = 0.26; // fraction of the picture's width
const ZOOM = 4;
let draft = null; // the outline this person is drawing

/**
 * The question, the picture and the buttons; `answer` takes a corrected outline or none; `redraw` redraws the
 * page.
 */
export function floorQuestion({ floor, href, answer, redraw }) {
  draft ??= { active: null, drawing: !floor.outline, ...copyOutline(floor.outline ?? MIDDLE) };
  const picture = floorPicture(floor, href);
  if (!draft.drawing)
    return {
      instruction: null,
      parts: [
        picture.element,
        row(
          button("yes", t("calibrate.yes"), () => answer(null), "main big"),
          button("draw", t("calibrate.draw_it"), () => startDrawing(redraw), "big"),
        ),
      ],
    };
  const warning = h("p", { class: "note bad", id: "no-floor", role: "alert" }, t("calibrate.no_floor"));
  picture.tell = () => (warning.hidden = isFloor(draft));
  picture.tell();
  const parts = [
    h("p", {}, t(draft.shape === "oval" ? "calibrate.draw_ends" : "calibrate.draw_corners")),
    choices(
      "floor-shape",
      t("mat.shape"),
      Object.keys(UNIT).map((shape) => ({ value: shape, text: t(`mat.${shape}`) })),
      draft.shape,
      (shape) => reshape(shape, redraw),
    ),
    picture.element,
    warning,
    row(
      button(
        "yes",
        t("calibrate.this_floor"),
        () => isFloor(draft) && answer({ shape: draft.shape, handles: draft.handles }),
        "main big",
      ),
      floor.outline ? button("as-found", t("calibrate.as_found"), () => useFound(redraw), "quiet") : null,
    ),
  ];
  return { instruction: floor.outline ? t("calibrate.draw_here") : null, parts };
}

const row = (...buttons) => h("div", { class: "row" }, buttons);
const clamp = (value) => Math.min(1, Math.max(0, value));
const copyOutline = ({ shape, handles }) => ({ shape, handles: handles.map((handle) => [...handle]) });

/** Start drawing, with the handles inside the picture, where they can be grabbed. */
function startDrawing(redraw) {
  Object.assign(draft, { drawing: true, handles: draft.handles.map((handle) => handle.map(clamp)) });
  redraw();
}

/**
 * Drop the drawn outline, which is about another picture than the next question. It is kept if a question
 * returns because the outline was no valid floor.
 */
export const dropOutline = () => (draft = null);

function useFound(redraw) {
  dropOutline();
  redraw();
}

/** Convert the handles to the other shape with the same floor. */
function reshape(shape, redraw) {
  const toPicture = homography(UNIT[draft.shape], draft.handles);
  Object.assign(draft, {
    shape,
    active: null,
    handles: UNIT[shape].map((point) => toPicture(point).map(clamp)),
  });
  redraw();
}

/**
 * Whether the sides do not cross, the order is clockwise and the area large enough (`vision.scene.drawn`).
 */
function isFloor({ handles }) {
  const cornerAt = (n) => handles[n % 4];
  const sides = handles.map(([x, y], n) => [cornerAt(n + 1)[0] - x, cornerAt(n + 1)[1] - y]);
  const crossProducts = sides.map(([x, y], n) => x * sides[(n + 1) % 4][1] - y * sides[(n + 1) % 4][0]);
  const area =
    handles.reduce((sum, [x, y], n) => sum + x * cornerAt(n + 1)[1] - cornerAt(n + 1)[0] * y, 0) / 2;
  return Math.min(...crossProducts) > 0 && area >= LEAST_AREA;
}

/** Points of the floor's edge, as fractions of the picture. */
function edgePoints({ shape, handles }) {
  const toPicture = homography(UNIT[shape], handles);
  const towardsCorner = (component) =>
    shape === "oval" ? component : Math.sign(Math.round(component * 1e9)) * (1 - ROUND) + component * ROUND;
  return Array.from({ length: AROUND }, (_, n) => {
    const angle = (2 * Math.PI * n) / AROUND;
    return toPicture([towardsCorner(Math.cos(angle)), towardsCorner(Math.sin(angle))]);
  });
}

function floorPicture({ size: [width, height] }, href) {
  const line = (kind, thick) => s("polygon", { class: kind, "stroke-width": (width / 260) * thick });
  const lines = () => [line("floor-halo", 2.2), line("floor", 1)];
  const image = () => s("image", { href, width, height, preserveAspectRatio: "none" });
  const outlines = lines();
  const magnified = lines();
  const span = width / ZOOM;
  const lens = s("svg", { class: "loupe", viewBox: "0 0 1 1", "aria-hidden": "true" }, image(), magnified);
  const cross = s("path", { class: "loupe-cross", d: "M -1 0 H 1 M 0 -1 V 1" });
  const loupe = s(
    "g",
    { class: "floor-loupe", "aria-hidden": "true", visibility: "hidden" },
    s("rect"),
    lens,
    cross,
  );
  const svg = s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "seen", role: "img", "aria-label": t("calibrate.alt_tray") },
    image(),
    outlines,
    loupe,
  );
  const handleButtons = draft.drawing ? draft.handles.map((_, n) => handleButton(n)) : [];
  const picture = { element: h("div", { class: "floordraw" }, svg, handleButtons), tell: () => {} };
  show();
  return picture;

  function show() {
    const points = edgePoints(draft)
      .map(([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`)
      .join(" ");
    for (const polygon of [...outlines, ...magnified]) polygon.setAttribute("points", points);
    handleButtons.forEach((handle, n) => {
      handle.style.setProperty("left", `${100 * draft.handles[n][0]}%`);
      handle.style.setProperty("top", `${100 * draft.handles[n][1]}%`);
    });
    magnify();
    picture.tell();
  }

  /** Show what the finger covers, enlarged, in the corner farthest from all rings. */
  function magnify() {
    const active = draft.active === null ? null : draft.handles[draft.active];
    loupe.setAttribute("visibility", active && draft.drawing ? "visible" : "hidden");
    if (!active) return;
    const side = width * LOUPE;
    const clearance = ([x, y]) =>
      Math.min(
        ...draft.handles.map((ring) =>
          Math.hypot(ring[0] * width - x - side / 2, ring[1] * height - y - side / 2),
        ),
      );
    const corners = [
      [0, 0],
      [width - side, 0],
      [0, height - side],
      [width - side, height - side],
    ];
    const [left, top] = corners.reduce((best, corner) =>
      clearance(corner) > clearance(best) ? corner : best,
    );
    for (const part of [loupe.firstChild, lens])
      for (const [name, value] of Object.entries({ x: left, y: top, width: side, height: side }))
        part.setAttribute(name, value);
    const shownSide = span * LOUPE;
    lens.setAttribute(
      "viewBox",
      `${active[0] * width - shownSide / 2} ${active[1] * height - shownSide / 2} ${shownSide} ${shownSide}`,
    );
    cross.setAttribute("transform", `translate(${left + side / 2} ${top + side / 2}) scale(${side / 8})`);
  }

  function handleButton(n) {
    let grip = null;
    const move = (x, y) => {
      draft.handles[n] = [clamp(x), clamp(y)];
      draft.active = n;
      show();
    };
    return h("button", {
      type: "button",
      class: "pull",
      "data-key": `pull-${n}`,
      "aria-label": t(draft.shape === "oval" ? "calibrate.end" : "calibrate.corner", { n: n + 1 }),
      onfocus: () => {
        draft.active = n;
        magnify();
      },
      onblur: () => {
        draft.active = null;
        magnify();
      },
      onkeydown: (event) => {
        const direction = ARROWS[event.key];
        if (!direction) return;
        event.preventDefault();
        const distance = event.shiftKey ? STEP.coarse : STEP.fine;
        move(
          draft.handles[n][0] + direction[0] * distance,
          draft.handles[n][1] + direction[1] * distance * (width / height),
        );
      },
      onpointerdown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus({ preventScroll: true });
        event.preventDefault();
        const box = svg.getBoundingClientRect();
        grip = {
          room: box,
          by: [
            draft.handles[n][0] - event.clientX / box.width,
            draft.handles[n][1] - event.clientY / box.height,
          ],
        };
      },
      onpointermove: (event) =>
        grip &&
        move(event.clientX / grip.room.width + grip.by[0], event.clientY / grip.room.height + grip.by[1]),
      onpointerup: () => (grip = null),
      onpointercancel: () => (grip = null),
    });
  }
}
