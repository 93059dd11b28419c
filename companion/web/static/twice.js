// Suppresses the second tap of a double tap: the page has often changed by then, and what is there now was
// not meant.
const TWICE_MS = 450; // for touch; for a mouse the system's own setting counts
const APART = 30; // greatest distance between the two taps, in pixels

let press = null; // the last tap on a control: where, when, on what, and whether it sent something
let finger = false; // whether the last press was by touch

/** Note that the last tap sends something to the table, so that an immediate repeat is suppressed. */
export function noteSend() {
  if (press) press.sent = true;
}

const nameOf = (control) => control.dataset.key ?? control.id ?? "";
const isSameControl = (control) =>
  press.control === control || (nameOf(control) !== "" && nameOf(control) === nameOf(press.control));

/** Whether this is the second tap of a double tap. */
function isSecondTap(event) {
  if (!press) return false;
  const near = Math.hypot(event.clientX - press.x, event.clientY - press.y) < APART;
  return near && (event.detail > 1 || (finger && event.timeStamp - press.at < TWICE_MS));
}

addEventListener("pointerdown", (event) => (finger = event.pointerType === "touch"), true);
addEventListener(
  "click",
  (event) => {
    const control = event.target.closest?.("button, a[href], summary");
    // keyboard, or a click by the page itself
    if (!control || !event.isTrusted || !(event.detail > 0)) return;
    const at = { at: event.timeStamp, x: event.clientX, y: event.clientY };
    if (!isSecondTap(event)) {
      press = { ...at, control, sent: false };
      return;
    }
    Object.assign(press, at);
    // fast taps on a stepper are meant
    if (isSameControl(control) && (!press.sent || control.closest(".stepper"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
