// A small static cut-out of the map: some provinces and their surroundings, as illustration, not for
// choosing.
import { s } from "./dom.js";
import { banner, regionPatterns, tokens } from "./mapparts.js";

let crops = 0;

/**
 * Draw the provinces `shown` (ids) in the middle; `provinces` as in a view, `overrides` what was different
 * then, by id. `label` describes the picture for screen readers; a `whole` picture is never cropped, whatever
 * the shape of its container.
 */
export function mapCrop(
  japan,
  provinces,
  shown,
  { overrides = {}, margin = 190, label = "", whole = false } = {},
) {
  const prefix = `crop${(crops += 1)}`;
  const box = boundingBox(
    shown.map((id) => japan.provinces[id]),
    margin,
  );
  const all = provinces
    .map((province) => ({ buildings: [], markers: 0, ...province, ...overrides[province.id] }))
    .filter((province) => whole || isNear(japan.provinces[province.id], box));
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
    regionPatterns(prefix),
    s(
      "defs",
      {},
      all.map((province) =>
        s("clipPath", { id: `${prefix}-clip-${province.id}` }, path(japan.provinces[province.id].path)),
      ),
    ),
    s("rect", { x: box.x - box.w, y: box.y - box.h, width: 3 * box.w, height: 3 * box.h, class: "sea" }),
    ["wash far", "wash", "wash near"].map((name) => path(japan.coast, name)),
    all.map((province) => landShape(japan, province, prefix, picked.has(province.id))),
    s(
      "g",
      { class: "lines" },
      path(japan.lake, "lake"),
      japan.borders.map((border) => path(border.path, "border")),
      path(japan.coast, "shore"),
    ),
    s(
      "g",
      { class: "signs" },
      all.filter((province) => picked.has(province.id)).map((province) => provinceSigns(japan, province)),
    ),
  );
}

function boundingBox(places, margin) {
  const [xs, ys] = [places.map((place) => place.x), places.map((place) => place.y)];
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return { x, y, w: Math.max(...xs) + margin - x, h: Math.max(...ys) + margin - y };
}

const isNear = ({ x, y }, box) =>
  x > box.x - 260 && x < box.x + box.w + 260 && y > box.y - 260 && y < box.y + box.h + 260;

function landShape(japan, province, prefix, picked) {
  const { path } = japan.provinces[province.id];
  const clip = `url(#${prefix}-clip-${province.id})`;
  return s(
    "g",
    { class: `${province.owner ?? "neutral"}${picked ? "" : " aside"}` },
    s("path", { d: path, fill: `url(#${prefix}-${province.region ?? "out"})` }),
    picked && province.owner ? s("path", { d: path, class: "edge", "clip-path": clip }) : null,
  );
}

function provinceSigns(japan, province) {
  const { x, y } = japan.provinces[province.id];
  const hasTokens = province.buildings.length || province.markers;
  const nameY = province.owner ? (hasTokens ? -38 : -16) : hasTokens ? -8 : 10;
  return s(
    "g",
    { transform: `translate(${x} ${y})` },
    s("text", { y: nameY, class: "name" }, province.name),
    province.owner
      ? s("g", { transform: `translate(0 ${nameY + 37})` }, banner(province.owner, province.armies))
      : null,
    hasTokens
      ? s(
          "g",
          { transform: `translate(0 ${nameY + (province.owner ? 84 : 32)})` },
          tokens(province.buildings, province.markers),
        )
      : null,
  );
}
