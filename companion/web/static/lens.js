// This device's own camera: opened, drawn down to what the reader needs, kept awake.
const LONG_SIDE = 1280;
const PHOTO_SIDE = 1600;
const QUALITY = 0.85;

/** Why no live picture can be had here: "insecure", "missing", or "" when it can. */
export function hindered() {
  if (!isSecureContext) return "insecure";
  return navigator.mediaDevices?.getUserMedia ? "" : "missing";
}

/** The back camera as a stream; throws what the browser throws. */
export async function openLens() {
  const wish = { facingMode: { ideal: "environment" }, width: { ideal: LONG_SIDE }, height: { ideal: 960 }, frameRate: { ideal: 15, max: 30 } };
  const stream = await navigator.mediaDevices.getUserMedia({ video: wish, audio: false });
  const [track] = stream.getVideoTracks();
  const can = track.getCapabilities?.() ?? {};
  if (can.focusMode?.includes("continuous")) await track.applyConstraints({ advanced: [{ focusMode: "continuous" }] }).catch(() => {});
  return stream;
}

/** One JPEG of what the video shows now; null before its first picture. */
export function shot(video) {
  return video.videoWidth ? pressed(video, video.videoWidth, video.videoHeight, LONG_SIDE).blob : Promise.resolve(null);
}

/** A chosen photo, drawn small enough to send; {canvas, blob}. A file that this browser cannot draw goes as it is. */
export async function photoOf(file) {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const made = pressed(bitmap, bitmap.width, bitmap.height, PHOTO_SIDE);
    return { canvas: made.canvas, blob: await made.blob };
  } catch {
    return { canvas: null, blob: file };
  }
}

function pressed(source, width, height, side) {
  const scale = Math.min(1, side / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d").drawImage(source, 0, 0, canvas.width, canvas.height);
  return { canvas, blob: new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY)) };
}

/** Keep the screen on while the camera runs; asked again each time the page comes back. */
export async function stayAwake() {
  try {
    return (await navigator.wakeLock?.request("screen")) ?? null;
  } catch {
    return null; // low battery, or the browser does not let us: the page says to keep the phone plugged in
  }
}
