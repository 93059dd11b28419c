// Why a person is asked: the main reason with its remedy, the others folded, advice for the next throws
// apart.
import { h } from "./dom.js";
import { hasMessage, t } from "./i18n.js";
import { hasCircles } from "./tray.js";

/** Doubts whose remedy helps the next throw more than this one. */
const ADVICE = new Set([
  "no_mat",
  "mat_covered",
  "too_dark",
  "too_bright",
  "blurred",
  "broken",
  "veiled",
  "glare",
  "tray_moved",
]);

/** The sheet to print against a doubt, and the text of its link. */
const PRINTED = {
  no_mat: ["mat", "mat.title"],
  vivid_floor: ["mat", "mat.title"],
  false_colours: ["mat", "mat.title"],
  black_on_black: ["inlay", "mat.inlay"],
};

let unfolded = false;

/** A doubt in words, which mention a circle only if there is one. */
function doubtSentence({ key, sentence, remedy }, pointed) {
  const all = `doubt.${key}_all`;
  const [sheet, title] = PRINTED[key] ?? [];
  return [
    t(!pointed && hasMessage(all) ? all : `doubt.${key}`, { sentence: `${sentence} ${remedy}` }),
    sheet ? [" ", h("a", { href: `/camera#${sheet}` }, t(title))] : null,
  ];
}

/**
 * Doubts about the whole tray (colours not taught, cubes taken out, or left lying), which no answer about a
 * place resolves.
 */
const WHOLE_TRAY = new Set(["untaught_colour", "taken_out", "lay_there"]);

/**
 * The main doubt: if places are in question only one about the whole tray, else one about this reading before
 * advice for the next.
 */
const mainDoubt = (doubts, openPlaces) =>
  doubts.find(({ key }) => (openPlaces.length ? WHOLE_TRAY.has(key) : !ADVICE.has(key))) ??
  (openPlaces.length ? null : (doubts[0] ?? null));

export function mainReasonNote(look, doubts, openPlaces) {
  const main = mainDoubt(doubts, openPlaces);
  const sentences = [
    main && doubtSentence(main, hasCircles(look, openPlaces)),
    openPlaces.length && doubts.length ? t("why.places", { n: openPlaces.length }) : null,
  ].filter(Boolean);
  return sentences.length
    ? h(
        "p",
        { class: "note", id: "why" },
        sentences.map((sentence, at) => [at ? " " : "", sentence]),
      )
    : null;
}

export function otherReasons(look, doubts, openPlaces) {
  const rest = doubts.filter((doubt) => doubt !== mainDoubt(doubts, openPlaces));
  if (!rest.length) return null;
  const pointed = hasCircles(look, openPlaces);
  const list = (some) =>
    h(
      "ul",
      {},
      some.map((doubt) => h("li", {}, doubtSentence(doubt, pointed))),
    );
  const [current, later] = [
    rest.filter(({ key }) => !ADVICE.has(key)),
    rest.filter(({ key }) => ADVICE.has(key)),
  ];
  return h(
    "details",
    { class: "reasons", open: unfolded, ontoggle: (event) => (unfolded = event.target.open) },
    h("summary", { "data-key": "reasons" }, t("why.more", { n: rest.length })),
    current.length ? list(current) : null,
    later.length ? [h("h3", {}, t("why.next")), list(later)] : null,
  );
}
