// Refusals that the table may overrule: the sentence with a second button, which repeats the command with a
// reason.
import { h } from "./dom.js";
import { hasMessage, t } from "./i18n.js";
import { button } from "./widgets.js";

/** A refusal; if the server marks it as overrulable, with a button that calls `again(reason)`. */
export function refusalNote(words, error = null, again = null) {
  if (!error?.overrulable || !again) return h("p", { class: "note bad" }, words);
  return h("div", { class: "note bad" }, h("p", {}, words), insistRow(error.key, again));
}

const insistRow = (key, again) =>
  h(
    "div",
    { class: "row" },
    button("all-the-same", t(hasMessage(`insist.${key}`) ? `insist.${key}` : "insist.any"), () =>
      again(t("insist.reason")),
    ),
  );
