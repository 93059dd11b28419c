// A winter's points as they add up: one gain at a time, region by region, each with its reason and rule.
import { h, put } from "./dom.js";
import { colour, t, withColon } from "./i18n.js";
import { mapCrop } from "./mapcrop.js";
import { colourList, sealAndName } from "./seal.js";
import { button } from "./widgets.js";

const PACE_MS = 1700;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The steps of a scoring: every gain that gives points. */
const stepsOf = (scoring) =>
  scoring.regions.flatMap((region, at) =>
    region.gains.filter((gain) => Object.keys(gain.points).length).map((gain) => ({ at, region, gain })),
  );

/**
 * Plays one winter's points in `place`; `onStep(step)` reports the position, so that a reload can return to
 * it.
 */
export class Scoring {
  constructor(place, onStep) {
    Object.assign(this, { place, onStep, scoring: null, steps: [], step: 0, timer: null });
  }

  /** Show a winter's scoring at `step` (null: at the end). */
  show(scoring, game, japan, step = null) {
    this.stop();
    const steps = stepsOf(scoring);
    Object.assign(this, { scoring, game, japan, steps, step: Math.min(step ?? steps.length, steps.length) });
    this.draw();
  }

  get playing() {
    return this.timer !== null;
  }

  play() {
    if (this.step >= this.steps.length) this.step = 0;
    this.timer = setInterval(
      () => (this.step < this.steps.length ? this.goTo(this.step + 1) : this.pause()),
      PACE_MS,
    );
    this.draw();
  }

