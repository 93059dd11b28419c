// The saved trays: which one is in use, and a list in which each can be renamed or removed.
import { post, said } from "./api.js";
import { h, put } from "./dom.js";
import { day, lead, t } from "./i18n.js";
import { button } from "./widgets.js";
import { dye } from "./words.js";

// the person's current edit, kept across updates of the state
const own = { open: false, doing: "", name: "", typed: "", refused: "" };

/** The list; `act` sends a command and handles its answer, `take` handles the answer to one sent here. */
export function trays(state, { act, take }) {
  return state.kept.length ? [inUse(state, act), list(state, take)] : null;
}

function inUse(state, act) {
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

function list(state, take) {
  const where = h("details", {
    class: "kept",
    open: own.open,
    ontoggle: (event) => (own.open = event.target.open),
  });
  const paint = () =>
    put(
      where,
      h("summary", { "data-key": "kept" }, t("calibrate.trays", { n: state.kept.length })),
      h(
        "ul",
        { class: "trays" },
        state.kept.map((one) => row(one, state, { begin, go })),
      ),
    );
  const focus = (what) => document.querySelector(what)?.focus();
  const begin = (doing, name) => {
    const before = own.doing;
    Object.assign(own, { doing, name, typed: name, refused: "" });
    paint();
    focus(doing ? ".trays [data-first]" : `[data-key="${CSS.escape(`${before}-${name}`)}"]`);
  };
  const go = async (body) => {
    const { doing, name } = own;
    const answer = await post(`calibration/${doing}`, body);
    if (!answer.ok) {
      // return to this edit, even if another was begun meanwhile
      Object.assign(own, { doing, name, typed: body.to ?? name, refused: said(answer.body.error) });
      return paint();
    }
    if (own.doing === doing && own.name === name) Object.assign(own, { doing: "", refused: "" });
    take(answer);
    if (own.doing) return focus(".trays [data-first]"); // of the next tray, which is already being edited
    focus(body.to ? `[data-key="${CSS.escape(`rename-${body.to}`)}"]` : '[data-key="kept"]');
  };
  paint();
  return where;
}

function row(one, state, { begin, go }) {
  const read = one.name === state.in_use;
  const way = (doing) =>
    h(
      "button",
      {
        type: "button",
        class: "btn quiet",
        "data-key": `${doing}-${one.name}`,
        "aria-label": `${lead(t(`calibrate.${doing}`))}${one.name}`,
        onclick: () => begin(doing, one.name),
      },
      t(`calibrate.${doing}`),
    );
  const ways = () =>
    state.fixed && read
      ? null
      : h("div", { class: "row" }, one.readable ? way("rename") : null, way("remove"));
  return h(
    "li",
    {},
    h(
      "div",
      { class: "row" },
      h("b", {}, one.name),
      read ? h("small", { class: "tag" }, t("calibrate.is_read")) : null,
    ),
    h("span", { class: one.readable ? "small" : "note bad" }, facts(one)),
    own.doing && own.name === one.name ? { rename, remove }[own.doing](one, { begin, go }) : ways(),
  );
}

function facts(one) {
  if (!one.readable) return t("trouble.profile_broken");
  const made = Date.parse(one.made);
  return [
    Number.isNaN(made) ? null : day(made),
    one.colours.map(dye).join(", "),
    t(one.mat ? "calibrate.with_mat" : "calibrate.without_mat"),
  ]
    .filter(Boolean)
    .join(" · ");
}

function rename(one, { begin, go }) {
  const field = h("input", {
    type: "text",
    id: "new-name",
    maxlength: 40,
    spellcheck: "false",
    autocomplete: "off",
    value: own.typed,
    "data-key": "new-name",
    "data-first": true,
    oninput: (event) => (own.typed = event.target.value),
  });
  const save = (event) => {
    event.preventDefault();
    const to = own.typed.trim().replace(/\s+/g, " ");
    return to && to !== one.name ? go({ name: one.name, to }) : begin("", one.name);
  };
  return h(
    "form",
    { class: "fields", onsubmit: save },
    h("label", { for: "new-name" }, t("calibrate.new_name", { name: one.name })),
    field,
    why(),
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "btn main", "data-key": "save-name" }, t("calibrate.save_name")),
      leave(one, begin),
    ),
  );
}

function remove(one, { begin, go }) {
  const yes = h(
    "button",
    {
      type: "button",
      class: "btn main",
      "data-key": "remove-sure",
      "data-first": true,
      onclick: () => go({ name: one.name }),
    },
    t("calibrate.remove"),
  );
  return h(
    "div",
    { class: "fields" },
    h("p", { class: "note" }, t("calibrate.remove_sure", { name: one.name })),
    why(),
    h("div", { class: "row" }, yes, leave(one, begin)),
  );
}

const leave = (one, begin) => button("leave-tray", t("cancel"), () => begin("", one.name), "quiet");

const why = () => (own.refused ? h("p", { class: "note bad", role: "alert" }, own.refused) : null);
