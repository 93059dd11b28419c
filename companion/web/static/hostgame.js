// The form for a new game: players, map side, setup, and the house rules the table has agreed upon.
import { author } from "./api.js";
import { BOX, boxFields } from "./counter.js";
import { h, put } from "./dom.js";
import { houseFields, seal } from "./hostcards.js";
import { colour, hasMessage, t, usePlainColours, withColon } from "./i18n.js";
import { loadJapan } from "./map.js";
import { button, choices } from "./widgets.js";

const COLOURS = ["blue", "red", "yellow", "black", "purple"];
const [SHOGUN, COUNTER] = ["shogun", "just_the_tower"];
const MIN_PLAYERS = 3;
const RULES = {
  must_move: true,
  farmers_pay_first: true,
  lost_revolt_income: true,
  castle_event_in_revolts: false,
  six_armies_under_deploy_event: 6,
};

/** What the form of a new game says before anybody changes it. */
export const firstNewGame = (host) => ({
  game: SHOGUN,
  games: host.games,
  box: { red: 12, blue: 12 },
  name: freeName(host),
  players: [],
  side: "sun",
  start: "predetermined",
  oldest: "",
  by_table: false,
  open: ["", ""],
  names: null,
  tower: "all",
  house: { ...RULES },
});

/** The card with the form; choices are kept in `form`, so that it can be drawn again in another language. */
export function newGameCard(form, act) {
  const place = h("section", { class: "card", "aria-label": t("host.new") });
  const change = (more) => {
    Object.assign(form, more);
    if (form.side === "moon" && form.start === "predetermined") form.start = "draft";
    draw();
  };
  const draw = () =>
    put(
      place,
      h("h2", {}, t("host.new")),
      formFields(form, change),
      h(
        "div",
        { class: "ways" },
        button("begin", t("host.begin"), () => beginTable(form, act, change), "main big"),
      ),
    );
  draw();
  return place;
}

function freeName({ tables }) {
  const taken = new Set(tables.map((table) => table.name));
  let number = tables.length + 1;
  while (taken.has(`${t("host.name_stem")}-${number}`)) number += 1;
  return `${t("host.name_stem")}-${number}`;
}

function formFields(form, change) {
  const radio = (name, values, allowed = () => true) =>
    choices(
      name,
      t(`host.${name}`),
      values.map((value) => ({ value, text: t(`host.${name}_${value}`), disabled: !allowed(value) })),
      form[name],
      (value) => change({ [name]: value }),
    );
  const input = h("input", {
    type: "text",
    id: "table-name",
    "data-key": "table-name",
    value: form.name,
    maxlength: 40,
    autocomplete: "off",
    oninput: (event) => (form.name = event.target.value.trim().toLowerCase()),
  });
  const gameChoice = (game) => ({
    value: game,
    text: hasMessage(`game.${game}`) ? t(`game.${game}`) : game,
    more: hasMessage(`game.${game}.more`) ? t(`game.${game}.more`) : null,
  });
  return [
    form.games.length > 1
      ? choices(
          "game",
          t("host.game"),
          [
            ...form.games.filter((game) => game === SHOGUN),
            ...form.games.filter((game) => game !== SHOGUN),
          ].map(gameChoice),
          form.game,
          (game) => change({ game }),
        )
      : null,
    h(
      "div",
      { class: "field" },
      h("label", { for: "table-name" }, t("host.name")),
      input,
      h("span", { class: "muted small" }, t("host.name_note")),
    ),
    form.game === SHOGUN ? shogunFields(form, change, radio) : null,
    form.game === COUNTER ? counterFields(form, change) : null,
    radio("tower", ["hidden", "totals", "all"]),
  ];
}