  /** Play from the beginning automatically, unless reduced motion is preferred. */
  begin() {
    this.goTo(still.matches ? this.steps.length : 0);
    if (!still.matches) this.play();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  pause() {
    this.stop();
    this.draw();
  }

  goTo(step) {
    this.step = Math.max(0, Math.min(step, this.steps.length));
    this.onStep(this.step);
    this.draw();
  }

  /** A seat's points so far. */
  pointsSoFar(seat) {
    return (
      this.scoring.before[seat] +
      this.steps.slice(0, this.step).reduce((sum, { gain }) => sum + (gain.points[seat] ?? 0), 0)
    );
  }

  draw() {
    const last = this.steps[this.step - 1];
    const at = last?.at ?? 0;
    put(
      this.place,
      h(
        "section",
        { class: "card scoring", "aria-label": t("winter.scoring") },
        h("h2", {}, t("winter.scoring")),
        this.controls(),
        h(
          "div",
          { class: "scoring-in" },
          h(
            "div",
            { class: "counting" },
            this.picture(at),
            h("p", { class: "told", role: "status" }, last ? this.stepLine(last) : t("winter.before_points")),
          ),
          this.standing(),
        ),
        h(
          "div",
          { class: "regions" },
          this.scoring.regions.map((region, index) => this.regionSection(region, index, at)),
        ),
      ),
    );
  }

  controls() {
    const all = this.steps.length;
    return h(
      "div",
      { class: "row player", role: "group", "aria-label": t("winter.player") },
      button("score-first", t("winter.again"), () => this.goTo(0)),
      h(
        "button",
        {
          type: "button",
          class: "btn",
          "data-key": "score-back",
          "aria-label": t("winter.back"),
          "aria-disabled": this.step === 0 ? "true" : null, // keeps the focus
          onclick: () => this.goTo(this.step - 1),
        },
        "‹",
      ),
      this.playing
        ? button("score-play", t("winter.pause"), () => this.pause(), "main")
        : button("score-play", t("winter.play"), () => this.play(), "main"),
      h(
        "button",
        {
          type: "button",
          class: "btn",
          "data-key": "score-next",
          "aria-label": t("winter.next"),
          "aria-disabled": this.step === all ? "true" : null,
          onclick: () => this.goTo(this.step + 1),
        },
        "›",
      ),
      button("score-all", t("winter.all"), () => this.goTo(all)),
      h("span", { class: "muted" }, t("winter.step", { n: this.step, all })),
    );
  }

  picture(at) {
    const region = this.scoring.regions[at];
    const overrides = Object.fromEntries(region.provinces.map((province) => [province.id, province]));
    return mapCrop(
      this.japan,
      this.game.provinces,
      region.provinces.map((province) => province.id),
      { overrides, margin: 130, whole: true, label: t(`region.${region.region}`) },
    );
  }

  stepLine({ region, gain }) {
    return [
      h("b", {}, withColon(t(`region.${region.region}`))),
      reason(gain),
      " ",
      h("span", { class: "gains" }, gainWords(gain)),
      h("small", { class: "muted" }, rule(gain.rule)),
    ];
  }

  standing() {
    const seats = Object.keys(this.scoring.before);
    const highest = Math.max(1, ...seats.map((seat) => this.scoring.after[seat]));
    return h(
      "div",
      { class: "scrolls", tabindex: 0, role: "group", "aria-label": t("winter.so_far") },
      h(
        "table",
        { class: "running" },
        h("caption", {}, t("winter.so_far")),
        h(
          "tbody",
          {},
          seats.map((seat) => {
            const [now, before] = [this.pointsSoFar(seat), this.scoring.before[seat]];
            const gained = this.steps[this.step - 1]?.gain.points[seat] ?? 0;
            return h(
              "tr",
              { "data-seat": seat, class: gained ? "fresh" : null },
              h("th", { scope: "row" }, sealAndName(seat)),
              h(
                "td",
                { class: "bars", "aria-hidden": "true" },
                h("i", { class: `course-bar ${seat}`, vars: { "--share": now / highest } }),
              ),
              h("td", { class: "points" }, String(now)),
              h("td", { class: "muted small" }, now > before ? `+${now - before}` : ""),
            );
          }),
        ),
      ),
    );
  }

  regionSection(region, index, at) {
    const earlierSteps = this.steps.filter((step) => step.at < index).length;
    const ownSteps = this.steps.filter((step) => step.at === index).length;
    const shownSteps = Math.max(0, Math.min(ownSteps, this.step - earlierSteps));
    const isComplete =
      this.step >= earlierSteps + ownSteps &&
      (this.step > earlierSteps || ownSteps === 0 ? this.step >= earlierSteps : false);
    const gaining = region.gains.filter((gain) => Object.keys(gain.points).length);
    const lines = [
      ...gaining.slice(0, shownSteps),
      ...(isComplete ? region.gains.filter((gain) => !Object.keys(gain.points).length && gain.kind) : []),
    ];
    return h(
      "section",
      { class: `region-score${index === at && this.step ? " now" : ""}`, "data-region": region.region },
      h("h3", {}, t(`region.${region.region}`)),
      lines.length
        ? h(
            "ul",
            {},
            lines.map((gain) =>
              h(
                "li",
                {},
                h("span", {}, reason(gain)),
                " ",
                h("span", { class: "gains" }, gainWords(gain)),
                h("small", { class: "muted" }, rule(gain.rule)),
              ),
            ),
          )
        : h("p", { class: "muted" }, "…"),
    );
  }
}

const rule = (id) => [t(`rule.${id}`), " ", h("span", { class: "whole" }, `(${id})`)];
const countsText = (counts) =>
  Object.entries(counts)
    .map(([seat, n]) => `${colour(seat)} ${n}`)
    .join(", ");
const gainWords = (gain) =>
  Object.entries(gain.points).map(([seat, n]) => h("b", { class: "gain" }, `${colour(seat)} +${n}`));

function reason(gain) {
  if (gain.rule === "V-1") return t("gain.provinces", { counts: countsText(gain.counts) });
  if (gain.rule === "V-2") return t("gain.buildings", { counts: countsText(gain.counts) });
  const params = {
    kind: t(`buildings.${gain.kind}`),
    counts: countsText(gain.counts),
    who: colourList(Object.keys(gain.points)),
  };
  return t({ "V-3": "gain.most", "V-4": "gain.equal" }[gain.rule] ?? "gain.nobody", params);
}
