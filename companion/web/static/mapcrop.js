// A small static cut-out of the map: some provinces and their surroundings, as illustration, not for
// choosing.
import { s } from "./dom.js";
import { banner, patterns, tokens } from "./mapparts.js";

let crops = 0;

/**
 * Draw the provinces `shown` (ids) in the middle; `provinces` as in a view, `over` what was different
 * then, by id.
 * `label` describes the picture for screen readers; a `whole` picture is never cropped, whatever the shape
 * of its container.
 */
export function crop(japan, provinces, shown, { over = {}, margin = 190, label = "", whole = false } = {}) {
  const prefix = `crop${(crops += 1)}`;
  const box = around(
    shown.map((id) => japan.provinces[id]),
    margin,
  );
  const all = provinces
    .map((one) => ({ buildings: [], markers: 0, ...one, ...over[one.id] }))
    .filter((one) => whole || near(japan.provinces[one.id], box));
  const picked = new Set(shown);
  const path = (d, name) => s("path", { d, class: name });
  return s(
    "svg",
    {
      class: "japan crop",
      viewBox: `${box.x} ${box.y} ${box.w} ${box.h}`,
      role: "img",
      "aria-label": label,
      preserveAspectRatio: `xMidYMid ${whole ? "meet" : "slice"}`,
    },
    patterns(prefix),
    s(
      "defs",
      {},
      all.map((one) => s("clipPath", { id: `${prefix}-clip-${one.id}` }, path(japan.provinces[one.id].path))),
    ),
    s("rect", { x: box.x - box.w, y: box.y - box.h, width: 3 * box.w, height: 3 * box.h, class: "sea" }),
    ["wash far", "wash", "wash near"].map((name) => path(japan.coast, name)),
    all.map((one) => land(japan, one, prefix, picked.has(one.id))),
    s(
      "g",
      { class: "lines" },
      path(japan.lake, "lake"),
      japan.borders.map((one) => path(one.path, "border")),
      path(japan.coast, "shore"),
    ),
    s(
      "g",
      { class: "signs" },
      all.filter((one) => picked.has(one.id)).map((one) => signs(japan, one)),
    ),
  );
}

function around(places, margin) {
  const [xs, ys] = [places.map((one) => one.x), places.map((one) => one.y)];
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return { x, y, w: Math.max(...xs) + margin - x, h: Math.max(...ys) + margin - y };
}

const near = ({ x, y }, box) =>
  x > box.x - 260 && x < box.x + box.w + 260 && y > box.y - 260 && y < box.y + box.h + 260;

function land(japan, one, prefix, picked) {
  const { path } = japan.provinces[one.id];
  const clip = `url(#${prefix}-clip-${one.id})`;
  return s(
    "g",
    { class: `${one.owner ?? "neutral"}${picked ? "" : " aside"}` },
    s("path", { d: path, fill: `url(#${prefix}-${one.region ?? "out"})` }),
    picked && one.owner ? s("path", { d: path, class: "edge", "clip-path": clip }) : null,
  );
}

function signs(japan, one) {
  const { x, y } = japan.provinces[one.id];
  const more = one.buildings.length || one.markers;
  const up = one.owner ? (more ? -38 : -16) : more ? -8 : 10;
  return s(
    "g",
    { transform: `translate(${x} ${y})` },
    s("text", { y: up, class: "name" }, one.name),
    one.owner ? s("g", { transform: `translate(0 ${up + 37})` }, banner(one.owner, one.armies)) : null,
    more
      ? s(
          "g",
          { transform: `translate(0 ${up + (one.owner ? 84 : 32)})` },
          tokens(one.buildings, one.markers),
        )
      : null,
  );
}
