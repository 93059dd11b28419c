// Messages: one complete file per language, with plurals by the language's own rules.
import { deviceStore } from "./kept.js";

export const LANGUAGES = { en: "English", ru: "Русский", ro: "Română", fr: "Français", de: "Deutsch" };

let messages = {};
// Made once per language: a page formats dozens of times and numbers, and creating formatters is slower than
// using them.
let rules, numbers, tenths, times, days;
makeFormatters("en", "en");

function makeFormatters(name, place) {
  rules = new Intl.PluralRules(name);
  numbers = new Intl.NumberFormat(name);
  tenths = new Intl.NumberFormat(name, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  times = new Intl.DateTimeFormat(place, { dateStyle: "medium", timeStyle: "short" });
  days = new Intl.DateTimeFormat(place, { dateStyle: "medium" });
}

/**
 * The locale, with the device's country if it speaks this language; some browsers report non-standard names.
 */
function localeOf(name) {
  try {
    const [locale] = Intl.getCanonicalLocales(navigator.language);
    return locale.startsWith(name) ? locale : name;
  } catch {
    return name;
  }
}

export function language() {
  const wanted = deviceStore.get("tenshu.language") || navigator.language.slice(0, 2);
  return wanted in LANGUAGES ? wanted : "en";
}

/** A JSON file beside this module. Throws if the request fails or is refused. */
export async function fetchJson(file) {
  const response = await fetch(new URL(file, import.meta.url));
  if (!response.ok) throw new Error(`${file} ${response.status}`);
  return response.json();
}

export async function loadMessages() {
  const name = language();
  messages = await fetchJson(`i18n/${name}.json`);
  makeFormatters(name, localeOf(name));
  document.documentElement.lang = name;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
}

/** The message `key` with its `{parameters}` filled in; `n` selects the plural form. */
export function t(key, params = {}) {
  let text = messages[key];
  if (text === undefined) return params.sentence ?? key;
  if (typeof text === "object") text = text[rules.select(params.n ?? 0)] ?? text.other;
  const full = text.replace(/\{(\w+)\}/g, (whole, name) =>
    name in params ? formatParameter(params[name]) : whole,
  );
  return /\{\w+\}/.test(full) && params.sentence ? params.sentence : full;
}

export const hasMessage = (key) => key in messages;
/** A heading before its text, with a colon; French puts a space before it. */
export const withColon = (what) => t("lead", { what });
let hasPlainColours = false;

/**
 * Switch to plain colour names, for games without farmers, where green is only green; returns the previous
 * setting.
 */
export function usePlainColours(on) {
  const before = hasPlainColours;
  hasPlainColours = on;
  return before;
}

/** The colour's name in this language; as it was typed, if a tray was taught a colour of one's own. */
export const colour = (name) =>
  t(hasPlainColours && name === "green" ? "colour.just_green" : `colour.${name}`, { sentence: name });

/** The letter on cubes of a colour; a colour of one's own has two, so as not to be taken for another. */
export function colourLetter(name) {
  const [first, ...others] = name;
  return t(`letter.${name}`, { sentence: first.toLocaleUpperCase() + others.slice(0, 1).join("") });
}
export const formatTime = (ms) => times.format(ms);

export const formatDay = (ms) => days.format(ms);
/** A number with one decimal. */
export const formatTenth = (value) => tenths.format(value);
const formatParameter = (value) => (typeof value === "number" ? numbers.format(value) : String(value));
