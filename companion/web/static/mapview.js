// Zooming and panning the map: wheel, pinch, drag, buttons and keys change the viewBox.
const MAX_ZOOM = 6;
const NARROW_PX = 700;
// pixels per map unit at which names are 13 pixels high; below that they are enlarged, up to LARGEST
const READABLE = 0.4;
const LARGEST = 1.28;

/** Zooms and pans `svg` over a picture of width × height; `moved` is set once somebody has moved it. */
export class MapView {
  constructor(svg, width, height) {
    Object.assign(this, { svg, width, height, x: 0, y: 0, zoom: 1, moved: false });
    this.fingers = new Map();
    this.dragged = 0;
    this.printing = new AbortController(); // of the listeners for printing
    svg.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    svg.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    for (const end of ["pointerup", "pointercancel"])
      svg.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    svg.addEventListener("click", (event) => this.dragged > 8 && event.stopPropagation(), true);
    // print the whole map
    const { signal } = this.printing;
    addEventListener("beforeprint", () => svg.setAttribute("viewBox", `0 0 ${width} ${height}`), { signal });
    addEventListener("afterprint", () => this.#apply(), { signal });
    new ResizeObserver(() => (this.moved ? this.#apply() : this.fit())).observe(svg);
  }

  /** To be called if the picture is taken off the page while the page stays. */
  end() {
    this.printing.abort();
  }

  /** Size of the visible part of the map, in map units. */
  get box() {
    const { clientWidth, clientHeight } = this.svg;
    const ratio = clientWidth && clientHeight ? clientWidth / clientHeight : this.width / this.height;
    const whole = Math.max(this.width, this.height * ratio);
    const w = whole / this.zoom;
    return { w, h: w / ratio };
  }

  /** Choose the initial zoom by the screen's width; used until somebody moves the map. */
  fit() {
    if (this.svg.clientWidth < NARROW_PX) this.fitHeight();
    else this.fitWhole();
  }

  /** Show the whole map. */
  fitWhole() {
    Object.assign(this, { zoom: 1, x: this.width / 2, y: this.height / 2 });
    this.#apply();
  }

  /** Show the whole map because somebody asked for it. */
  showAll() {
    this.moved = true;
    this.fitWhole();
  }

  /** Fill the height, as a narrow screen needs to be readable. */
  fitHeight() {
    this.fitWhole();
    this.zoom = Math.min(MAX_ZOOM, Math.max(1, this.box.h / this.height));
    this.#apply();
  }

  /** Zoom in (factor above 1) or out, keeping the point `at` in place. */
  zoomBy(factor, at = { x: this.x, y: this.y }) {
    const zoom = Math.min(MAX_ZOOM, Math.max(1, this.zoom * factor));
    const share = this.zoom / zoom;
    Object.assign(this, {
      moved: true,
      zoom,
      x: at.x + (this.x - at.x) * share,
      y: at.y + (this.y - at.y) * share,
    });
    this.#apply();
  }

  /** Pan just far enough that a place is well inside the view. */
  panTo(x, y) {
    const { w, h } = this.box;
    const [aside, above] = [w * 0.36, h * 0.36];
    this.moved = true;
    this.x = Math.min(Math.max(this.x, x - aside), x + aside);
    this.y = Math.min(Math.max(this.y, y - above), y + above);
    this.#apply();
  }

  #mapPoint(event) {
    const rect = this.svg.getBoundingClientRect();
    const { w, h } = this.box;
    return {
      x: this.x - w / 2 + ((event.clientX - rect.left) / rect.width) * w,
      y: this.y - h / 2 + ((event.clientY - rect.top) / rect.height) * h,
    };
  }

  #apply() {
    const { w, h } = this.box;
    const clampMiddle = (middle, part, all) =>
      part >= all ? all / 2 : Math.min(Math.max(middle, part / 2), all - part / 2);
    this.x = clampMiddle(this.x, w, this.width);
    this.y = clampMiddle(this.y, h, this.height);
    const shown = this.svg.clientWidth / w; // pixels per map unit
    this.svg.style.setProperty("--larger", String(Math.min(LARGEST, Math.max(1, READABLE / shown))));
    this.svg.setAttribute("viewBox", `${this.x - w / 2} ${this.y - h / 2} ${w} ${h}`);
  }

  #onWheel(event) {
    event.preventDefault();
    this.zoomBy(Math.exp(-event.deltaY / 400), this.#mapPoint(event));
  }

  #onPointerDown(event) {
    if (!this.fingers.size) this.dragged = 0;
    this.fingers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
  }

  #onPointerMove(event) {
    if (!event.buttons) this.fingers.delete(event.pointerId); // released outside
    const previous = this.fingers.get(event.pointerId);
    if (!previous) return;
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, finger]) => finger);
    this.moved = true;
    this.dragged += Math.hypot(event.clientX - previous.clientX, event.clientY - previous.clientY);
    const [from, to] = [this.#mapPoint(previous), this.#mapPoint(event)];
    this.x -= (to.x - from.x) / (others.length + 1);
    this.y -= (to.y - from.y) / (others.length + 1);
    if (others.length === 1) {
      const distance = (finger) =>
        Math.hypot(finger.clientX - others[0].clientX, finger.clientY - others[0].clientY);
      this.zoomBy(distance(event) / Math.max(distance(previous), 1), this.#mapPoint(others[0]));
    } else this.#apply();
    this.fingers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
    if (this.dragged > 8 && !this.svg.hasPointerCapture(event.pointerId))
      this.svg.setPointerCapture(event.pointerId);
  }
}
