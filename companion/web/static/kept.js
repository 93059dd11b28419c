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

const shelf = (kind) => ({
  get(key) {
    const own = inWindow()[key];
    if (own !== undefined) return own;
    let value = null;
    may(() => (value = window[kind].getItem(key)));
    return value;
  },
  set(key, value) {
    putInWindow(key, may(() => window[kind].setItem(key, value)) ? null : value);
  },
  drop(key) {
    putInWindow(key, null);
    may(() => window[kind].removeItem(key));
  },
});

/** Texts under keys, until they are dropped. */
export const always = shelf("localStorage");
/** Texts under keys, for as long as this tab is open. */
export const thisTab = shelf("sessionStorage");

/** Whether all is lost with this window. */
export const forgets = () => !may(() => (localStorage.setItem("tenshu.try", ""), localStorage.removeItem("tenshu.try")));
