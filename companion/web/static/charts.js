// Charts: bars distinguished by pattern and labelled with their number; drawn at the width of their
// container, so that text keeps its size.
import { fillOf, SHAPES } from "./cubes.js";
import { h, s } from "./dom.js";
import { formatTenth, t } from "./i18n.js";

const [MIN_WIDTH, MAX_WIDTH] = [260, 760];
const [TOP, FOOT] = [26, 44];
const INSET = 38; // a card's padding and border on both sides

/** Width available for a chart, in pixels. */
export const chartWidth = (place) => Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, place.clientWidth - INSET));

/** Pattern definitions of a chart; each chart has its own, since ids are global to the page. */
function patterns(id) {
  return s(
    "defs",
    {},
    s(
      "pattern",
      {
        id: `${id}-hatch`,
        width: 8,
        height: 8,
        patternUnits: "userSpaceOnUse",
        patternTransform: "rotate(45)",
      },
      s("line", { x1: 0, y1: 0, x2: 0, y2: 8, class: "hatch" }),
    ),
    s(
      "pattern",
      { id: `${id}-specks`, width: 7, height: 7, patternUnits: "userSpaceOnUse" },
      s("circle", { cx: 3.5, cy: 3.5, r: 1.4, class: "speck" }),
    ),
  );
}

/** A bar: solid, hatched or dotted, outlined so that it is visible on any background. */
function bar(id, look, box) {
  if (look === "solid") return s("rect", { ...box, class: "counted" });
  return [s("rect", { ...box, class: "frame" }), s("rect", { ...box, fill: `url(#${id}-${look})` })];
}

function chartSvg(id, width, height, label, ...inside) {
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label },
    patterns(id),
    ...inside,
  );
}

/** The legend of the patterns. */
export function legend(id, entries) {
  const mark = (look) =>
    look === "line"
      ? [
          s("line", { x1: 1, y1: 9, x2: 33, y2: 9, class: "odds", "stroke-dasharray": "6 4" }),
          s("circle", { cx: 17, cy: 9, r: 4, class: "dot" }),
        ]
      : look === "range"
        ? rangeMark(3, 31, 9, 17)
        : bar(`${id}-key`, look, { x: 1, y: 2, width: 32, height: 14 });
  return h(
    "ul",
    { class: "legend" },
    entries.map(([look, text]) =>
      h(
        "li",
        {},
        s(
          "svg",
          { viewBox: "0 0 34 18", class: "chart", "aria-hidden": "true" },
          patterns(`${id}-key`),
          mark(look),
        ),
        h("span", {}, text),
      ),
    ),
  );
}

/** A horizontal range with its middle. */
const rangeMark = (from, to, y, middle) => [
  s("path", { d: `M${from} ${y - 6}v12M${from} ${y}H${to}M${to} ${y - 6}v12`, class: "odds" }),
  s("circle", { cx: middle, cy: y, r: 4.5, class: "dot" }),
];

const LETTER = 9; // average letter width of the widest bold font, in pixels
const measuring = document.createElement("canvas").getContext("2d");

/** Rendered width of chart text; `weight` as in the style sheet. */
function textWidth(words, weight) {
  measuring.font = `${weight} 14px ${getComputedStyle(document.body).fontFamily}`;
  return measuring.measureText(words).width;
}

/**
 * One row per colour: a bar for each series, and the expected range. `rows`: {colour, name, bars: [{look,
 * value}], expected, spread}.
 */
