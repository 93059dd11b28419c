// The second tap of a double tap. The page has often changed under the finger by then: what stands there now was not meant.
const TWICE_MS = 450; // fingers; of a mouse its system says it, as its owner has set it
const APART = 30; // pixels between the taps of one finger that stays where it is

let press = null; // the last on a control: where and when, on what, and whether something was sent for it
let finger = false; // what pressed last

/** What was pressed last sends something to the table: the same again at once would be once too often. */
export function sends() {
  if (press) press.sent = true;
}

const nameOf = (control) => control.dataset.key ?? control.id ?? "";
const same = (control) => press.control === control || (nameOf(control) !== "" && nameOf(control) === nameOf(press.control));

/** Whether this is the second of two that belong together. */
function again(event) {
  if (!press) return false;
  const near = Math.hypot(event.clientX - press.x, event.clientY - press.y) < APART;
  return near && (event.detail > 1 || (finger && event.timeStamp - press.at < TWICE_MS));
}

addEventListener("pointerdown", (event) => (finger = event.pointerType === "touch"), true);
addEventListener("click", (event) => {
  const control = event.target.closest?.("button, a[href], summary");
  if (!control || !event.isTrusted || !(event.detail > 0)) return; // keys, and what the page itself clicks
  const at = { at: event.timeStamp, x: event.clientX, y: event.clientY };
  if (!again(event)) {
    press = { ...at, control, sent: false };
    return;
  }
  Object.assign(press, at);
  if (same(control) && (!press.sent || control.closest(".stepper"))) return; // who counts up taps fast
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
