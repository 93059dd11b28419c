// The round as a strip, and the standing of the seats: for the map page and the watch page.
import { h } from "./dom.js";
import { colour, t } from "./i18n.js";
import { sealIcon } from "./seal.js";

const who = (name) => [sealIcon(name), h("span", {}, colour(name))];

const eventAndLoss = (card) =>
  `${t(`effect.${card.effect}`)} (${t("round.loss", { n: card.winter_rice_loss })})`;

/** Season, cards and turn order; null outside a whole game. */
export function roundStrip(view) {
  if (!view.cards || view.phase === "free") return null;
  const { cards } = view;
  return h(
    "section",
    { class: "card round", "aria-label": t("round.title") },
    h(
      "div",
      { class: "row" },
      h("h2", {}, t("round.season", { season: t(`season.${view.season}`), year: view.year })),
      h("span", { class: "grow" }),
      cards.event
        ? h(
            "p",
            {},
            h("b", {}, t(`effect.${cards.event.effect}`)),
            " ",
            h("span", { class: "muted" }, t("round.loss", { n: cards.event.winter_rice_loss })),
          )
        : null,
    ),
    cards.actions.length
      ? h(
          "ol",
          { class: "actions", "aria-label": t("round.actions") },
          cards.actions.map((name, at) => actionCard(name, at, cards)),
        )
      : null,
    cards.specials.length && !cards.order.length
      ? h(
          "div",
          { class: "row" },
          h("h3", {}, t("round.specials")),
          h(
            "ol",
            { class: "order" },
            cards.specials.map((name, at) => specialCard(view, name, at)),
          ),
        )
      : null,
    cards.order.length
      ? h(
          "div",
          { class: "row" },
          h("h3", {}, t("round.order")),
          h(
            "ol",
            { class: "order" },
            cards.order.map((name) =>
              h(
                "li",
                { "aria-current": name === cards.acting ? "true" : null },
                who(name),
                specialOf(view, name),
              ),
            ),
          ),
        )
      : null,
    cards.year_events.length
      ? h(
          "p",
          { class: "small muted" },
          `${t("round.ahead")} ${cards.year_events.map(eventAndLoss).join(" · ")}`,
        )
      : null,
  );
}

/** A special card at its place, which gives the position in the turn order (O-4), and who has taken it. */
function specialCard(view, name, at) {
  const taker = view.players.find((player) => player.special === name);
  return h(
    "li",
    {},
    h("b", {}, String(at + 1)),
    h("span", {}, t(`special.${name}`)),
    taker ? who(taker.seat) : null,
  );
}

function specialOf(view, name) {
  const card = view.players.find((player) => player.seat === name)?.special;
  return card ? h("small", {}, t(`special.${card}`)) : null;
}

function actionCard(name, at, cards) {
  const state = at < cards.done ? "done" : name && name === cards.action ? "now" : name ? "next" : "hidden";
  return h(
    "li",
    { class: state, "aria-current": state === "now" ? "step" : null },
    h("b", { "aria-hidden": "true" }, state === "done" ? "✓" : String(at + 1)),
    h("span", {}, name ? t(`action.${name}`) : t("round.hidden")),
    h("span", { class: "sr" }, t(`round.${state}`)),
  );
}

/** Points, provinces, chests and rice of each seat. */
export function standingTable(view) {
  if (!view.players?.[0]?.seat) return null;
  const heads = ["points", "provinces", "chests", "rice", "supply"];
  const row = (player) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        h(
          "span",
          { class: "row" },
          who(player.seat),
          view.winners.includes(player.seat) ? ` ${t("round.winner")}` : null,
        ),
      ),
      heads.map((key) =>
        h("td", {}, String(key === "provinces" ? player.provinces.length : (player[key] ?? "–"))),
      ),
    );
  return h(
    "section",
    { class: "card standing", tabindex: 0, "aria-label": t("round.standing") },
    h(
      "table",
      {},
      h("caption", {}, t("round.standing")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          heads.map((key) => h("th", { scope: "col" }, t(`stand.${key}`))),
        ),
      ),
      h("tbody", {}, view.players.map(row)),
    ),
  );
}
