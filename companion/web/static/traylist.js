// The saved trays: which one is in use, and a list in which each can be renamed or removed.
import { post, refusalText } from "./api.js";
import { h, put } from "./dom.js";
import { formatDay, t, withColon } from "./i18n.js";
import { button } from "./widgets.js";
import { dyeName } from "./words.js";

// the person's current edit, kept across updates of the state
const edit = { open: false, doing: "", name: "", typed: "", refused: "" };

/** The list; `act` sends a command and handles its answer, `takeAnswer` the answer to one sent here. */
export function trayCards(state, { act, takeAnswer }) {
  return state.kept.length ? [inUseField(state, act), trayList(state, takeAnswer)] : null;
}

function inUseField(state, act) {
  if (state.fixed) return h("p", { class: "muted" }, t("calibrate.fixed", { name: state.in_use }));
  const select = h(
    "select",
    {
      id: "in-use",
      "data-key": "in-use",
      onchange: (event) => act("use", { name: event.target.value || null }),
    },
    h("option", { value: "", selected: !state.in_use }, t("calibrate.none_in_use")),
    state.profiles.map((name) => h("option", { value: name, selected: name === state.in_use }, name)),
  );
  return h("div", { class: "fields" }, h("label", { for: "in-use" }, t("calibrate.in_use")), select);
}

function trayList(state, takeAnswer) {
  const where = h("details", {
    class: "kept",
    open: edit.open,
    ontoggle: (event) => (edit.open = event.target.open),
  });
  const redraw = () =>
    put(
      where,
      h("summary", { "data-key": "kept" }, t("calibrate.trays", { n: state.kept.length })),
      h(
        "ul",
        { class: "trays" },
        state.kept.map((tray) => trayRow(tray, state, { startEdit, submitEdit })),
      ),
    );
  const focus = (what) => document.querySelector(what)?.focus();
  const startEdit = (doing, name) => {
    const before = edit.doing;
    Object.assign(edit, { doing, name, typed: name, refused: "" });
    redraw();
    focus(doing ? ".trays [data-first]" : `[data-key="${CSS.escape(`${before}-${name}`)}"]`);
  };
  const submitEdit = async (body) => {
    const { doing, name } = edit;
    const answer = await post(`calibration/${doing}`, body);
    if (!answer.ok) {
      // return to this edit, even if another was begun meanwhile
      Object.assign(edit, { doing, name, typed: body.to ?? name, refused: refusalText(answer.body.error) });
      return redraw();
    }
    if (edit.doing === doing && edit.name === name) Object.assign(edit, { doing: "", refused: "" });
    takeAnswer(answer);
    if (edit.doing) return focus(".trays [data-first]"); // of the next tray, which is already being edited
    focus(body.to ? `[data-key="${CSS.escape(`rename-${body.to}`)}"]` : '[data-key="kept"]');
  };
  redraw();
  return where;
}

function trayRow(tray, state, { startEdit, submitEdit }) {
  const isInUse = tray.name === state.in_use;
  const editButton = (doing) =>
    h(
      "button",
      {
        type: "button",
        class: "btn quiet",
        "data-key": `${doing}-${tray.name}`,
        "aria-label": `${withColon(t(`calibrate.${doing}`))}${tray.name}`,
        onclick: () => startEdit(doing, tray.name),
      },
      t(`calibrate.${doing}`),
    );
  const editButtons = () =>
    state.fixed && isInUse
      ? null
      : h("div", { class: "row" }, tray.readable ? editButton("rename") : null, editButton("remove"));
  return h(
    "li",
    {},
    h(
      "div",
      { class: "row" },
      h("b", {}, tray.name),
      isInUse ? h("small", { class: "tag" }, t("calibrate.is_read")) : null,
    ),
    h("span", { class: tray.readable ? "small" : "note bad" }, trayFacts(tray)),
    edit.doing && edit.name === tray.name
      ? { rename: renameForm, remove: removeForm }[edit.doing](tray, { startEdit, submitEdit })
      : editButtons(),
  );
}

function trayFacts(tray) {
  if (!tray.readable) return t("trouble.profile_broken");
  const madeAt = Date.parse(tray.made);
  return [
    Number.isNaN(madeAt) ? null : formatDay(madeAt),
    tray.colours.map(dyeName).join(", "),
    t(tray.mat ? "calibrate.with_mat" : "calibrate.without_mat"),
  ]
    .filter(Boolean)
    .join(" · ");
}

function renameForm(tray, { startEdit, submitEdit }) {
  const field = h("input", {
    type: "text",
    id: "new-name",
    maxlength: 40,
    spellcheck: "false",
    autocomplete: "off",
    value: edit.typed,
    "data-key": "new-name",
    "data-first": true,
    oninput: (event) => (edit.typed = event.target.value),
  });
  const save = (event) => {
    event.preventDefault();
    const to = edit.typed.trim().replace(/\s+/g, " ");
    return to && to !== tray.name ? submitEdit({ name: tray.name, to }) : startEdit("", tray.name);
  };
  return h(
    "form",
    { class: "fields", onsubmit: save },
    h("label", { for: "new-name" }, t("calibrate.new_name", { name: tray.name })),
    field,
    refusalNote(),
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "btn main", "data-key": "save-name" }, t("calibrate.save_name")),
      cancelButton(tray, startEdit),
    ),
  );
}

function removeForm(tray, { startEdit, submitEdit }) {
  const yes = h(
    "button",
    {
      type: "button",
      class: "btn main",
      "data-key": "remove-sure",
      "data-first": true,
      onclick: () => submitEdit({ name: tray.name }),
    },
    t("calibrate.remove"),
  );
  return h(
    "div",
    { class: "fields" },
    h("p", { class: "note" }, t("calibrate.remove_sure", { name: tray.name })),
    refusalNote(),
    h("div", { class: "row" }, yes, cancelButton(tray, startEdit)),
  );
}

const cancelButton = (tray, startEdit) =>
  button("leave-tray", t("cancel"), () => startEdit("", tray.name), "quiet");

const refusalNote = () => (edit.refused ? h("p", { class: "note bad", role: "alert" }, edit.refused) : null);
