// What a seat may do, with the orders that are always offered because their refusal explains the rule.
import { h } from "./dom.js";
import { colour, t } from "./i18n.js";
import { provinceNames, purposeWords, withRule } from "./words.js";

/** The orders with "ready" always offered: before the plan is complete the server refuses with the rule. */
export function withReady({ seat }, legal, planning, mine) {
  // switching to real cards would discard the plan made here
  const begun = planning && Object.keys(mine.board).length > 0;
  legal = legal
    .filter((order) => !(begun && order.by_cards))
    .sort((a, b) => Number(a.by_cards ?? 0) - Number(b.by_cards ?? 0));
  const ready = { kind: "ready", seat, ready: true, by_cards: false, insist: "" };
  return planning && !mine.ready && !legal.some((order) => order.kind === "ready" && !order.by_cards)
    ? [ready, ...legal]
    : legal;
}

const isBattle = (game) => ["battle_a", "battle_b"].includes(game.cards.action);

/**
 * The orders with "stay" always offered if armies could move: the server refuses with the rule, which the
 * table may overrule.
 */
export function withStay({ seat, game }, legal) {
  if (
    !isBattle(game) ||
    !legal.some((order) => order.to) ||
    legal.some((order) => order.kind === "act" && !order.to)
  )
    return legal;
  return [...legal, { kind: "act", seat, to: null, armies: 0, bonus_attack: false, insist: "" }];
}

/** The words for an action without a target: skipped, armies that stay, or a deployment only. */
export function targetlessActionKey(game) {
  if (game.turn?.barred) return "order.act_skip";
  if (game.turn && isBattle(game)) return "order.act_stay";
  return game.cards.action === "deploy_1_move" ? "order.act_deploy" : "order.act_plain";
}

export const barredNote = ({ barred: { key, rule }, province }, names) =>
  h("p", { class: "note" }, withRule(t(`barred.${key}`, { province: names[province].name }), rule));

/** The battle, for the defender who is asked about the extra army: where, and against how many. */
export function attackNote(game) {
  const battle = game.throw;
  if (!battle?.ask_defence) return null;
  const side = (name, n) => t("count_of", { colour: colour(name), n: t("armies", { n }) });
  return h(
    "p",
    { class: "note" },
    `${purposeWords(battle, provinceNames(game))}. `,
    side(battle.attacker, battle.moved + battle.extra_attack),
    " · ",
    side(battle.defender, battle.defenders),
  );
}