function shogunFields(form, change, radio) {
  const { players } = form;
  const togglePlayer = (name) =>
    change({
      players: players.includes(name) ? players.filter((seat) => seat !== name) : [...players, name],
      oldest: "",
    });
  return [
    h(
      "div",
      { class: "field", role: "group", "aria-label": t("host.players") },
      h("b", {}, t("host.players")),
      h("span", { class: "muted small" }, t("host.players_note")),
      h(
        "div",
        { class: "colours" },
        COLOURS.map((name) =>
          h(
            "button",
            {
              type: "button",
              class: "btn",
              "data-key": `player-${name}`,
              "aria-pressed": String(players.includes(name)),
              onclick: () => togglePlayer(name),
            },
            seal(name),
            colour(name),
            players.includes(name) ? h("b", {}, ` ${players.indexOf(name) + 1}`) : null,
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "formgrid" },
      radio("side", ["sun", "moon"]),
      radio(
        "start",
        ["predetermined", "draft", "free"],
        (value) => value !== "predetermined" || form.side === "sun",
      ),
    ),
    form.start === "draft"
      ? h(
          "div",
          { class: "field" },
          h("label", { for: "oldest" }, t("host.oldest")),
          h(
            "select",
            {
              id: "oldest",
              "data-key": "oldest",
              onchange: (event) => change({ oldest: event.target.value }),
            },
            players.map((name) => h("option", { value: name, selected: name === form.oldest }, colour(name))),
          ),
        )
      : null,
    h(
      "label",
      { class: "check", for: "by-table" },
      h("input", {
        type: "checkbox",
        id: "by-table",
        "data-key": "by-table",
        checked: form.by_table,
        onchange: (event) => change({ by_table: event.target.checked }),
      }),
      t("host.by_table"),
    ),
    form.start === "draft" && form.by_table ? openCardFields(form, change) : null,
    h(
      "details",
      { class: "house" },
      h("summary", {}, t("host.house")),
      houseFields(form.house, (name, value) => (form.house[name] = value), "new"),
    ),
  ];
}

/** The cards that the table has turned up for the draft; the province names are loaded with the map. */
function openCardFields(form, change) {
  if (!form.names)
    loadJapan().then(
      ({ provinces }) =>
        change({ names: Object.entries(provinces).map(([id, province]) => [id, province.name]) }),
      () => {},
    );
  const cardSelect = (at) =>
    h(
      "select",
      {
        "data-key": `open-${at}`,
        "aria-label": `${withColon(t("host.two_open"))}${at + 1}`,
        onchange: (event) =>
          change({ open: form.open.map((was, index) => (index === at ? event.target.value : was)) }),
      },
      [["", "–"], ...(form.names ?? [])].map(([id, name]) =>
        h(
          "option",
          { value: id, selected: id === form.open[at], disabled: Boolean(id) && id === form.open[1 - at] },
          name,
        ),
      ),
    );
  return h(
    "div",
    { class: "field", role: "group", "aria-label": t("host.two_open") },
    h("b", {}, t("host.two_open")),
    h("span", { class: "muted small" }, t("host.two_open_note")),
    cardSelect(0),
    cardSelect(1),
  );
}

function counterFields(form, change) {
  const wasPlain = usePlainColours(true);
  const boxInputs = boxFields(
    Object.fromEntries(BOX.map((name) => [name, form.box[name] ?? 0])),
    BOX,
    (box) => change({ box }),
  );
  usePlainColours(wasPlain);
  return boxInputs;
}

/** The form's choices as options of its game. */
function optionsOf(form) {
  if (form.game === COUNTER)
    return { box: Object.fromEntries(Object.entries(form.box).filter(([, number]) => number > 0)) };
  if (form.game !== SHOGUN) return {};
  const { players, side, start, by_table, house } = form;
  const draft = {
    oldest: form.oldest || players[0],
    ...(by_table ? { open: form.open.filter(Boolean) } : {}),
  };
  return { players, side, start, house, by_table, ...(start === "draft" ? draft : {}) };
}

async function beginTable(form, act, change) {
  if (form.game === SHOGUN && form.start !== "free" && form.players.length < MIN_PLAYERS)
    return act.say(t("host.too_few"), true);
  if (!form.name) return act.say(t("error.bad_name"), true);
  const overview = await act.sendOrder(
    "tables",
    { author: author(), name: form.name, game: form.game, options: optionsOf(form), tower: form.tower },
    t("host.begun", { name: form.name }),
  );
  if (overview) change({ name: freeName(overview) });
  scrollTo({ top: 0 });
}
