// The map of Japan: draws the provinces of a game's view; knows no rules and requests only the outlines.
import { h, isShortcut, put, s } from "./dom.js";
import { colour, fetchJson, t } from "./i18n.js";
import { BUILDINGS, REGIONS, banner, icon, mon, regionPatterns, tokens } from "./mapparts.js";
import { MapView } from "./mapview.js";

let outlines = null;

/** Load the outlines, once. Throws if the request fails or is refused. */
export async function loadJapan() {
  outlines ??= await fetchJson("japan.json");
  return outlines;
}

/** A province in one sentence, for screen readers. */
export function provinceDescription(province) {
  const parts = [t("map.in_region", { name: province.name, region: t(`region.${province.region}`) })];
  if (province.excluded) return [...parts, t("map.out")].join(". ");
  parts.push(
    province.owner ? `${colour(province.owner)}, ${t("armies", { n: province.armies })}` : t("neutral"),
  );
  parts.push(
    ...BUILDINGS.filter((kind) => province.buildings.includes(kind)).map((kind) => t(`building.${kind}`)),
  );
  if (province.markers) parts.push(t("map.revolts", { n: province.markers }));
  if (province.target) parts.push(t("map.target"));
  return parts.join(". ");
}

/**
 * The map in `place`; `onChoose(id)` is called on tap and Enter. Call `show({provinces, selected, near,
 * targets})` with each view.
 */
export class JapanMap {
  constructor(place, japan, onChoose = () => {}) {
    Object.assign(this, { japan, onChoose, provinces: {}, focus: null, cells: {} });
    this.svg = s("svg", {
      class: "japan",
      role: "group",
      "aria-label": t("map.title"),
      "aria-describedby": "map-help",
      preserveAspectRatio: "xMidYMid meet",
    });
    this.svg.addEventListener("keydown", (event) => this.#onKey(event));
    this.legend = h("details", { class: "map-legend" });
    this.#drawGround();
    const button = (key, sign, act) =>
      h("button", { type: "button", class: "btn", "aria-label": t(key), onclick: act }, sign);
    put(
      place,
      h(
        "div",
        { class: "map-frame" },
        this.svg,
        h(
          "div",
          { class: "map-zoom" },
          button("map.nearer", "+", () => this.view.zoomBy(1.5)),
          button("map.farther", "−", () => this.view.zoomBy(1 / 1.5)),
          button("map.whole", "⤢", () => this.view.showAll()),
        ),
      ),
      h("p", { id: "map-help", class: "sr" }, t("map.help")),
      this.legend,
    );
    this.view = new MapView(this.svg, japan.width, japan.height);
    this.view.fit();
  }

  #drawGround() {
    const { width, height, coast, islets, lake, sea, borders, provinces } = this.japan;
    const path = (d, name) => s("path", { d, class: name });
    const clip = (id) => s("clipPath", { id: `clip-${id}` }, path(provinces[id].path));
    this.land = s("g", {});
    this.signs = s("g", { class: "signs", "aria-hidden": "true" });
    this.lines = s(
      "g",
      { class: "lines", "aria-hidden": "true" },
      path(lake, "lake"),
      borders.map((border) => path(border.path, "border")),
      path(coast, "shore"),
      sea.map((route) => path(route.path, "route")),
    );
    this.svg.append(
      regionPatterns("land"),
      s("defs", {}, Object.keys(provinces).map(clip)),
      s(
        "g",
        { "aria-hidden": "true" },
        s("rect", { x: -width, y: -height, width: 3 * width, height: 3 * height, class: "sea" }),
        s("rect", { x: -width, y: -height, width: 3 * width, height: 3 * height, fill: "url(#land-sea)" }),
        ["wash far", "wash", "wash near"].map((name) => path(coast, name)),
        islets.map((d) => path(d, "islet")),
      ),
      this.land,
      this.lines,
      this.signs,
    );
  }

  /**
   * Draw a view: `provinces` of the game; `selected`, an id; `near`, its neighbours; `targets`, what may be
   * chosen.
   */
  show({ provinces, selected = null, near = [], targets = [] }) {
    const byId = new Map(provinces.map((province) => [province.id, province]));
    for (const id of Object.keys(this.japan.provinces)) {
      const { name, sun } = this.japan.provinces[id];
      const province = byId.get(id) ?? { region: "out", excluded: true };
      const next = {
        id,
        name,
        region: sun,
        buildings: [],
        markers: 0,
        ...province,
        selected: id === selected,
        near: near.includes(id),
        target: targets.includes(id),
      };
      const text = JSON.stringify(next);
      if (this.cells[id]?.text !== text) this.#draw(next, text);
    }
    this.focus ??= provinces[0]?.id;
    this.#makeTabStop(this.focus);
    this.#drawLegend(provinces);
  }

