// The cards of the host's page.
import { NAMELESS, refusalText, send } from "./api.js";
import { requestHeaders } from "./device.js";
import { h, put, s } from "./dom.js";
import { colour, formatTime, hasMessage, language, t } from "./i18n.js";
import { cellTroubleText } from "./celltrouble.js";
import { mon } from "./mapparts.js";
import { askYesNo, button, choices } from "./widgets.js";
import { authorName, cameraName, troubleText } from "./words.js";

const TOWER_SHOWN = ["hidden", "totals", "all"];
export const HOUSE = {
  must_move: [true, false],
  farmers_pay_first: [true, false],
  lost_revolt_income: [true, false],
  castle_event_in_revolts: [true, false],
  six_armies_under_deploy_event: [6, 4, 3],
};

export const seal = (name) =>
  s(
    "svg",
    { viewBox: "-26 -26 52 52", class: "japan", width: 34, height: 34, "aria-hidden": "true" },
    mon(name),
  );
const card = (title, ...inside) =>
  h("section", { class: "card", "aria-label": title }, h("h2", {}, title), ...inside);
const line = (...inside) => h("li", {}, ...inside);
const dot = (kind) => h("span", { class: `dot ${kind}`, "aria-hidden": "true" });

export const hostCards = (host, act) => [
  seatsCard(host, act),
  joiningCard(host, act),
  devicesCard(host),
  healthCard(host),
  towerShownCard(host, act),
  houseCard(host, act),
  tablesCard(host, act),
  recoveryLink(),
];

const recoveryLink = () =>
  h("p", {}, h("a", { class: "lone", href: `/recovery?lang=${language()}` }, t("recovery.title")));

function seatsCard(host, act) {
  const row = (seat) => {
    const taken = host.taken.includes(seat);
    const ghost = host.ghosts.includes(seat);
    const sitting = host.devices.filter((device) => device.seat === seat);
    const names = sitting.map((device) => authorName(device.name || NAMELESS)).join(", ");
    const state = !taken
      ? t("host.seat_free")
      : ghost
        ? names
          ? t("host.seat_ghost_of", { name: names })
          : t("host.seat_ghost")
        : t("host.seat_of", { name: names });
    return line(
      seal(seat),
      h(
        "span",
        { class: "grow" },
        h("b", {}, colour(seat)),
        h("span", { class: "row small" }, dot(!taken ? "off" : ghost ? "bad" : ""), state),
      ),
      taken
        ? h(
            "span",
            { class: "ways" },
            button(`reissue-${seat}`, t("host.reissue"), () => reissue(seat, act)),
            button(`setfree-${seat}`, t("host.set_free"), () => setFree(seat, act), "quiet"),
          )
        : null,
    );
  };
  return card(
    t("host.seats"),
    host.seats.length ? h("ul", { class: "lines" }, host.seats.map(row)) : h("p", {}, t("seat.none")),
    h("p", { class: "muted small" }, t("host.seats_note")),
  );
}

async function reissue(seat, act) {
  const sure = await askYesNo(t("host.reissue_sure", { colour: colour(seat) }));
  const issued = sure && (await act.sendOrder(`seats/${seat}/reissue`, {}));
  if (issued) showQr(t("host.scan_seat", { colour: colour(seat) }), issued);
  if (issued) act.reload();
}

async function setFree(seat, act) {
  if (!(await askYesNo(t("host.set_free_sure", { colour: colour(seat) })))) return;
  const answer = await send(`seats/${seat}/free`, {});
  if (!answer.ok) act.say(refusalText(answer.body.error), true);
  act.reload();
}

