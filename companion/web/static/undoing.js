// Undo: asks for confirmation of what would go, and, if everybody has seen some of it, whether the table
// agrees.
import { post, send } from "./api.js";
import { h, put } from "./dom.js";
import { t } from "./i18n.js";
import { entryLine } from "./told.js";
import { button } from "./widgets.js";
import { provinceNames } from "./words.js";

/** Undo a command and everything built on it; resolves to the answer, or null if cancelled. */
export async function undoBatch(expected, batch, words = "") {
  const answer = await send(`undo/${batch}`);
  if (!answer.ok) return answer; // without knowing what would go there is nothing to confirm
  const preview = answer.body;
  if (!preview.shown?.length && !words) return post("undo", { expected, batch });
  const wish = await confirmUndo(preview, words);
  return wish && post("undo", { expected, batch, ...wish });
}

/** The button to undo the throw just settled, or after an undo the command before it, which it names. */
export function undoButton(table, act) {
  const { undo, history } = table;
  const further = history[0]?.kind === "undone";
  if (!undo || !(undo.throw || further)) return null;
  const what = further ? t("undoing.what", { what: entryLine(undo, provinceNames(table.game)) }) : "";
  return button("undo", what || t("undo"), () => act.undo(undo.batch, what), "quiet");
}

function confirmUndo(goes, words) {
  const sheet = document.getElementById("sheet");
  const wasShown = goes.shown?.length > 0;
  const thrown =
    wasShown &&
    goes.shown.some((kind) => kind === "throw_settled" || kind === "tower_filled" || kind === "settled");
  const vote = wasShown && goes.seats.length > 0 && !goes.host;
  const reason = h("input", { type: "text", id: "undo-reason", maxlength: 200, autocomplete: "off" });
  const cancelButton = button("undo-no", t("undoing.no"), () => sheet.close(), "quiet");
  // otherwise the reason gets the focus, and a phone's keyboard covers both buttons
  cancelButton.autofocus = true;
  return new Promise((resolve) => {
    let answer = null;
    const confirm = () => {
      answer = { agreed: wasShown, reason: reason.value.trim() };
      sheet.close();
    };
    put(
      sheet,
      h(
        "div",
        { class: "in" },
        h("h2", { id: "sheet-title" }, t("undoing.title")),
        words ? h("p", {}, words) : null,
        h("p", {}, t("undoing.count", { n: goes.batches?.length ?? 0 })),
        wasShown ? h("p", { class: "note" }, t("undoing.shown")) : null,
        thrown ? h("p", { class: "note" }, t("undoing.thrown")) : null,
        h("label", { for: "undo-reason" }, t("undoing.reason")),
        reason,
        h(
          "div",
          { class: "row ends" },
          button(
            "undo-yes",
            t(vote ? "undoing.ask" : wasShown ? "undoing.agreed" : "undoing.yes"),
            confirm,
            "main big",
          ),
          cancelButton,
        ),
      ),
    );
    sheet.addEventListener("close", () => resolve(answer), { once: true });
    sheet.showModal();
    sheet.scrollTo({ top: 0 }); // what would go is read first; the focused button stays in sight below
  });
}