  #draw(province, text) {
    const { path, x, y } = this.japan.provinces[province.id];
    const mark = province.selected ? "picked" : province.target ? "aim" : province.near ? "near" : null;
    this.provinces[province.id] = province;
    const cell = s(
      "g",
      {
        class: `province ${province.owner ?? "neutral"}`,
        role: "button",
        tabindex: -1,
        "data-id": province.id,
        "data-key": province.id,
        "aria-label": provinceDescription(province),
        "aria-pressed": province.selected ? "true" : null,
        "aria-disabled": province.excluded || null,
        onclick: () => this.#choose(province.id),
        onfocus: () => this.#onFocus(province.id),
      },
      s("path", { d: path, fill: `url(#land-${province.excluded ? "out" : province.region})` }),
      province.owner ? s("path", { d: path, class: "edge", "clip-path": `url(#clip-${province.id})` }) : null,
      mark ? s("path", { d: path, class: mark, "clip-path": `url(#clip-${province.id})` }) : null,
      s("path", { d: path, class: "ring", "clip-path": `url(#clip-${province.id})` }),
    );
    const signs = s(
      "g",
      { transform: `translate(${x} ${y})`, class: province.excluded ? "excluded" : null },
      s("g", { class: "sized" }, this.#label(province)),
    );
    const drawnCell = this.cells[province.id];
    if (drawnCell) {
      const hadFocus = document.activeElement === drawnCell.cell;
      drawnCell.cell.replaceWith(cell);
      drawnCell.signs.replaceWith(signs);
      if (hadFocus) cell.focus({ preventScroll: true });
    } else {
      this.land.append(cell);
      this.signs.append(signs);
    }
    this.cells[province.id] = { cell, signs, text };
  }

  #label(province) {
    const hasTokens = province.buildings.length || province.markers;
    const nameY = province.owner ? (hasTokens ? -38 : -16) : hasTokens ? -8 : 10;
    return [
      s("text", { y: nameY, class: "name" }, province.name),
      province.owner
        ? s("g", { transform: `translate(0 ${nameY + 37})` }, banner(province.owner, province.armies))
        : null,
      hasTokens
        ? s(
            "g",
            { transform: `translate(0 ${nameY + (province.owner ? 84 : 32)})` },
            tokens(province.buildings, province.markers),
          )
        : null,
    ];
  }

  #choose(id) {
    this.#makeTabStop(id);
    if (!this.provinces[id].excluded) this.onChoose(id);
  }

  #onFocus(id) {
    this.#makeTabStop(id);
    this.view.panTo(this.japan.provinces[id].x, this.japan.provinces[id].y);
  }

  #makeTabStop(id) {
    if (this.focus) this.cells[this.focus]?.cell.setAttribute("tabindex", "-1");
    this.focus = id;
    this.cells[id]?.cell.setAttribute("tabindex", "0");
  }

  #onKey(event) {
    if (isShortcut(event)) return;
    const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const views = {
      "+": () => this.view.zoomBy(1.5),
      "-": () => this.view.zoomBy(1 / 1.5),
      0: () => this.view.showAll(),
    };
    if (ways[event.key])
      this.cells[this.#provinceTowards(...ways[event.key])]?.cell.focus({ preventScroll: true });
    else if (views[event.key]) views[event.key]();
    else if ((event.key === "Enter" || event.key === " ") && this.focus) this.#choose(this.focus);
    else return;
    event.preventDefault();
  }

  /** The nearest province in a direction; sideways distance counts double. */
  #provinceTowards(dx, dy) {
    const origin = this.japan.provinces[this.focus];
    let best = [Infinity, this.focus];
    for (const [id, { x, y }] of Object.entries(this.japan.provinces)) {
      const ahead = (x - origin.x) * dx + (y - origin.y) * dy;
      const aside = Math.abs((x - origin.x) * dy) + Math.abs((y - origin.y) * dx);
      if (ahead > 0 && aside < 1.6 * ahead && ahead + 2 * aside < best[0]) best = [ahead + 2 * aside, id];
    }
    return best[1];
  }

  #drawLegend(provinces) {
    const row = (sign, words) =>
      h(
        "li",
        {},
        s("svg", { viewBox: "-26 -26 52 52", "aria-hidden": "true", class: "japan" }, sign),
        h("span", {}, words),
      );
    const owners = [...new Set(provinces.map((province) => province.owner).filter(Boolean))];
    const open = this.legend.open;
    put(
      this.legend,
      h("summary", {}, t("map.legend")),
      h(
        "ul",
        {},
        REGIONS.map((name) =>
          row(
            s("rect", {
              x: -24,
              y: -24,
              width: 48,
              height: 48,
              rx: 8,
              fill: `url(#land-${name})`,
              class: "swatch",
            }),
            t(`region.${name}`),
          ),
        ),
        owners.map((name) => row(mon(name), colour(name))),
        BUILDINGS.map((name) =>
          row([s("circle", { r: 22, class: `plate ${name}` }), icon(name)], t(`building.${name}`)),
        ),
        row([s("circle", { r: 22, class: "plate revolt" }), icon("revolt")], t("map.revolt_marker")),
        row(s("path", { d: "M-24 10Q0-20 24 10", class: "route" }), t("map.route")),
      ),
    );
    this.legend.open = open;
  }
}
