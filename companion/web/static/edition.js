// Tells a page opened before an update of Tenshu that it is outdated: its edition differs from the server's,
// and it lacks what is new.
import { h, put } from "./dom.js";
import { language, t } from "./i18n.js";
import { tabStore } from "./kept.js";
import { button } from "./widgets.js";

const OWN = /\/of\/([^/]+)\//.exec(import.meta.url)?.[1];
const WENT = "tenshu.edition";

/**
 * Draw in `place` that the page is outdated, or nothing. A page without input reloads by itself, once;
 * elsewhere somebody may be in the middle of something, or be the camera.
 */
export function editionBar(place, { edition }) {
  const text = OWN && edition && edition !== OWN ? `${edition} ${language()}` : "";
  if (!place || (place.dataset.edition ?? "") === text) return;
  place.dataset.edition = text;
  if (text && location.pathname === "/watch" && tabStore.get(WENT) !== edition) {
    tabStore.set(WENT, edition);
    return location.reload();
  }
  put(
    place,
    text
      ? h(
          "div",
          { class: "note" },
          h("p", {}, t("edition")),
          h(
            "div",
            { class: "row" },
            button("edition", t("edition.anew"), () => location.reload(), "main"),
          ),
        )
      : null,
  );
}