function joiningCard({ join }, act) {
  const sendAllOut = async () =>
    (await askYesNo(t("host.out_sure"))) && act.sendOrder("out", {}, t("host.out_done"));
  return card(
    t("join"),
    join.qr
      ? h(
          "div",
          { class: "joincard" },
          h("img", { class: "qr", src: join.qr, alt: t("host.qr_alt") }),
          h(
            "div",
            { class: "stack" },
            h("span", { class: "bigcode" }, join.code),
            h("span", {}, `${join.url}join`),
          ),
        )
      : h("p", {}, t("join_none")),
    h(
      "div",
      { class: "ways" },
      button("new-code", t("host.new_code"), () => act.sendOrder("code", {}), "quiet"),
      button("all-out", t("host.out"), sendAllOut, "quiet"),
      button("host-link", t("host.link"), () => showHostLink(act), "quiet"),
    ),
  );
}

async function showHostLink(act) {
  const current = await act.sendOrder("link");
  if (!current) return;
  showQr(
    t("host.link_note"),
    current,
    button(
      "new-link",
      t("host.link_new"),
      async () => {
        const newLink = await act.sendOrder("link", {});
        document.getElementById("sheet").close();
        if (newLink) showQr(t("host.link_note"), newLink);
      },
      "quiet",
    ),
  );
}

function devicesCard({ devices }) {
  const row = (device) => {
    const facts = [
      device.host ? t("host.is_host") : device.joined ? t("host.is_in") : t("host.watches"),
      device.seat ? colour(device.seat) : null,
      hasMessage(`${device.page}_page`) ? t(`${device.page}_page`) : null,
      device.address,
    ];
    const minutes = Math.floor(device.silent_s / 60);
    const state = device.connected
      ? t("connected")
      : minutes
        ? t("host.silent", { n: minutes })
        : t("host.silent_now");
    return line(
      dot(device.connected ? "" : "off"),
      h(
        "span",
        { class: "grow" },
        h("b", {}, authorName(device.name || NAMELESS)),
        h("span", { class: "small" }, [state, ...facts].filter(Boolean).join(" · ")),
      ),
    );
  };
  return card(t("host.devices"), h("ul", { class: "lines" }, devices.map(row)));
}

function healthCard({ health: { camera, sensor }, trouble, demo }) {
  const cameraState =
    camera.name === "none"
      ? t("no_camera")
      : !camera.name
        ? t("host.camera_waits")
        : camera.sentence
          ? troubleText(camera)
          : t("camera_ok", { name: cameraName(camera.name) });
  const cellState =
    sensor.up === null
      ? t("sensor_none")
      : sensor.up && !sensor.name
        ? t("sensor_up")
        : cellTroubleText(sensor);
  return card(
    t("host.health"),
    trouble
      ? h(
          "p",
          { class: "note bad" },
          t(`error.${trouble.key}`, { sentence: `${trouble.sentence} ${trouble.remedy}` }),
        )
      : null,
    h(
      "ul",
      { class: "lines" },
      line(
        dot(!camera.name || camera.name === "none" ? "off" : camera.sentence ? "bad" : ""),
        h(
          "span",
          { class: "grow" },
          cameraState,
          camera.light && !camera.sentence
            ? h("span", { class: "small", "data-key": "light" }, " ", t(`camera.light.${camera.light}`))
            : null,
        ),
      ),
      line(
        dot(sensor.up === null ? "off" : sensor.up && !sensor.name ? "" : "bad"),
        h("span", { class: "grow" }, cellState),
      ),
    ),
    demo
      ? h("p", { class: "muted small" }, t("host.demo"))
      : h(
          "p",
          { class: "ways" },
          h("a", { class: "btn", href: "/camera" }, t("camera_page")),
          h("a", { class: "btn", href: "/calibrate" }, t("host.calibrate")),
          h("a", { class: "btn", href: "/sensor" }, t("cell.page")),
        ),
  );
}

function towerShownCard({ tower_shown }, act) {
  return card(
    t("host.tower"),
    choices(
      "shown",
      t("host.tower_legend"),
      TOWER_SHOWN.map((value) => ({ value, text: t(`host.tower_${value}`) })),
      tower_shown,
      act.showTower,
    ),
    h("p", { class: "muted small" }, t("host.tower_note")),
  );
}

function houseCard({ house }, act) {
  return house
    ? card(
        t("host.house"),
        houseFields(house, (name, value) => act.setHouseRule(name, value)),
        h("p", { class: "muted small" }, t("host.house_note")),
      )
    : null;
}

