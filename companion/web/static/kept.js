// Storage in this browser. Browsers inside other apps often store nothing, and some are set to block it:
// then everything is carried from page to page in `window.name`, and lost with the window.
const MARK = "tenshu:";

function readWindowName() {
  try {
    return window.name.startsWith(MARK) ? JSON.parse(window.name.slice(MARK.length)) : {};
  } catch {
    return {};
  }
}

function writeWindowName(key, value) {
  const { [key]: gone, ...rest } = readWindowName();
  const all = value === null ? rest : { ...rest, [key]: value };
  if (value !== null || gone !== undefined)
    window.name = Object.keys(all).length ? MARK + JSON.stringify(all) : "";
}

/** Whether the action succeeds; storage mostly fails with an exception. */
function succeeds(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

const storageWorks = {}; // by kind; tried once, with as much text as may have to be stored
const ROOM = "x".repeat(4000);

const isWorking = (kind) =>
  (storageWorks[kind] ??= succeeds(
    () => (window[kind].setItem("tenshu.try", ROOM), window[kind].removeItem("tenshu.try")),
  ));

// `window.name` is read only if nothing else works, since any page can open this one under a name of its
// choice.
const storeOf = (kind) => ({
  get(key) {
    const own = isWorking(kind) ? undefined : readWindowName()[key];
    let value = own ?? null;
    if (own === undefined) succeeds(() => (value = window[kind].getItem(key)));
    return value;
  },
  set(key, value) {
    storageWorks[kind] = isWorking(kind) && succeeds(() => window[kind].setItem(key, value));
    if (!storageWorks[kind]) writeWindowName(key, value);
  },
  drop(key) {
    if (!isWorking(kind)) writeWindowName(key, null);
    succeeds(() => window[kind].removeItem(key));
  },
});

/** Strings by key, stored until dropped. */
export const deviceStore = storeOf("localStorage");
/** Strings by key, stored while this tab is open. */
export const tabStore = storeOf("sessionStorage");

/** Whether everything is lost with this window. */
export const isStorageLost = () => !isWorking("localStorage");
