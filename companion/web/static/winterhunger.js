// Winter before the points: rice, which provinces are fed, and the revolts of the others, one by one.
import { h } from "./dom.js";
import { colour, lead, t } from "./i18n.js";
import { crop } from "./mapcrop.js";
import { who } from "./seal.js";
import { line } from "./cubes.js";

/** Each seat's rice and provisions, in the order in which revolts are resolved. */
export function provisions(winter) {
  return h(
    "section",
    { class: "card", "aria-label": t("winter.rice") },
    h("h2", {}, t("winter.rice")),
    winter.card ? h("p", {}, t("winter.card", { n: winter.card.rice_loss })) : null,
    h("p", { class: "muted small" }, `${t("rule.W-1")} ${t("rule.W-2")}`),
    h(
      "ol",
      { class: "granary" },
      winter.provision.map((one) => granary(one, winter.fed)),
    ),
  );
}

function granary(one, fed) {
  const lost = one.rice - one.left;
  const fine = one.provinces - one.missing;
  const grains = [...Array(one.left).fill("grain"), ...Array(lost).fill("grain gone")];
  const provinces = [
    ...Array(Math.max(0, fine)).fill("home"),
    ...Array(Math.min(one.missing, one.provinces)).fill("home hungry"),
  ];
  return h(
    "li",
    { class: "granary-one", "data-seat": one.seat },
    h("h3", {}, who(one.seat)),
    h("p", {}, t("winter.rice_line", { rice: one.rice, loss: lost, left: one.left })),
    h(
      "div",
      { class: "grains", "aria-hidden": "true" },
      grains.map((kind) => h("i", { class: kind })),
    ),
    h(
      "p",
      {},
      t("winter.need_line", { provinces: one.provinces, fed: Math.max(0, fine), missing: one.missing }),
    ),
    h(
      "div",
      { class: "grains", "aria-hidden": "true" },
      provinces.map((kind) => h("i", { class: kind })),
    ),
    one.revolts
      ? h(
          "p",
          { class: "hunger" },
          h("b", {}, t("winter.breaks_out", { n: one.revolts })),
          one.extra_farmers
            ? `, ${t(one.revolts > 1 ? "winter.extra" : "winter.extra_one", { n: one.extra_farmers })}`
            : null,
        )
      : h("p", { class: "fed" }, t(fed ? "winter.fed" : "winter.will_be_fed")),
  );
}

/** The revolts: the cards drawn, the throws, and their outcomes. */
export function revolts(winter, live, game, japan) {
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
            provinces: named(draw.provinces, japan),
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
      winter.revolts.map((revolt) => fought(revolt, game, japan)),
      waiting(winter, live).map(([player, id]) => coming(player, id, live, game, japan)),
    ),
  );
}

const named = (ids, japan) => ids.map((id) => japan.provinces[id].name).join(", ");

function waiting(winter, live) {
  const order = [...winter.order, ...Object.keys(live.revolts)].filter(
    (seat, at, all) => all.indexOf(seat) === at,
  );
  return order.flatMap((player) => (live.revolts[player] ?? []).map((id) => [player, id]));
}

function fought(revolt, game, japan) {
  const name = japan.provinces[revolt.province].name;
  const done = revolt.result !== null;
  const lost = done && revolt.result.owner === null;
  const then = {
    owner: revolt.seat,
    armies: revolt.armies,
    markers: revolt.markers,
    buildings: revolt.buildings,
  };
  const verdict = !done
    ? t("winter.thrown_now")
    : lost
      ? t("verdict.farmers", { defender: colour(revolt.seat), province: name })
      : t("verdict.defender", { defender: colour(revolt.seat), province: name, n: revolt.result.armies });
  return h(
    "li",
    { class: `revolt ${done ? (lost ? "lost" : "held") : "now"}`, "data-province": revolt.province },
    crop(japan, game.provinces, [revolt.province], {
      over: { [revolt.province]: then },
      label: `${name}, ${colour(revolt.seat)}`,
    }),
    h(
      "div",
      { class: "revolt-told" },
      h("h3", {}, name, h("span", { class: "tag" }, t(done ? "round.done" : "round.now"))),
      h("p", {}, who(revolt.seat)),
      sides(revolt),
      h(
        "p",
        { class: "verdict-s" },
        h("span", { "aria-hidden": "true" }, done ? (lost ? "✕ " : "✓ ") : "… "),
        verdict,
      ),
      done
        ? h(
            "p",
            { class: "small" },
            lead(t("came_out")),
            line(revolt.tray, [
              revolt.seat,
              "green",
              ...Object.keys(revolt.tray).filter((one) => one !== revolt.seat && one !== "green"),
            ]),
          )
        : null,
      lost && revolt.buildings.length
        ? h(
            "p",
            { class: "small" },
            t("winter.lost_with", { what: revolt.buildings.map((one) => t(`building.${one}`)).join(", ") }),
          )
        : null,
      done
        ? h("a", { class: "btn quiet", href: "/throws" }, t("all_throws"))
        : h("a", { class: "btn main", href: "/", "data-key": "to-throw" }, t("seat.to_throw")),
    ),
  );
}

function sides({ seat, armies, farmers, markers, extra }) {
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

function coming(player, id, live, game, japan) {
  const now = game.provinces.find((one) => one.id === id) ?? { armies: 0, markers: 0 };
  const extra = live.extra_farmers[player] ?? 0;
  const name = japan.provinces[id].name;
  return h(
    "li",
    { class: "revolt next", "data-province": id },
    crop(japan, game.provinces, [id], { label: `${name}, ${colour(player)}` }),
    h(
      "div",
      { class: "revolt-told" },
      h("h3", {}, name, h("span", { class: "tag" }, t("round.next"))),
      h("p", {}, who(player)),
      sides({ seat: player, armies: now.armies, farmers: now.markers + extra, markers: now.markers, extra }),
    ),
  );
}
