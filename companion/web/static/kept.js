// What this browser keeps for Tenshu. Browsers inside other apps often keep nothing, and some are told to block it:
// there all of it goes along from page to page in the window's name, and ends with the window.
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
  if (value !== null || gone !== undefined) window.name = Object.keys(all).length ? MARK + JSON.stringify(all) : "";
}

/** Whether the browser does it; most of what may hinder it is an exception. */
function may(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

const keeps = {}; // kind: whether this browser does; asked once, with room for what may have to be kept
const ROOM = "x".repeat(4000);

const works = (kind) => (keeps[kind] ??= may(() => (window[kind].setItem("tenshu.try", ROOM), window[kind].removeItem("tenshu.try"))));

// What the window's name says is asked only where nothing else is kept: any page can open this one under a name of its own.
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

/** Texts under keys, until they are dropped. */
export const always = shelf("localStorage");
/** Texts under keys, for as long as this tab is open. */
export const thisTab = shelf("sessionStorage");

/** Whether all is lost with this window. */
export const forgets = () => !works("localStorage");
