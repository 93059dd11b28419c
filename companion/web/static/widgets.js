// Buttons, steppers and choices with labels for screen readers and large tap targets.
import { h, put } from "./dom.js";
import { cube } from "./cubes.js";
import { colour, t } from "./i18n.js";

export const button = (key, text, onclick, kind = "", disabled = false) =>
  h("button", { type: "button", class: `btn ${kind}`, "data-key": key, onclick, disabled }, text);

/**
 * A number with minus and plus; at a limit a button does nothing but is not disabled, which would lose the
 * focus.
 */
export function stepper({ key, label, less, more, value, min = 0, max = 99, changed = false, onchange }) {
  const step = (sign, name) => {
    const ended = sign < 0 ? value <= min : value >= max;
    return h(
      "button",
      {
        type: "button",
        "data-key": `${key}${sign}`,
        "aria-label": name,
        "aria-disabled": ended ? "true" : null,
        onclick: () => ended || onchange(value + sign),
      },
      sign < 0 ? "−" : "+",
    );
  };
  return h(
    "div",
    { class: `stepper${changed ? " changed" : ""}`, role: "group", "aria-label": label, "data-count": key },
    step(-1, less),
    h("output", { "aria-live": "polite" }, String(value)),
    step(1, more),
  );
}

/**
 * A stepper per colour; `most` maps colours with too many cubes to the possible number, or null if that is
 * not known.
 */
export function countRows(order, counts, seen, onchange, prefix = "count", most = {}) {
  return h(
    "div",
    { class: "counts" },
    order.map((name) =>
      h(
        "div",
        { class: name in most ? "count over" : "count" },
        cube(name, false),
        h(
          "span",
          { class: "label" },
          colour(name),
          name in most
            ? h("small", {}, `⚠ ${most[name] === null ? t("over.many") : t("over.most", { n: most[name] })}`)
            : null,
        ),
        stepper({
          key: `${prefix}-${name}`,
          label: t("count_of", { colour: colour(name), n: counts[name] ?? 0 }),
          less: t("fewer", { colour: colour(name) }),
          more: t("more", { colour: colour(name) }),
          value: counts[name] ?? 0,
          changed: seen && (seen[name] ?? 0) !== (counts[name] ?? 0),
          onchange: (value) => onchange({ ...counts, [name]: value }),
        }),
      ),
    ),
  );
}

/** A choice of one option, as large radio buttons. */
export function choices(name, legend, options, chosen, onchange) {
  return h(
    "fieldset",
    {},
    h("legend", {}, legend),
    h(
      "div",
      { class: "choices" },
      options.map((option) =>
        h(
          "label",
          { class: "choice" },
          h("input", {
            type: "radio",
            name,
            value: option.value,
            "data-key": `${name}-${option.value}`,
            checked: option.value === chosen,
            disabled: option.disabled,
            onchange: () => onchange(option.value),
          }),
          h(
            "span",
            { class: "face" },
            option.mark,
            h("span", {}, option.text, option.more ? h("small", {}, option.more) : null),
          ),
        ),
      ),
    ),
  );
}

/** Ask a yes/no question; resolves to true or false. */
export function askYesNo(words) {
  const sheet = document.getElementById("sheet");
  return new Promise((resolve) => {
    let answer = false;
    const yes = () => {
      answer = true;
      sheet.close();
    };
    put(
      sheet,
      h(
        "div",
        { class: "in" },
        h("h2", { id: "sheet-title" }, words),
        h(
          "div",
          { class: "ways" },
          button("sure", t("host.sure"), yes, "main big"),
          button("not-sure", t("cancel"), () => sheet.close(), "quiet"),
        ),
      ),
    );
    sheet.addEventListener("close", () => resolve(answer), { once: true });
    sheet.showModal();
  });
}
