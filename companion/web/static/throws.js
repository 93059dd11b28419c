// Past throws with their pictures.
import { listen } from "./api.js";
import { h, put } from "./dom.js";
import { line } from "./cubes.js";
import { loadMessages, t, time } from "./i18n.js";
import { modelOf, settledOf } from "./model.js";
import { drawTop, setConnected, untilThere } from "./top.js";
import { tray } from "./tray.js";
import { byWhom, verdict } from "./words.js";

const place = document.getElementById("throws");

async function start() {
  await loadMessages();
  drawTop("throws", start);
  await load();
}

async function load() {
  const [{ throws }, table] = await Promise.all([get("throws"), get("table")]);
  if (!throws || table.error) throw new Error("refused");
  const game = table.game && modelOf(table.game); // none has begun
  const names = Object.fromEntries((game?.provinces ?? []).map((one) => [one.id, one.name]));
  const order = game?.colours ?? [];
  put(place, h("h1", {}, t("throws_page")), throws.length ? throws.map((one) => card(one, names, order)) : h("p", { class: "card" }, t("no_throws")));
}

const get = async (name) => (await fetch(`/api/v1/${name}`)).json();

function card(one, names, order) {
  const retained = one.possible && Object.fromEntries(order.map((name) => [name, Math.max(0, (one.possible[name] ?? 0) - (one.accepted[name] ?? 0))]));
  const thrown = Object.fromEntries(order.map((name) => [name, (one.from_table[name] ?? 0) + (one.from_tray[name] ?? 0)]));
  return h(
    "article",
    { class: `card throw${one.undone ? " is-undone" : ""}` },
    one.reading && one.evidence ? tray(`/api/v1/evidence/${one.evidence}`, one.reading) : h("p", { class: "muted" }, t("no_picture")),
    h(
      "div",
      { class: "side-by" },
      h("h2", {}, settledOf(one.result) ? verdict(settledOf(one.result), names) : t("verdict.filled")),
      h("p", { class: "muted" }, `${time(one.ts_ms)} · ${t(`by.${one.by}`, { author: byWhom(one.author) })}`),
      h("p", { class: "row" }, one.corrected ? h("span", { class: "tag bad" }, t("corrected")) : null, one.undone ? h("span", { class: "tag" }, t("undone_tag")) : null),
      part("thrown", thrown, order),
      one.corrected ? part("seen", one.seen, order) : null,
      part("came_out", one.accepted, order),
      retained && part("retained", retained, order),
    ),
  );
}

const part = (key, counts, order) => h("div", {}, h("h3", {}, t(key)), line(counts, order));

await untilThere(start, "throws");
listen(load, (up) => setConnected(up, "throws", start));
