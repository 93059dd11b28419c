// The cards of the camera page: its state, why a browser may refuse and what to do, a photo, a network
// camera.
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { findingOverlay } from "./finding.js";
import { cubeLine } from "./cubes.js";
import { authorName, cameraName, troubleText } from "./words.js";

export function statusCard(state, { start, obstacle }) {
  const trouble = state.health.sentence;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("camera.this_phone")),
    h(
      "p",
      {},
      state.phone && !state.phone.mine
        ? t("camera.other", { name: authorName(state.phone.name) })
        : t("camera.now", { name: cameraName(state.camera) }),
    ),
    trouble ? h("p", { class: "note" }, troubleText(state.health)) : null,
    state.health.light
      ? h("p", { class: "muted small", "data-key": "light" }, t(`camera.light.${state.health.light}`))
      : null,
    obstacle
      ? h("p", { class: "note" }, t(`camera.${obstacle}`))
      : h(
          "button",
          { type: "button", class: "btn main big", "data-key": "start", onclick: start },
          t("camera.start"),
        ),
    h("p", { class: "muted" }, t("camera.place")),
  );
}

/**
 * The HTTPS address: for this phone if its browser refuses, and as a code for another phone on the host's
 * page.
 */
export function secureCard(state, obstacle) {
  if (!state.secure || (!obstacle && !state.invite)) return null;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t(state.invite ? "camera.scan" : "camera.secure")),
    state.invite ? h("img", { class: "qr", src: "/api/v1/camera/invite.svg", alt: state.secure.url }) : null,
    h("a", { class: "btn main", href: state.secure.url, "data-key": "secure" }, t("camera.open_secure")),
    h("p", { class: "mono" }, state.secure.url),
    h("p", {}, t("camera.warning")),
    h(
      "details",
      {},
      h("summary", {}, t("camera.trust")),
      h("p", {}, t("camera.trust_why")),
      h(
        "ol",
        {},
        [1, 2, 3].map((step) => h("li", {}, t(`camera.trust_${step}`))),
      ),
      h(
        "a",
        { class: "btn", href: "/tenshu-authority.crt", download: "tenshu-authority.crt" },
        t("camera.certificate"),
      ),
      h("p", { class: "small" }, t("camera.fingerprint")),
      h("p", { class: "mono" }, state.secure.authority),
    ),
  );
}

let photoField = null; // one element for the life of the page, since the card is redrawn behind a camera app

export function photoCard(page, { readPhoto }) {
  photoField ??= h("input", { type: "file", accept: "image/*", capture: "environment", id: "photo" });
  photoField.disabled = Boolean(page.busy);
  photoField.onchange = () => {
    const [photo] = photoField.files;
    photoField.value = ""; // the same one can be chosen again
    if (photo) readPhoto(photo);
  };
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("camera.photo")),
    h("p", {}, t("camera.photo_how")),
    h(
      "div",
      {},
      photoField,
      h(
        "label",
        { for: "photo", class: "btn main", "aria-disabled": page.busy ? "true" : null },
        t(page.busy ? "camera.reading" : "camera.take"),
      ),
    ),
    h("div", { role: page.photo?.refused ? "alert" : "status" }, page.photo ? photoResult(page.photo) : null),
  );
}

function photoResult(photo) {
  if (photo.refused) return h("p", { class: "note bad", "data-key": "photo-refused" }, photo.refused);
  if (!photo.reading) return h("p", { class: "note bad" }, troubleText(photo));
  return h(
    "div",
    { class: "says", "data-key": "photo-read" },
    photo.canvas ? h("div", { class: "finder" }, photo.canvas, findingOverlay(photo.reading)) : null,
    h("p", {}, photo.words),
    cubeLine(photo.reading.counts, Object.keys(photo.reading.counts)),
    photo.looked
      ? h("a", { class: "btn main", href: "/" }, t("camera.to_battle"))
      : h("p", { class: "muted" }, t(photo.late ? "camera.throw_gone" : "camera.nothing_awaited")),
  );
}

let field = null; // one element for the life of the page, since the card is redrawn while somebody types

export function addressCard(state, { useAddress }) {
  field ??= h("input", {
    type: "url",
    id: "address",
    "data-key": "address",
    placeholder: "http://192.168.1.20:8080/shot.jpg",
    autocomplete: "off",
    inputmode: "url",
  });
  const isReplaced = state.camera !== state.home;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("camera.network")),
    h("p", {}, t("camera.network_how")),
    h("label", { for: "address" }, t("camera.address")),
    field,
    h(
      "div",
      { class: "row" },
      h(
        "button",
        {
          type: "button",
          class: "btn",
          "data-key": "use-address",
          onclick: async () => (await useAddress(field.value.trim())) && (field.value = ""),
        },
        t("camera.use_address"),
      ),
      isReplaced
        ? h(
            "button",
            { type: "button", class: "btn quiet", "data-key": "use-home", onclick: () => useAddress(null) },
            t("camera.back", { name: cameraName(state.home) }),
          )
        : null,
    ),
  );
}
