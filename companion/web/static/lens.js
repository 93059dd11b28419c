// This device's own camera: opening it, scaling pictures to what the reader needs, keeping the screen on.
const LONG_SIDE = 1280;
const PHOTO_SIDE = 1600;
const QUALITY = 0.85;

/** Why live video is not available here: "insecure" or "missing"; "" if it is. */
export function liveVideoObstacle() {
  if (!isSecureContext) return "insecure";
  return navigator.mediaDevices?.getUserMedia ? "" : "missing";
}

/** Open the back camera as a stream; throws the browser's errors. */
export async function openLens() {
  const constraints = {
    facingMode: { ideal: "environment" },
    width: { ideal: LONG_SIDE },
    height: { ideal: 960 },
    frameRate: { ideal: 15, max: 30 },
  };
  const stream = await navigator.mediaDevices.getUserMedia({ video: constraints, audio: false });
  const [track] = stream.getVideoTracks();
  const capabilities = track.getCapabilities?.() ?? {};
  if (capabilities.focusMode?.includes("continuous"))
    await track.applyConstraints({ advanced: [{ focusMode: "continuous" }] }).catch(() => {});
  return stream;
}

const MODES = ["exposureMode", "whiteBalanceMode", "focusMode"];
const VALUES = {
  exposureMode: ["exposureTime", "iso"],
  whiteBalanceMode: ["colorTemperature"],
  focusMode: ["focusDistance"],
};
const SAME = 0.08; // relative change of a channel that still counts as the same light, as for a webcam
const OTHER = 1.6; // ratio of all channels that is another light
const DARK = 8; // of 255: what a covered lens still shows
const DIM = 32; // of 255: below this a relative change means nothing

/**
 * Lock exposure, white balance and focus at their automatic values where the browser can, so that a hand in
 * the picture changes no colours. Resolves to "locked", "partly" or "free"; a lock that changes the picture
 * is undone. `pause` waits.
 */
export async function lockLight(track, video, pause) {
  const capabilities = track.getCapabilities?.() ?? {};
  const modes = MODES.filter((mode) => capabilities[mode]?.includes("manual"));
  if (!modes.length) return "free";
  const before = channelMedians(video);
  const settings = track.getSettings();
  const locks = modes.flatMap((mode) => [
    [mode, "manual"],
    ...VALUES[mode]
      .filter((name) => name in capabilities && name in settings)
      .map((name) => [name, settings[name]]),
  ]);
  const applied = await track.applyConstraints({ advanced: [Object.fromEntries(locks)] }).then(
    () => track.getSettings(),
    () => ({}),
  );
  await pause();
  const after = channelMedians(video);
  const changed =
    before &&
    after &&
    after.some((level, channel) => Math.abs(level - before[channel]) / Math.max(before[channel], DIM) > SAME);
  const lockedModes = changed ? [] : MODES.filter((mode) => applied[mode] === "manual");
  if (changed || !lockedModes.length) await freeLight(track);
  const lockedLights = ["exposureMode", "whiteBalanceMode"].filter((mode) =>
    lockedModes.includes(mode),
  ).length;
  return ["free", "partly", "locked"][lockedLights];
}

/** Turn the automatic back on. */
export async function freeLight(track) {
  const capabilities = track.getCapabilities?.() ?? {};
  const modes = MODES.filter((mode) =>
    ["manual", "continuous"].every((way) => capabilities[mode]?.includes(way)),
  );
  const continuous = Object.fromEntries(modes.map((mode) => [mode, "continuous"]));
  await track.applyConstraints({ advanced: [continuous] }).catch(() => {});
}

/** Whether the levels, if both are known, are those of another light; a hand changes them by less. */
export function isOtherLight(before, after) {
  if (!before || !after) return false;
  const ratios = after.map((level, channel) => Math.max(level, DARK) / Math.max(before[channel], DARK));
  return ratios.every((ratio) => ratio > OTHER) || ratios.every((ratio) => ratio < 1 / OTHER);
}

/** Whether the focus is locked at one distance. */
export const holdsFocus = (track) => track.getSettings().focusMode === "manual";

/**
 * Medians of red, green and blue in the video, which a hand does not shift; null before the first picture.
 */
export function channelMedians(video) {
  if (!video?.videoWidth) return null;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [32, 24];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return [0, 1, 2].map((channel) => data.filter((_, at) => at % 4 === channel).sort()[data.length / 8]);
}

/** The current video frame as JPEG; null before the first picture. */
export function captureFrame(video) {
  return video.videoWidth
    ? asJpeg(video, video.videoWidth, video.videoHeight, LONG_SIDE).blob
    : Promise.resolve(null);
}

/**
 * A chosen photo, scaled down for sending: {canvas, blob}. A file that this browser cannot decode is sent as
 * it is.
 */
export async function preparePhoto(file) {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scaled = asJpeg(bitmap, bitmap.width, bitmap.height, PHOTO_SIDE);
    return { canvas: scaled.canvas, blob: await scaled.blob };
  } catch {
    return { canvas: null, blob: file };
  }
}

function asJpeg(source, width, height, side) {
  const scale = Math.min(1, side / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d").drawImage(source, 0, 0, canvas.width, canvas.height);
  return { canvas, blob: new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY)) };
}

/** Keep the screen on while the camera runs; to be called again each time the page becomes visible. */
export async function keepScreenOn() {
  try {
    return (await navigator.wakeLock?.request("screen")) ?? null;
  } catch {
    return null; // low battery or not allowed: the page says to keep the phone on its charger
  }
}
