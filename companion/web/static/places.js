// Places where a person should look: each doubtful place as a cut-out, with the possible answers to choose
// from.
import { h, s } from "./dom.js";
import { cube } from "./cubes.js";
import { colour, colourLetter, t } from "./i18n.js";
import { cutOut } from "./levels.js";
import { choices } from "./widgets.js";

const REACH = 2.3; // cube edges to each side: the neighbours help to judge a place
const ABOUT = 0.75; // cube edges: radius of a ring around just one cube
const NOTHING = "none";

/** What each place counts as until somebody has looked. */
export const countedColours = (look) => (look?.open ?? []).map((place) => place.counted);

/** The counts after the choice at one place has changed. */
export function countsAfterChoice(counts, was, now) {
  const after = { ...counts };
  if (was) after[was] = Math.max(0, (after[was] ?? 0) - 1);
  if (now) after[now] = (after[now] ?? 0) + 1;
  return after;
}

/** The places with something to choose; colours that are not in the game are not offered. */
export function openQuestions(look, colours) {
  return (look?.open ?? [])
    .map((place, at) => ({ ...place, at, offered: offeredColours(place, colours) }))
    .filter((place) => place.offered.length > 1);
}

function offeredColours(place, colours) {
  return place.answers
    .map((answer) => answer.colour)
    .filter((name) => name === null || colours.includes(name) || name === place.counted);
}

/** The questions; `now` holds the choice at each place of the look. */
export function placeQuestions(look, openPlaces, now, choose) {
  if (!openPlaces.length) return null;
  return h(
    "section",
    { class: "places", "aria-label": t("places", { n: openPlaces.length }) },
    h("h2", {}, t("places", { n: openPlaces.length })),
    h("p", { class: "muted small" }, t("places.how")),
    h(
      "ol",
      {},
      openPlaces.map((place, number) =>
        h(
          "li",
          { id: `place-${number + 1}` },
          placeCutOut(look, place),
          placeQuestion(place, number + 1, now[place.at], choose),
        ),
      ),
    ),
  );
}

function placeQuestion(place, number, now, choose) {
  return choices(
    `place-${number}`,
    `${number} · ${t(`place.${questionKind(place)}`)}`,
    place.offered.map((name) => ({
      value: name ?? NOTHING,
      text: name ? colour(name) : t("place.none"),
      mark: name ? cube(name, false) : null,
    })),
    now ?? NOTHING,
    (value) => choose(place.at, value === NOTHING ? null : value),
  );
}

/** The kind of question: with one colour, whether it is a cube at all; with several, which one. */
function questionKind({ under, counted: now, offered: what }) {
  if (under) return "under";
  if (what.filter(Boolean).length === 1) return "own";
  return now ? "which" : "here";
}

/** A cut-out close enough to judge: counted cubes in thin lines, the place in question dashed. */
function placeCutOut(look, place) {
  const [x, y] = place.centre;
  const reach = REACH * place.edge;
  const unit = place.edge / 20;
  const ownOutlined = ownCube(look, place);
  const neighbours = look.cubes.filter(
    (cube) => cube !== ownOutlined && Math.hypot(cube.centre[0] - x, cube.centre[1] - y) < 2 * reach,
  );
  return h(
    "div",
    { class: "cut" },
    cutOut(look.picture, look.size[0], place.centre, reach),
    s(
      "svg",
      { viewBox: `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`, "aria-hidden": "true" },
      neighbours.map((cube) => countedCube(cube, unit, place.edge)),
      ownOutlined && !place.under
        ? dashedMark("polygon", { points: pointsOf(ownOutlined.outline) }, 1.6 * unit)
        : dashedMark("circle", { cx: x, cy: y, r: place.edge * ABOUT }, 1.6 * unit),
    ),
  );
}

/** The detected cube that is counted at this place. */
function ownCube(look, place) {
  if (!place.counted) return null;
  const distance = (cube) => Math.hypot(cube.centre[0] - place.centre[0], cube.centre[1] - place.centre[1]);
  const nearest = look.cubes
    .filter((cube) => cube.colour === place.counted)
    .sort((a, b) => distance(a) - distance(b))[0];
  return nearest && distance(nearest) < place.edge * 0.7 ? nearest : null;
}

/** The outline of a counted cube, thin and with its letter. */
function countedCube({ centre: [x, y], outline, colour: name }, unit, edge) {
  return s(
    "g",
    { class: "counted" },
    s("polygon", { points: pointsOf(outline), class: "around", "stroke-width": 2 * unit }),
    s("polygon", { points: pointsOf(outline), "stroke-width": 0.8 * unit }),
    s(
      "text",
      { x: 0, y: 0, transform: `translate(${x} ${y}) scale(${edge * 0.36})`, "stroke-width": 0.3 },
      colourLetter(name),
    ),
  );
}

/** The dashed mark of the place in question. */
function dashedMark(tag, shape, unit) {
  return s(
    "g",
    { class: "ask" },
    s(tag, { ...shape, class: "around", "stroke-width": 2 * unit }),
    s(tag, {
      ...shape,
      class: "dashed",
      "stroke-width": unit,
      "stroke-dasharray": `${3.2 * unit} ${1.8 * unit}`,
    }),
  );
}

const pointsOf = (outline) => outline.map((point) => point.join(",")).join(" ");

/**
 * A ring around each doubtful place, with the number of its question; no number overlaps another or a ring.
 */
export function placeRings(openPlaces, unit) {
  const spots = [];
  return openPlaces.map(({ centre: [x, y], edge }, at) => {
    const size = Math.max(edge * 0.8, (22 * unit) / 4);
    const spot = numberSpot(
      x,
      y,
      edge * ABOUT + size * 0.6,
      [
        ...spots,
        ...openPlaces.map((place) => ({ x: place.centre[0], y: place.centre[1], r: place.edge * ABOUT })),
      ],
      size,
    );
    spots.push({ ...spot, r: size / 2 });
    return s(
      "g",
      { class: "ring", "data-place": at + 1 },
      dashedMark("circle", { cx: x, cy: y, r: edge * ABOUT }, unit),
      s(
        "text",
        { x: 0, y: 0, transform: `translate(${spot.x} ${spot.y}) scale(${size})`, "stroke-width": 0.28 },
        String(at + 1),
      ),
    );
  });
}

const WAYS = [-45, 45, -135, 135, -90, 90, 0, 180, -15, 15, -165, 165].map(
  (degrees) => (degrees * Math.PI) / 180,
);

/** A position for a number beside its ring: the first free one, else the one with most room. */
function numberSpot(x, y, away, taken, size) {
  const spots = [1, 1.6, 2.3].flatMap((factor) =>
    WAYS.map((way) => ({ x: x + away * factor * Math.cos(way), y: y + away * factor * Math.sin(way) })),
  );
  const clearance = (spot) =>
    Math.min(
      ...taken.map((circle) => Math.hypot(circle.x - spot.x, circle.y - spot.y) - circle.r - size / 2),
    );
  return (
    spots.find((spot) => clearance(spot) >= 0) ?? [...spots].sort((a, b) => clearance(b) - clearance(a))[0]
  );
}
