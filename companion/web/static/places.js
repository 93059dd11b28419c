// Where a person should look: each place in doubt cut out of the picture, and what may be there to choose from.
import { h, s } from "./dom.js";
import { cube } from "./cubes.js";
import { colour, t } from "./i18n.js";
import { cutOut } from "./levels.js";
import { choices } from "./widgets.js";

const REACH = 2.3; // edges to each side: its neighbours tell what a place is
const ABOUT = 0.75; // edges: a ring that holds one cube and no more
const NOTHING = "none";

/** What each place is counted as until somebody has looked. */
export const asCounted = (look) => (look?.open ?? []).map((place) => place.counted);

/** The counts, once another thing is chosen at one place. */
export function chosen(counts, was, now) {
  const after = { ...counts };
  if (was) after[was] = Math.max(0, (after[was] ?? 0) - 1);
  if (now) after[now] = (after[now] ?? 0) + 1;
  return after;
}

/** The places at which there is something to choose; colours that do not play are not offered. */
export function asked(look, colours) {
  return (look?.open ?? []).map((place, at) => ({ ...place, at, offered: offered(place, colours) })).filter((place) => place.offered.length > 1);
}

function offered(place, colours) {
  return place.answers.map((answer) => answer.colour).filter((name) => name === null || colours.includes(name) || name === place.counted);
}

/** `now`: what is chosen at each place of the look. */
export function places(look, open, now, choose) {
  if (!open.length) return null;
  return h(
    "section",
    { class: "places", "aria-label": t("places", { n: open.length }) },
    h("h2", {}, t("places", { n: open.length })),
    h("p", { class: "muted small" }, t("places.how")),
    h("ol", {}, open.map((place, number) => h("li", { id: `place-${number + 1}` }, cut(look, place), question(place, number + 1, now[place.at], choose)))),
  );
}

function question(place, number, now, choose) {
  return choices(
    `place-${number}`,
    `${number} · ${t(`place.${asks(place)}`)}`,
    place.offered.map((name) => ({ value: name ?? NOTHING, text: name ? colour(name) : t("place.none"), mark: name ? cube(name, false) : null })),
    now ?? NOTHING,
    (value) => choose(place.at, value === NOTHING ? null : value),
  );
}

/** Of one colour the question is whether it is a cube at all; of several, which. */
function asks({ under, counted: now, offered: what }) {
  if (under) return "under";
  if (what.filter(Boolean).length === 1) return "own";
  return now ? "which" : "here";
}

/** So near that a person can judge: what is counted about it in thin lines, what is asked about in a dashed one. */
function cut(look, place) {
  const [x, y] = place.centre;
  const reach = REACH * place.edge;
  const unit = place.edge / 20;
  const own = ownCube(look, place);
  const near = look.cubes.filter((seen) => seen !== own && Math.hypot(seen.centre[0] - x, seen.centre[1] - y) < 2 * reach);
  return h("div", { class: "cut" }, cutOut(look.picture, look.size[0], place.centre, reach), s(
    "svg",
    { viewBox: `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`, "aria-hidden": "true" },
    near.map((seen) => counted(seen, unit, place.edge)),
    own && !place.under ? dashed("polygon", { points: corners(own.outline) }, 1.6 * unit) : dashed("circle", { cx: x, cy: y, r: place.edge * ABOUT }, 1.6 * unit),
  ));
}

/** The cube that is counted at this place, of those that were seen. */
function ownCube(look, place) {
  if (!place.counted) return null;
  const away = (seen) => Math.hypot(seen.centre[0] - place.centre[0], seen.centre[1] - place.centre[1]);
  const nearest = look.cubes.filter((seen) => seen.colour === place.counted).sort((one, other) => away(one) - away(other))[0];
  return nearest && away(nearest) < place.edge * 0.7 ? nearest : null;
}

/** A cube that is counted already, thin and with its letter. */
function counted({ centre: [x, y], outline, colour: name }, unit, edge) {
  return s(
    "g",
    { class: "counted" },
    s("polygon", { points: corners(outline), class: "around", "stroke-width": 2 * unit }),
    s("polygon", { points: corners(outline), "stroke-width": 0.8 * unit }),
    s("text", { x: 0, y: 0, transform: `translate(${x} ${y}) scale(${edge * 0.36})`, "stroke-width": 0.3 }, t(`letter.${name}`)),
  );
}

/** What is asked about. */
function dashed(tag, shape, unit) {
  return s("g", { class: "ask" }, s(tag, { ...shape, class: "around", "stroke-width": 2 * unit }), s(tag, { ...shape, class: "dashed", "stroke-width": unit, "stroke-dasharray": `${3.2 * unit} ${1.8 * unit}` }));
}

const corners = (outline) => outline.map((point) => point.join(",")).join(" ");

/** About each place in doubt, with the number under which it is asked about; no number lies on another, or on a ring. */
export function rings(open, unit) {
  const spots = [];
  return open.map(({ centre: [x, y], edge }, at) => {
    const size = Math.max(edge * 0.8, 22 * unit / 4);
    const spot = numberSpot(x, y, edge * ABOUT + size * 0.6, [...spots, ...open.map((one) => ({ x: one.centre[0], y: one.centre[1], r: one.edge * ABOUT }))], size);
    spots.push({ ...spot, r: size / 2 });
    return s(
      "g",
      { class: "ring", "data-place": at + 1 },
      dashed("circle", { cx: x, cy: y, r: edge * ABOUT }, unit),
      s("text", { x: 0, y: 0, transform: `translate(${spot.x} ${spot.y}) scale(${size})`, "stroke-width": 0.28 }, String(at + 1)),
    );
  });
}

const WAYS = [-45, 45, -135, 135, -90, 90, 0, 180, -15, 15, -165, 165].map((degrees) => (degrees * Math.PI) / 180);

/** Where a number has room beside its ring: the first of the ways that nothing lies in, else the one with most room. */
function numberSpot(x, y, away, taken, size) {
  const spots = [1, 1.6, 2.3].flatMap((far) => WAYS.map((way) => ({ x: x + away * far * Math.cos(way), y: y + away * far * Math.sin(way) })));
  const room = (spot) => Math.min(...taken.map((one) => Math.hypot(one.x - spot.x, one.y - spot.y) - one.r - size / 2));
  return spots.find((spot) => room(spot) >= 0) ?? [...spots].sort((one, other) => room(other) - room(one))[0];
}
