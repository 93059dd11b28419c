// Looking back: a slider over the whole game, with charts of points, provinces, armies and chests.
import { send } from "./api.js";
import { h, put, s } from "./dom.js";
import { colour, t, withColon } from "./i18n.js";
import { mon } from "./mapparts.js";
import { button } from "./widgets.js";

const APART = 24; // a seal is 22 high

/**
 * Heights of the seals (highest first), moved so that none overlaps, goes below the floor or leaves the
 * picture.
 */
function spreadSeals(heights, floor) {
  let lowest = floor;
  const raised = [...heights]
    .reverse()
    .map((height) => {
      const at = Math.min(height, lowest);
      lowest = at - APART;
      return at;
    })
    .reverse();
  return raised.map((at, rank) => Math.max(at, APART / 2 + rank * APART));
}

/** A year's label under its line; right-aligned at the edge if a year has just begun and it would not fit. */
const yearAt = (year, from, width, letter) => {
  const ends = from + YEAR * letter > width;
  return s(
    "text",
    { class: `scale year${ends ? " ends" : ""}`, x: ends ? width : from, y: HEIGHT - 0.3 * letter },
    t("winter.year", { year }),
  );
};

const SHOWN = ["points", "provinces", "armies", "chests"];
const [HEIGHT, EDGE, WIDEST] = [220, 26, 900];
const YEAR = 4; // width of a year's label, in letter heights

/** The slider in a `details` element; `onMoment` gets the view of a moment, or null for the present. */
export class Past {
  constructor(place, onMoment) {
    Object.assign(this, {
      place,
      onMoment,
      moments: [],
      at: null,
      requestedBatch: null,
      wantedBatch: null,
      measure: "provinces",
    });
    this.body = h("div", { class: "past-in" });
    put(place, h("summary", {}, t("past.title")), this.body);
    new ResizeObserver(() => this.body.clientWidth !== this.drawnWidth && this.draw()).observe(this.body);
    place.addEventListener("toggle", () => (place.open ? this.load() : this.showPresent()));
  }

  /** Reload after a change at the table, if open. */
  reloadIfOpen() {
    if (this.place.open) this.load();
  }

  /** Load the moments; resolves to false if the request fails. */
  async load() {
    const { ok, body } = await send("moments");
    if (!ok) return false;
    const shownBatch = this.at === null ? null : this.moments[this.at].batch;
    this.moments = body.moments;
    if (this.at !== null) this.at = this.indexOf(shownBatch);
    const wanted = this.indexOf(this.wantedBatch);
    this.wantedBatch = null;
    if (this.at === -1) this.showPresent();
    else this.draw();
    if (wanted >= 0) this.showMoment(wanted);
    return true;
  }

  /** The place of a command's moment in the list; -1 if it is not there, as after its undo. */
  indexOf(batch) {
    return this.moments.findIndex((moment) => moment.batch === batch);
  }

  /** Open at the moment after a command, if it was not undone. */
  openAt(batch) {
    this.wantedBatch = batch;
    if (this.place.open) this.load();
    else this.place.open = true; // triggers `load`
  }

  showPresent() {
    this.at = this.requestedBatch = null;
    this.onMoment(null);
    this.draw();
  }

  /** Show a moment once its view has arrived, so that sentence, map and slider change together. */
  async showMoment(at) {
    const { batch } = this.moments[at];
    this.requestedBatch = batch;
    const { ok, body } = await send(`moments/${batch}`);
    const game = ok ? body.game : null;
    if (this.requestedBatch !== batch) return;
    const current = this.indexOf(batch);
    if (game && current >= 0) {
      this.at = current;
      this.onMoment(game);
    }
    this.draw();
  }

