// Zero and scale of the load cell: the host's two commands to the board, and the board's answers.
import { refusalText, send } from "./api.js";
import { h, put } from "./dom.js";
import { hasMessage, t } from "./i18n.js";
import { button } from "./widgets.js";

const USUAL_SET = 62; // cubes per colour in Shogun's box
const MOST = 999;

/** A card in `place`, drawn only once so that a number can be typed while the weight changes. */
export class ZeroAndScale {
  constructor(place) {
    this.place = place;
    this.drawnForHost = null;
    this.refusal = "";
    this.cubes = USUAL_SET;
  }

  show({ health, host, told }) {
    this.place.hidden = health.up === null;
    if (host !== this.drawnForHost) this.draw(host);
    if (!host) return;
    for (const button of this.place.querySelectorAll("button")) button.disabled = told.state === "asked";
    const text = this.refusal || answerText(told);
    const note = this.place.querySelector("[role=status]");
    note.className = `note${this.refusal || told.state === "refused" ? " bad" : ""}`;
    if (note.textContent !== text) note.textContent = text;
  }

  draw(host) {
    this.drawnForHost = host;
    put(
      this.place,
      h("h2", {}, t("cell.set")),
      host ? this.controls() : h("p", { class: "muted" }, t("cell.set_host")),
    );
  }

  controls() {
    const number = h("input", {
      type: "number",
      id: "cell-cubes",
      inputmode: "numeric",
      min: 1,
      max: MOST,
      value: this.cubes,
    });
    number.addEventListener("input", () => (this.cubes = number.valueAsNumber));
    return [
      h("p", {}, t("cell.tare_how")),
      button("tare", t("cell.tare"), () => this.sendOrder("tare", {})),
      h("p", {}, t("cell.cubes_how")),
      h(
        "div",
        { class: "weigh" },
        h("label", { for: "cell-cubes" }, t("cell.cubes_number")),
        number,
        button("weigh", t("cell.weigh"), () => this.sendOrder("calibrate", { cubes: this.cubes })),
      ),
      h("p", { class: "muted small" }, t("cell.spread_how")),
      h("p", { role: "status", class: "note" }),
    ];
  }

  async sendOrder(what, body) {
    // until the board answers
    for (const button of this.place.querySelectorAll("button")) button.disabled = true;
    const { ok, body: answer } = await send(`sensor/${what}`, body);
    if (answer.error?.key === "board_busy") return;
    this.refusal = ok
      ? ""
      : answer.error.key === "not_understood"
        ? t("cell.bad_number", { most: MOST })
        : refusalText(answer.error);
  }
}

function answerText({ word, cubes, state, reason }) {
  if (state === "none") return "";
  if (state === "asked") return t("cell.asked");
  if (state === "done") return t(`cell.${word}_done`, { n: cubes });
  return t(hasMessage(`cell.refused.${reason}`) ? `cell.refused.${reason}` : "cell.refused.other");
}
