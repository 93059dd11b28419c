// Why a person is asked: the main reason with what to do, the others folded, advice for the next throws apart.
import { h } from "./dom.js";
import { known, t } from "./i18n.js";
import { circled } from "./tray.js";

/** What helps the next throw more than this one. */
const ADVICE = new Set(["no_mat", "mat_covered", "too_dark", "too_bright", "blurred", "broken", "veiled", "glare", "tray_moved"]);

/** What is printed against a doubt, and how the way there is called. */
const PRINTED = { no_mat: ["mat", "mat.title"], vivid_floor: ["mat", "mat.title"], false_colours: ["mat", "mat.title"], black_on_black: ["inlay", "mat.inlay"] };

let unfolded = false;

/** Words that point at a circle only where there is one. */
function doubted({ key, sentence, remedy }, pointed) {
  const all = `doubt.${key}_all`;
  const [sheet, title] = PRINTED[key] ?? [];
  return [t(!pointed && known(all) ? all : `doubt.${key}`, { sentence: `${sentence} ${remedy}` }), sheet ? [" ", h("a", { href: `/camera#${sheet}` }, t(title))] : null];
}

/** Places to answer come first; else what speaks against this reading before what would help the next. */
const mainDoubt = (doubts, open) => (open.length ? null : doubts.find(({ key }) => !ADVICE.has(key)) ?? doubts[0] ?? null);

export function mainReason(look, doubts, open) {
  if (open.length && doubts.length) return h("p", { class: "note", id: "why" }, t("why.places", { n: open.length }));
  const main = mainDoubt(doubts, open);
  return main ? h("p", { class: "note", id: "why" }, doubted(main, circled(look, open))) : null;
}

export function reasons(look, doubts, open) {
  const rest = doubts.filter((doubt) => doubt !== mainDoubt(doubts, open));
  if (!rest.length) return null;
  const pointed = circled(look, open);
  const list = (some) => h("ul", {}, some.map((doubt) => h("li", {}, doubted(doubt, pointed))));
  const [now, later] = [rest.filter(({ key }) => !ADVICE.has(key)), rest.filter(({ key }) => ADVICE.has(key))];
  return h("details", { class: "reasons", open: unfolded, ontoggle: (event) => (unfolded = event.target.open) },
    h("summary", { "data-key": "reasons" }, t("why.more", { n: rest.length })),
    now.length ? list(now) : null,
    later.length ? [h("h3", {}, t("why.next")), list(later)] : null);
}