  draw() {
    if (!this.moments.length) return;
    // the chart is drawn at this width, so that its letters keep their size
    this.drawnWidth = this.body.clientWidth;
    const last = this.moments.length - 1;
    const at = Math.min(this.at ?? last, last);
    const { season, year } = this.moments[at];
    const momentText = season
      ? t("past.when", { season: t(`season.${season}`), year, n: at + 1, all: last + 1 })
      : `${at + 1} / ${last + 1}`;
    // fixed at the edge of the window, with a button to leave the past
    const isDocked = this.place.classList.contains("docks");
    const presentButton =
      this.at === null ? null : button("now", t("past.now"), () => this.showPresent(), "main");
    if (presentButton) presentButton.dataset.next = "moment";
    put(
      this.body,
      h(
        "div",
        { class: "moment" },
        h("label", { for: "moment" }, h("span", {}, withColon(t("past.slider"))), h("b", {}, momentText)),
        isDocked ? h("div", { class: "leave" }, presentButton ?? this.closeButton()) : null,
        h("input", {
          type: "range",
          id: "moment",
          "data-key": "moment",
          min: 0,
          max: last,
          value: at,
          "aria-valuetext": momentText,
          oninput: (event) => this.showMoment(Number(event.target.value)),
        }),
      ),
      h(
        "div",
        { class: "row" },
        SHOWN.map((key) =>
          h(
            "button",
            {
              type: "button",
              class: "btn",
              "aria-pressed": String(key === this.measure),
              "data-key": `chart-${key}`,
              onclick: () => ((this.measure = key), this.draw()),
            },
            t(`stand.${key}`),
          ),
        ),
        isDocked ? null : presentButton,
      ),
      this.chart(at),
    );
  }

  /** The close button at the edge of the window, where the summary is far away. */
  closeButton() {
    return h(
      "button",
      {
        type: "button",
        class: "btn quiet",
        "data-key": "past-close",
        "aria-label": t("close"),
        onclick: () => this.close(),
      },
      "×",
    );
  }

  close() {
    this.place.open = false;
    this.place.querySelector("summary").focus({ preventScroll: true }); // the button disappears
  }

  chart(at) {
    const seats = Object.keys(this.moments.at(-1).seats);
    if (!seats.length) return null;
    const letter = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const [width, left, foot] = [Math.min(WIDEST, Math.max(240, this.drawnWidth)), 2 * letter, 1.6 * letter];
    const value = (index, seat) => this.moments[index].seats[seat]?.[this.measure] ?? 0;
    const highest = Math.max(
      1,
      ...seats.flatMap((seat) => this.moments.map((_, index) => value(index, seat))),
    );
    const x = (index) => left + (index / Math.max(1, this.moments.length - 1)) * (width - left - 40);
    const y = (number) => HEIGHT - foot - (number / highest) * (HEIGHT - EDGE - foot);
    const end = this.moments.length - 1;
    const ends = [...seats].sort((a, b) => value(end, b) - value(end, a));
    const standings = ends.map((seat) => `${colour(seat)} ${value(end, seat)}`).join(", ");
    const label = `${withColon(t("past.chart", { what: t(`stand.${this.measure}`) }))}${standings}`;
    const years = this.moments.flatMap(({ year }, index) =>
      year && year !== this.moments[index - 1]?.year ? [[year, x(index)]] : [],
    );
    return s(
      "svg",
      { viewBox: `0 0 ${width} ${HEIGHT}`, class: "japan chart", role: "img", "aria-label": label },
      [0, highest].map((number) => [
        s("path", { class: "rule", d: `M${left} ${y(number)}H${width - 40}` }),
        s("text", { class: "scale", x: left - 8, y: y(number) + letter / 3 }, String(number)),
      ]),
      years.map(([year, from]) => [
        s("path", { class: "rule", d: `M${from} ${EDGE}V${HEIGHT - foot}` }),
        yearAt(year, from, width, letter),
      ]),
      s("path", { class: "here", d: `M${x(at)} ${EDGE}V${HEIGHT - foot}` }),
      seats.map((seat) =>
        s("path", {
          class: `course ${seat}`,
          d: this.moments
            .map(
              (_, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(value(index, seat)).toFixed(1)}`,
            )
            .join(""),
        }),
      ),
      spreadSeals(
        ends.map((seat) => y(value(end, seat))),
        y(0),
      ).map((at, rank) =>
        s("g", { transform: `translate(${x(end) + 24} ${at}) scale(.5)` }, mon(ends[rank])),
      ),
    );
  }
}