export function colourBars(id, width, rows, label) {
  const [labelWidth, barHeight, gap] = [
    Math.min(44 + Math.max(...rows.map((row) => textWidth(row.name, 600))), width * 0.5),
    22,
    16,
  ];
  const maximum = Math.max(
    1,
    ...rows.flatMap((row) => [...row.bars.map((item) => item.value), row.expected + 2 * row.spread]),
  );
  const x = (value) => labelWidth + (value / maximum) * (width - labelWidth - 44);
  // the expected range goes below the bar, or the bar's number would seem to belong to it
  const lane = rows.some((row) => row.spread) ? 14 : 0;
  const rowHeight = barHeight * rows[0].bars.length + lane + gap;
  return chartSvg(
    id,
    width,
    rows.length * rowHeight,
    label,
    rows.map((row, at) => {
      const top = at * rowHeight + gap / 2;
      return s(
        "g",
        {},
        s("path", {
          d: SHAPES[row.colour] ?? SHAPES.red,
          transform: `translate(14 ${top + 15}) scale(1.7)`,
          fill: fillOf(row.colour),
          stroke: "currentColor",
          "stroke-width": 0.6,
        }),
        s("text", { x: 32, y: top + 20 }, row.name),
        row.bars.map((item, index) => {
          const y = top + index * barHeight;
          const end = x(item.value);
          const hasRange = index === row.bars.length - 1 && row.spread;
          return [
            bar(id, item.look, {
              x: labelWidth,
              y,
              width: Math.max(1, end - labelWidth),
              height: barHeight - 5,
            }),
            hasRange
              ? rangeMark(
                  x(Math.max(0, row.expected - 2 * row.spread)),
                  x(row.expected + 2 * row.spread),
                  y + barHeight + 4,
                  x(row.expected),
                )
              : null,
            s("text", { x: end + 7, y: y + 14 }, item.text ?? String(item.value)),
          ];
        }),
      );
    }),
  );
}

/**
 * Columns with their numbers, and the expected values as a dashed line with points. `columns`: {name, value,
 * expected}.
 */
export function columnsWithOdds(id, width, columns, label, axis) {
  const axisLines = breakLines(axis, width);
  const height = 243 + 17 * axisLines.length;
  const foot = FOOT - 17 + 17 * axisLines.length;
  const hasOdds = columns.every((column) => column.expected !== null);
  const maximum = Math.max(1, ...columns.flatMap((column) => [column.value, column.expected ?? 0]));
  const step = (width - 8) / columns.length;
  const y = (value) => height - foot - (value / maximum) * (height - TOP - foot);
  const middleX = (at) => 4 + (at + 0.5) * step;
  const nameEvery = Math.ceil(30 / step);
  const values = columns.map((column) => column.value);
  // otherwise numbers would overlap
  const numberEvery = Math.ceil((LETTER * String(Math.max(...values)).length) / step);
  const highest = values.indexOf(Math.max(...values));
  const numberY = (column) =>
    hasOdds && Math.abs(y(column.expected) - y(column.value) + 8) < 16
      ? Math.min(y(column.value), y(column.expected) - 4)
      : y(column.value); // above the dashed line if that would cross the number
  return chartSvg(
    id,
    width,
    height,
    label,
    s("line", { x1: 0, x2: width, y1: y(0), y2: y(0), class: "grid" }),
    columns.map((column, at) => [
      column.value
        ? bar(id, "solid", {
            x: middleX(at) - step * 0.36,
            y: y(column.value),
            width: step * 0.72,
            height: y(0) - y(column.value),
          })
        : null,
      at % nameEvery
        ? null
        : s(
            "text",
            { x: middleX(at), y: height - foot + 18, "text-anchor": "middle", class: "axis" },
            column.name,
          ),
    ]),
    hasOdds &&
      s("polyline", {
        points: columns.map((column, at) => `${middleX(at)},${y(column.expected)}`).join(" "),
        class: "odds",
        "stroke-dasharray": "6 4",
      }),
    !hasOdds || columns.length > 40
      ? null
      : columns.map((column, at) =>
          s("circle", { cx: middleX(at), cy: y(column.expected), r: 4, class: "dot" }),
        ),
    columns.map((column, at) =>
      column.value && (at - highest) % numberEvery === 0
        ? s("text", { x: middleX(at), y: numberY(column) - 6, "text-anchor": "middle" }, String(column.value))
        : null,
    ),
    textLines(axisLines, width / 2, height - foot + 38),
  );
}

/**
 * Counted and expected values side by side, with the expected range. `groups`: {name, counted, expected,
 * spread}.
 */
