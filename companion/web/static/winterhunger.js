// Winter before the points: rice, which provinces are fed, and the revolts of the others, one by one.
import { h } from "./dom.js";
import { colour, t, withColon } from "./i18n.js";
import { mapCrop } from "./mapcrop.js";
import { sealAndName } from "./seal.js";
import { cubeLine } from "./cubes.js";

/** Each seat's rice and provisions, in the order in which revolts are resolved. */
export function provisionsCard(winter) {
  return h(
    "section",
    { class: "card", "aria-label": t("winter.rice") },
    h("h2", {}, t("winter.rice")),
    winter.card ? h("p", {}, t("winter.card", { n: winter.card.rice_loss })) : null,
    h("p", { class: "muted small" }, `${t("rule.W-1")} ${t("rule.W-2")}`),
    h(
      "ol",
      { class: "granary" },
      winter.provision.map((player) => granary(player, winter.fed)),
    ),
  );
}

function granary(player, fed) {
  const lostRice = player.rice - player.left;
  const supplied = player.provinces - player.missing;
  const grains = [...Array(player.left).fill("grain"), ...Array(lostRice).fill("grain gone")];
  const provinces = [
    ...Array(Math.max(0, supplied)).fill("home"),
    ...Array(Math.min(player.missing, player.provinces)).fill("home hungry"),
  ];
  return h(
    "li",
    { class: "granary-one", "data-seat": player.seat },
    h("h3", {}, sealAndName(player.seat)),
    h("p", {}, t("winter.rice_line", { rice: player.rice, loss: lostRice, left: player.left })),
    h(
      "div",
      { class: "grains", "aria-hidden": "true" },
      grains.map((kind) => h("i", { class: kind })),
    ),
    h(
      "p",
      {},
      t("winter.need_line", {
        provinces: player.provinces,
        fed: Math.max(0, supplied),
        missing: player.missing,
      }),
    ),
    h(
      "div",
      { class: "grains", "aria-hidden": "true" },
      provinces.map((kind) => h("i", { class: kind })),
    ),
    player.revolts
      ? h(
          "p",
          { class: "hunger" },
          h("b", {}, t("winter.breaks_out", { n: player.revolts })),
          player.extra_farmers
            ? `, ${t(player.revolts > 1 ? "winter.extra" : "winter.extra_one", { n: player.extra_farmers })}`
            : null,
        )
      : h("p", { class: "fed" }, t(fed ? "winter.fed" : "winter.will_be_fed")),
  );
}

/** The revolts: the cards drawn, the throws, and their outcomes. */
export function revoltsCard(winter, live, game, japan) {
  if (!winter.fed) return null;
  const nobody = !winter.draws.length && !Object.keys(live.to_draw).length;
  return h(
    "section",
    { class: "card", "aria-label": t("winter.revolts") },
    h("h2", {}, t("winter.revolts")),
    h("p", { class: "muted small" }, `${t("rule.W-3")} ${t("rule.W-4")}`),
    nobody ? h("p", {}, t("winter.no_revolts")) : null,
    h(
      "ul",
      { class: "draws" },
      winter.draws.map((draw) =>
        h(
          "li",
          {},
          t("winter.drew", {
            by: colour(draw.by),
            player: colour(draw.player),
            provinces: provinceNames(draw.provinces, japan),
          }),
        ),
      ),
      Object.entries(live.to_draw).map(([player, n]) =>
        h(
          "li",
          {},
          h("b", {}, t("winter.draws", { by: colour(live.drawn_by[player]), player: colour(player), n })),
        ),
      ),
    ),
    h(
      "ol",
      { class: "revolts" },
      winter.revolts.map((revolt) => foughtRevolt(revolt, game, japan)),
      pendingRevolts(winter, live).map(([player, id]) => nextRevolt(player, id, live, game, japan)),
    ),
  );
}

const provinceNames = (ids, japan) => ids.map((id) => japan.provinces[id].name).join(", ");

function pendingRevolts(winter, live) {
  const order = [...winter.order, ...Object.keys(live.revolts)].filter(
    (seat, at, all) => all.indexOf(seat) === at,
  );
  return order.flatMap((player) => (live.revolts[player] ?? []).map((id) => [player, id]));
}

function foughtRevolt(revolt, game, japan) {
  const name = japan.provinces[revolt.province].name;
  const isSettled = revolt.result !== null;
  const isLost = isSettled && revolt.result.owner === null;
  const asBefore = {
    owner: revolt.seat,
    armies: revolt.armies,
    markers: revolt.markers,
    buildings: revolt.buildings,
  };
  const verdict = !isSettled
    ? t("winter.thrown_now")
    : isLost
      ? t("verdict.farmers", { defender: colour(revolt.seat), province: name })
      : t("verdict.defender", { defender: colour(revolt.seat), province: name, n: revolt.result.armies });
  return h(
    "li",
    { class: `revolt ${isSettled ? (isLost ? "lost" : "held") : "now"}`, "data-province": revolt.province },
    mapCrop(japan, game.provinces, [revolt.province], {
      overrides: { [revolt.province]: asBefore },
      label: `${name}, ${colour(revolt.seat)}`,
    }),
    h(
      "div",
      { class: "revolt-told" },
      h("h3", {}, name, h("span", { class: "tag" }, t(isSettled ? "round.done" : "round.now"))),
      h("p", {}, sealAndName(revolt.seat)),
      sidesWords(revolt),
      h(
        "p",
        { class: "verdict-s" },
        h("span", { "aria-hidden": "true" }, isSettled ? (isLost ? "✕ " : "✓ ") : "… "),
        verdict,
      ),
      isSettled
        ? h(
            "p",
            { class: "small" },
            withColon(t("came_out")),
            cubeLine(revolt.tray, [
              revolt.seat,
              "green",
              ...Object.keys(revolt.tray).filter((name) => name !== revolt.seat && name !== "green"),
            ]),
          )
        : null,
      isLost && revolt.buildings.length
        ? h(
            "p",
            { class: "small" },
            t("winter.lost_with", {
              what: revolt.buildings.map((building) => t(`building.${building}`)).join(", "),
            }),
          )
        : null,
      isSettled
        ? h("a", { class: "btn quiet", href: "/throws" }, t("all_throws"))
        : h("a", { class: "btn main", href: "/", "data-key": "to-throw" }, t("seat.to_throw")),
    ),
  );
}

function sidesWords({ seat, armies, farmers, markers, extra }) {
  return [
    h(
      "p",
      {},
      t("winter.against", {
        who: colour(seat),
        armies: t("armies", { n: armies }),
        farmers: t("farmers", { n: farmers }),
      }),
    ),
    h("p", { class: "small muted" }, t("winter.farmers_from", { markers, extra })),
  ];
}

function nextRevolt(player, id, live, game, japan) {
  const province = game.provinces.find((province) => province.id === id) ?? { armies: 0, markers: 0 };
  const extra = live.extra_farmers[player] ?? 0;
  const name = japan.provinces[id].name;
  return h(
    "li",
    { class: "revolt next", "data-province": id },
    mapCrop(japan, game.provinces, [id], { label: `${name}, ${colour(player)}` }),
    h(
      "div",
      { class: "revolt-told" },
      h("h3", {}, name, h("span", { class: "tag" }, t("round.next"))),
      h("p", {}, sealAndName(player)),
      sidesWords({
        seat: player,
        armies: province.armies,
        farmers: province.markers + extra,
        markers: province.markers,
        extra,
      }),
    ),
  );
}
