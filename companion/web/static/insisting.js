// A rule that the table may overrule: its sentence with a second button, which asks for the same again with a reason.
import { h } from "./dom.js";
import { known, t } from "./i18n.js";
import { button } from "./widgets.js";

/** What a refusal says; with a way out where the server tells that there is one, which `again(reason)` takes. */
export function refused(words, error = null, again = null) {
  if (!error?.overrulable || !again) return h("p", { class: "note bad" }, words);
  return h("div", { class: "note bad" }, h("p", {}, words), wayOut(error.key, again));
}

const wayOut = (key, again) => h("div", { class: "row" }, button("all-the-same", t(known(`insist.${key}`) ? `insist.${key}` : "insist.any"), () => again(t("insist.reason"))));
