// Where a person should look: each place in doubt cut out of the picture, and what may be there to choose from.
import { h, s } from "./dom.js";
import { cube } from "./cubes.js";
import { colour, t } from "./i18n.js";
import { choices } from "./widgets.js";

const REACH = 2.3; // edges to each side: its neighbours tell what a place is
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
    h("ol", {}, open.map((place, number) => h("li", {}, cut(look, place), question(place, number + 1, now[place.at], choose)))),
  );
}

function question(place, number, now, choose) {
  return choices(
    `place-${number}`,
    `${number} · ${t(place.under ? "place.under" : "place.here")}`,
    place.offered.map((name) => ({ value: name ?? NOTHING, text: name ? colour(name) : t("place.none"), mark: name ? cube(name, false) : null })),
    now ?? NOTHING,
    (value) => choose(place.at, value === NOTHING ? null : value),
  );
}

/** So near that a person can judge. */
function cut(look, place) {
  const [width, height] = look.size;
  const [x, y] = place.centre;
  const reach = REACH * place.edge;
  return s(
    "svg",
    { viewBox: `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`, "aria-hidden": "true" },
    s("image", { href: look.picture, width, height }),
    ring(place, place.edge / 16),
  );
}

/** About a place in doubt; with a number the one under which it is asked about. */
export function ring({ centre: [x, y], edge }, unit, number = null) {
  return s(
    "g",
    { class: "ring" },
    s("circle", { cx: x, cy: y, r: edge, class: "around", "stroke-width": 2 * unit }),
    s("circle", { cx: x, cy: y, r: edge, "stroke-width": unit }),
    number ? s("text", { x: 0, y: 0, transform: `translate(${x + edge * 0.95} ${y - edge * 0.95}) scale(${edge * 0.8})`, "stroke-width": 0.28 }, String(number)) : null,
  );
}