export function pairedBars(id, width, groups, label) {
  const height = 250;
  const maximum = Math.max(
    1,
    ...groups.flatMap((group) => [group.counted, group.expected + 2 * group.spread]),
  );
  const step = width / groups.length;
  const y = (value) => height - FOOT - (Math.max(0, value) / maximum) * (height - TOP - FOOT);
  return chartSvg(
    id,
    width,
    height,
    label,
    s("line", { x1: 0, x2: width, y1: y(0), y2: y(0), class: "grid" }),
    groups.map((group, at) => {
      const left = at * step + step * 0.16;
      const barWidth = step * 0.32;
      const middle = left + barWidth * 1.55;
      const [low, high] = [y(group.expected - 2 * group.spread), y(group.expected + 2 * group.spread)];
      return [
        bar(id, "solid", { x: left, y: y(group.counted), width: barWidth, height: y(0) - y(group.counted) }),
        s(
          "text",
          { x: left + barWidth / 2, y: y(group.counted) - 6, "text-anchor": "middle" },
          String(group.counted),
        ),
        bar(id, "hatch", {
          x: left + barWidth * 1.1,
          y: y(group.expected),
          width: barWidth * 0.9,
          height: y(0) - y(group.expected),
        }),
        s("path", {
          d: `M${middle - 7} ${low}h14M${middle} ${low}V${high}M${middle - 7} ${high}h14`,
          class: "odds",
        }),
        s("text", { x: middle, y: high - 6, "text-anchor": "middle" }, formatTenth(group.expected)),
        textLines(breakLines(group.name, step), at * step + step / 2, height - FOOT + 18),
      ];
    }),
  );
}

/** Text, split into two lines if one is too narrow. */
function breakLines(text, width) {
  const found = [""];
  for (const word of text.split(" ")) {
    if (found.at(-1) && found.length < 2 && textWidth(`${found.at(-1)} ${word}`, 400) > width) found.push("");
    found[found.length - 1] = `${found.at(-1)} ${word}`.trim();
  }
  return found;
}

const textLines = (found, x, y) =>
  found.map((line, at) => s("text", { x, y: y + at * 17, "text-anchor": "middle", class: "axis" }, line));

/** A line chart over the throws. */
export function lineChart(id, width, values, label, axis) {
  const below = breakLines(axis, width);
  const height = 183 + 17 * below.length;
  const foot = FOOT - 17 + 17 * below.length;
  const maximum = Math.max(1, ...values);
  const x = (at) => 30 + (at / Math.max(1, values.length - 1)) * (width - 60);
  const y = (value) => height - foot - (value / maximum) * (height - TOP - foot);
  const named = [...new Set([0, values.indexOf(Math.max(...values)), values.length - 1])];
  return chartSvg(
    id,
    width,
    height,
    label,
    [0, maximum].map((value) => [
      s("line", { x1: 26, x2: width, y1: y(value), y2: y(value), class: "grid" }),
      s("text", { x: 0, y: y(value) + 5, class: "axis" }, String(value)),
    ]),
    s("polyline", { points: values.map((value, at) => `${x(at)},${y(value)}`).join(" "), class: "path" }),
    values.length > 40
      ? null
      : values.map((value, at) => s("circle", { cx: x(at), cy: y(value), r: 3.5, class: "dot" })),
    named.map((at) =>
      s("text", { x: x(at), y: y(values[at]) - 9, "text-anchor": "middle" }, String(values[at])),
    ),
    textLines(below, width / 2, height - foot + 36),
  );
}

/** The same data as a table, for people who prefer numbers or use a screen reader. */
export function numbersTable(key, heads, rows) {
  return h(
    "details",
    { class: "numbers", "data-numbers": key },
    h("summary", {}, t("statistics.numbers")),
    h(
      "div",
      { class: "scrolls", tabindex: 0, role: "group", "aria-label": t("statistics.numbers") },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((heading) => (heading ? h("th", { scope: "col" }, heading) : h("td", {}))),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map(([first, ...rest]) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, first),
              rest.map((value) => h("td", {}, String(value))),
            ),
          ),
        ),
      ),
    ),
  );
}
