// Storage in this browser. Browsers inside other apps often store nothing, and some are set to block it:
// then everything is carried from page to page in `window.name`, and lost with the window.
const MARK = "tenshu:";

function inWindow() {
  try {
    return window.name.startsWith(MARK) ? JSON.parse(window.name.slice(MARK.length)) : {};
  } catch {
    return {};
  }
}

function putInWindow(key, value) {
  const { [key]: gone, ...rest } = inWindow();
  const all = value === null ? rest : { ...rest, [key]: value };
  if (value !== null || gone !== undefined)
    window.name = Object.keys(all).length ? MARK + JSON.stringify(all) : "";
}

/** Whether the action succeeds; storage mostly fails with an exception. */
function may(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

const keeps = {}; // by kind: whether storage works; tried once, with as much text as may have to be stored
const ROOM = "x".repeat(4000);

const works = (kind) =>
  (keeps[kind] ??= may(
    () => (window[kind].setItem("tenshu.try", ROOM), window[kind].removeItem("tenshu.try")),
  ));

// `window.name` is read only if nothing else works, since any page can open this one under a name of its
// choice.
const shelf = (kind) => ({
  get(key) {
    const own = works(kind) ? undefined : inWindow()[key];
    let value = own ?? null;
    if (own === undefined) may(() => (value = window[kind].getItem(key)));
    return value;
  },
  set(key, value) {
    keeps[kind] = works(kind) && may(() => window[kind].setItem(key, value));
    if (!keeps[kind]) putInWindow(key, value);
  },
  drop(key) {
    if (!works(kind)) putInWindow(key, null);
    may(() => window[kind].removeItem(key));
  },
});

/** Strings by key, stored until dropped. */
export const always = shelf("localStorage");
/** Strings by key, stored while this tab is open. */
export const thisTab = shelf("sessionStorage");

/** Whether everything is lost with this window. */
export const forgets = () => !works("localStorage");
