// The load cell's trace as a strip chart: newest at the right, drops marked. Only attributes change while it
// runs.
import { s } from "./dom.js";
import { t } from "./i18n.js";

const SECONDS = 30;
const HEIGHT = 280;
const LEFT = 56;
const TOP = 34;
const BOTTOM = 24;
const APART = 30;
const STEPS = [1, 2, 5];

export class Strip {
  constructor(place) {
    this.points = [];
    this.marks = [];
    this.pool = [];
    this.line = s("polyline", { class: "line" });
    this.ticks = Array.from({ length: 5 }, () =>
      s(
        "g",
        {},
        s("line", { class: "grid", x1: LEFT }),
        s("text", { x: LEFT - 8, "text-anchor": "end", dy: 4 }, " "),
      ),
    );
    this.markGroup = s("g", {});
    this.svg = s(
      "svg",
      { class: "strip", role: "img", "aria-label": t("cell.chart", { n: SECONDS }) },
      this.ticks,
      this.line,
      this.markGroup,
    );
    place.replaceChildren(this.svg);
    new ResizeObserver(() => this.draw()).observe(this.svg);
  }

  /** Add new points and replace the marks; `anew`: the board's clock has restarted. */
  feed(points, marks, unit, anew) {
    if (anew) this.points = [];
    this.points.push(...points);
    const newest = this.points.at(-1)?.[0] ?? 0;
    this.points = this.points.filter(([ms]) => ms > newest - SECONDS * 1000);
    this.marks = marks.filter((mark) => mark.ms > newest - SECONDS * 1000 && mark.kind !== "motion");
    this.unit = unit;
    this.draw();
  }

  draw() {
    const width = this.svg.clientWidth || 640;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const newest = this.points.at(-1)?.[0] ?? 0;
    const masses = this.points.map(([, mass]) => mass);
    const step = niceStep((Math.max(1000, ...masses) - Math.min(0, ...masses)) / 3.5);
    // slight noise below zero adds no grid line
    const bottom = Math.floor(Math.min(0, ...masses) / step + 0.15) * step;
    const x = (ms) => width - 8 - ((newest - ms) / (SECONDS * 1000)) * (width - LEFT - 8);
    const y = (mass) => HEIGHT - BOTTOM - ((mass - bottom) / (4 * step)) * (HEIGHT - TOP - BOTTOM);
    this.ticks.forEach((tick, number) => {
      const at = y(bottom + number * step);
      const [grid, text] = tick.children;
      for (const [name, value] of [
        ["x2", width - 8],
        ["y1", at],
        ["y2", at],
      ])
        grid.setAttribute(name, value);
      text.setAttribute("y", at);
      text.firstChild.data = t("cell.grams", { mass: (bottom + number * step) / 1000 });
    });
    this.line.setAttribute(
      "points",
      this.points.map(([ms, mass]) => `${x(ms).toFixed(1)},${y(mass).toFixed(1)}`).join(" "),
    );
    const marks = mergedMarks(
      this.marks.map((mark) => ({
        ...mark,
        cubes: mark.kind === "drop" ? Math.round(mark.mass_mg / this.unit) : 0,
      })),
      x,
    );
    while (this.pool.length < marks.length) this.pool.push(this.#createMark());
    this.pool.forEach((mark, number) => this.#placeMark(mark, marks[number], x));
  }

  #createMark() {
    const mark = s(
      "g",
      {},
      s("line", { y1: TOP - 10, y2: HEIGHT - BOTTOM }),
      s("path", { d: `M0 ${TOP - 22}l6 8-6 8-6-8z` }),
      s("text", { y: TOP - 24 }, " "),
    );
    this.markGroup.append(mark);
    return mark;
  }

  #placeMark(mark, drop, x) {
    mark.toggleAttribute("hidden", !drop);
    if (!drop) return;
    mark.setAttribute("class", drop.kind);
    mark.setAttribute("transform", `translate(${x(drop.ms).toFixed(1)} 0)`);
    mark.children[1].toggleAttribute("hidden", drop.kind !== "drop");
    mark.children[2].firstChild.data = drop.cubes
      ? drop.cubes > 0
        ? `+${drop.cubes}`
        : `−${-drop.cubes}`
      : " ";
  }
}

/** Merge drops whose marks would overlap into one mark with their sum. */
function mergedMarks(marks, x) {
  const shown = [];
  for (const mark of marks) {
    const before = shown.findLast((mark) => mark.kind === "drop");
    if (mark.kind === "drop" && before && x(mark.ms) - x(before.ms) < APART) before.cubes += mark.cubes;
    else shown.push(mark);
  }
  return shown;
}

function niceStep(atLeast) {
  for (let decade = 100; ; decade *= 10)
    for (const step of STEPS) if (step * decade >= atLeast) return step * decade;
}
