// The card for printing sheets: which one, on what paper, a preview, and how to check the printed size.
import { refusalText, timeoutSignal } from "./api.js";
import { h, put } from "./dom.js";
import { language, t } from "./i18n.js";

const PAPERS = { a4: "A4", letter: "US Letter", a3: "A3" };
// the usual trays, in mm; must agree with INLAYS of calibration/sheets/drawing.py
const SHAPES = { square: [170, 170], oval: [210, 150] };
const SHEETS = ["mat", "inlay"];
const LETTER = /-(US|CA|MX)$/; // countries that use that paper
const TYPED_MS = 300;
const COMES_MS = 10000; // by then the camera's picture has arrived or its absence is reported

const wish = {
  sheet: "mat",
  paper: LETTER.test(navigator.language) ? "letter" : "a4",
  shape: "square",
  width: 170,
  depth: 170,
};
let place = null;
let typingTimer = 0;
let shownUrl = ""; // URL of the last preview

/** Fill a section of the page; if the URL names a sheet, start there. */
export function matCard(where, open = false) {
  const [isFirstDraw, wasOpen] = [!place, place?.querySelector("details").open];
  place = where;
  draw(wasOpen ?? open);
  const linkedSheet = location.hash.slice(1);
  if (isFirstDraw && SHEETS.includes(linkedSheet)) {
    reveal(linkedSheet);
    keepInView();
  }
}

/**
 * Keep the card in view until the person moves, since content above it, such as a camera picture, may load
 * late.
 */
function keepInView() {
  const follow = () => place.scrollIntoView();
  const grown = new ResizeObserver(follow);
  const leave = () => {
    grown.disconnect();
    place.removeEventListener("animationend", follow);
  };
  grown.observe(place.parentElement);
  place.addEventListener("animationend", follow); // its position during the animation is not the final one
  for (const move of ["wheel", "touchstart", "pointerdown", "keydown"])
    addEventListener(move, leave, { once: true, passive: true });
  setTimeout(leave, COMES_MS);
}

/** A link to this card, for messages that mention a sheet. */
export const printLink = (sheet, key, kind = null) =>
  h(
    "a",
    {
      class: kind,
      href: "#mat",
      "data-key": `print-${sheet}-${key}`,
      onclick: (event) => (event.preventDefault(), reveal(sheet)),
    },
    t(sheet === "inlay" ? "mat.inlay" : "mat.title"),
  );

function reveal(sheet) {
  wish.sheet = sheet;
  draw(true);
  place.scrollIntoView();
  place.querySelector("summary").focus({ preventScroll: true });
}

function draw(open) {
  const inlay = wish.sheet === "inlay";
  const steps = inlay
    ? ["mat.print", "mat.check_inlay", "mat.cut"]
    : ["mat.print", "mat.check_mat", "mat.lay"];
  put(
    place,
    h(
      "details",
      { open, ontoggle: (event) => event.target.open && !shownUrl && updatePreview() },
      h("summary", { "data-key": "mat" }, h("h2", {}, t("mat.title"))),
      h(
        "div",
        { class: "sheets" },
        h(
          "form",
          { onsubmit: download },
          h("p", {}, t("mat.why")),
          selectField("sheet", "mat.sheet", [
            ["mat", t("mat.sheet_mat")],
            ["inlay", t("mat.sheet_inlay")],
          ]),
          selectField("paper", "mat.paper", Object.entries(PAPERS)),
          inlay
            ? [
                selectField(
                  "shape",
                  "mat.shape",
                  Object.keys(SHAPES).map((shape) => [shape, t(`mat.${shape}`)]),
                ),
                sideField("width", "mat.width"),
                sideField("depth", "calibrate.depth"),
              ]
            : null,
          h("div", { id: "mat-why", role: "alert" }),
          h(
            "div",
            { class: "row" },
            h("button", { type: "submit", class: "btn main", "data-key": "mat-pdf" }, t("mat.download")),
          ),
        ),
        h(
          "div",
          {},
          h("img", {
            id: "mat-looks",
            alt: t(inlay ? "mat.alt_inlay" : "mat.alt_mat"),
            src: shownUrl || null,
            hidden: !shownUrl,
          }),
          h(
            "ol",
            {},
            steps.map((key) => h("li", {}, t(key))),
          ),
          inlay ? null : h("p", { class: "muted small" }, t("mat.board")),
        ),
      ),
    ),
  );
  if (open) updatePreview();
}

function selectField(name, key, options) {
  const id = `mat-${name}`;
  const onChoose = (event) => {
    wish[name] = event.target.value;
    if (name === "shape") [wish.width, wish.depth] = SHAPES[wish.shape];
    draw(true);
  };
  return h(
    "div",
    {},
    h("label", { for: id }, t(key)),
    h(
      "select",
      { id, "data-key": id, onchange: onChoose },
      options.map(([value, text]) => h("option", { value, selected: wish[name] === value }, text)),
    ),
  );
}

function sideField(name, key) {
  const id = `mat-${name}`;
  const onTyped = (event) => {
    wish[name] = event.target.value;
    clearTimeout(typingTimer);
    typingTimer = setTimeout(updatePreview, TYPED_MS);
  };
  return h(
    "div",
    {},
    h("label", { for: id }, t(key)),
    h("input", {
      id,
      "data-key": id,
      type: "number",
      min: 60,
      max: 400,
      step: "any",
      required: true,
      inputmode: "decimal",
      value: wish[name],
      oninput: onTyped,
    }),
  );
}

const sheetQuery = () =>
  String(
    new URLSearchParams({
      sheet: wish.sheet,
      paper: wish.paper,
      lang: language(),
      ...(wish.sheet === "inlay" ? { shape: wish.shape, width_mm: wish.width, depth_mm: wish.depth } : {}),
    }),
  );

/**
 * Show the preview, or the server's refusal before anything is downloaded. Resolves to true if the sheet
 * exists.
 */
async function updatePreview() {
  if (!place.querySelector("form").checkValidity()) return false;
  const query = sheetQuery();
  const refusal = await refusalOf(query);
  if (query !== sheetQuery()) return false;
  const [picture, notice] = [document.getElementById("mat-looks"), document.getElementById("mat-why")];
  put(notice, refusal ? h("p", { class: "note bad" }, refusal) : null);
  picture.hidden = Boolean(refusal);
  if (!refusal) picture.src = shownUrl = `/api/v1/mat.svg?${query}`;
  return !refusal;
}

async function refusalOf(query) {
  try {
    const answer = await fetch(`/api/v1/mat.svg?${query}`, { signal: timeoutSignal() });
    return answer.ok ? null : refusalText((await answer.json()).error);
  } catch {
    return t("error.network");
  }
}

async function download(event) {
  event.preventDefault();
  if (await updatePreview()) h("a", { href: `/api/v1/mat.pdf?${sheetQuery()}`, download: "" }).click();
}