/** One field per house rule; `change(name, value)` gets each choice. */
export function houseFields(house, change, prefix = "now") {
  return Object.entries(HOUSE)
    .filter(([name]) => name in house)
    .map(([name, values]) => {
      const id = `${prefix}-${name}`;
      if (values.length === 2)
        return h(
          "label",
          { class: "check", for: id },
          h("input", {
            type: "checkbox",
            id,
            "data-key": id,
            checked: house[name],
            onchange: (event) => change(name, event.target.checked),
          }),
          t(`house.${name}`),
        );
      return h(
        "div",
        { class: "field" },
        h("label", { for: id }, t(`house.${name}`)),
        h(
          "select",
          { id, "data-key": id, onchange: (event) => change(name, Number(event.target.value)) },
          values.map((value) => h("option", { value, selected: value === house[name] }, String(value))),
        ),
      );
    });
}

function tablesCard(host, act) {
  const row = (table) => {
    const moment = [
      table.year ? t("host.year", { n: table.year }) : null,
      table.season ? t(`season.${table.season}`) : null,
      table.last_ms ? formatTime(table.last_ms) : null,
    ];
    const played = table.name === host.table;
    return line(
      dot(played ? "" : "off"),
      h(
        "span",
        { class: "grow" },
        h("b", {}, table.name),
        h(
          "span",
          { class: "small" },
          table.game
            ? [...table.seats.map(colour), ...moment].filter(Boolean).join(" · ")
            : t("host.table_strange"),
        ),
      ),
      h(
        "span",
        { class: "ways" },
        played
          ? h("small", { class: "tag" }, t("host.played"))
          : table.game
            ? button(`open-${table.name}`, t("host.open"), () =>
                act.sendOrder(`tables/${table.name}/open`, {}, t("host.opened", { name: table.name })),
              )
            : null,
        table.events
          ? h(
              "a",
              {
                class: "btn quiet",
                href: `/api/v1/host/tables/${table.name}/backup`,
                download: "",
                "data-key": `backup-${table.name}`,
              },
              t("host.backup"),
            )
          : null,
      ),
    );
  };
  const file = h("input", {
    type: "file",
    class: "sr",
    id: "restore",
    accept: ".tenshu,.zip,application/zip",
    "data-key": "restore",
    onchange: (event) => restore(event.target, act),
  });
  return card(
    t("host.tables"),
    h("ul", { class: "lines" }, host.tables.map(row)),
    h("p", { class: "muted small" }, t("host.backup_note")),
    h("label", { class: "btn quiet filebtn", for: "restore" }, t("host.restore"), file),
  );
}

async function restore(input, act) {
  if (!input.files.length) return;
  try {
    const response = await fetch("/api/v1/host/restore", {
      method: "POST",
      headers: { ...requestHeaders(), "Content-Type": "application/octet-stream" },
      body: input.files[0],
    });
    const body = await response.json();
    const damagedNote = body.damaged ? t("host.restored_without", { n: body.damaged }) : "";
    const unkeptNote = body.unkept ? t("host.restored_unkept", { n: body.unkept }) : "";
    act.say(
      response.ok
        ? [t("host.restored", { name: body.name }), damagedNote, unkeptNote].filter(Boolean).join(" ")
        : refusalText(body.error),
      !response.ok,
    );
  } catch {
    act.say(t("error.network"), true);
  }
  input.value = "";
  act.reload();
}

function showQr(words, { url, qr }, more = null) {
  const sheet = document.getElementById("sheet");
  put(
    sheet,
    h(
      "div",
      { class: "in" },
      h("h2", { id: "sheet-title" }, words),
      qr ? h("img", { class: "qr", src: qr, alt: t("host.qr_alt") }) : null,
      url ? h("p", { class: "link" }, url) : h("p", {}, t("join_none")),
      more,
      button("close", t("close"), () => sheet.close(), "main"),
    ),
  );
  sheet.showModal();
}
