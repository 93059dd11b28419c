"""From light to file: lens, image sensor, and the webcam's own processing."""

import cv2
import numpy as np

from calibration.synth.scene import Bytes, Floats, Sensor, floats


def expose(light: Floats, sensor: Sensor, rng: np.random.Generator) -> Bytes:
    """Turn (H, W, 3) linear light, 1 = lit white paper, into (H, W, 3) uint8 BGR."""
    height, width = light.shape[:2]
    signal = floats(cv2.GaussianBlur(light, (0, 0), max(sensor.blur_px, 0.3)))
    rows = signal.reshape(height, width * 3)  # numpy is three times as fast along whole rows
    rows *= np.tile((sensor.exposure * sensor.balance).astype(np.float32), width)
    rows *= np.repeat(_falloff(width, height, sensor.vignette), 3, axis=1)
    grain = rng.standard_normal((height, width, 3), np.float32)
    if sensor.noise_px > 0.4:
        grain = floats(cv2.GaussianBlur(grain, (0, 0), sensor.noise_px))
        grain *= np.float32(2.2 * sensor.noise_px)
    grain *= _noise_sigma(signal, sensor.noise)
    signal += grain
    picture = _apply_tone_curve(np.maximum(signal, 0, out=signal))
    if sensor.sharpen:
        detail = picture - cv2.GaussianBlur(picture, (0, 0), 1.2)
        detail *= np.float32(sensor.sharpen)
        picture += detail
    picture *= 255
    picture += 0.5
    out = np.clip(picture, 0, 255, out=picture).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg_quality])
    unpacked = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    assert unpacked is not None, "what was packed just now can be unpacked"
    return unpacked.astype(np.uint8)


def _noise_sigma(light: Floats, noise: float) -> Floats:
    """Standard deviation of the noise, which grows with the light."""
    sigma = np.maximum(light, 0)
    sigma *= 0.6
    sigma += 0.02
    np.sqrt(sigma, out=sigma)
    sigma *= noise
    return floats(sigma)


_STEPS = 4096
_CURVE_LIMIT = 2.0


def _tone_curve() -> Floats:
    """Tone curve: sRGB with a shoulder, so that paper at 1 is nearly white and highlights roll off."""
    light = np.linspace(0, _CURVE_LIMIT, _STEPS, dtype=np.float32) * 0.82
    rolled = np.where(light < 0.7, light, 0.7 + 0.3 * np.tanh((light - 0.7) / 0.3))
    return np.where(rolled <= 0.0031308, rolled * 12.92, 1.055 * rolled ** (1 / 2.4) - 0.055).astype(
        np.float32
    )


_TONES = _tone_curve()


def _apply_tone_curve(light: Floats) -> Floats:
    index = np.minimum(light * (_STEPS / _CURVE_LIMIT), _STEPS - 1).astype(np.intp)
    return floats(_TONES.take(index))


def _falloff(width: int, height: int, strength: float) -> Floats:
    x = np.linspace(-1, 1, width, dtype=np.float32)
    y = np.linspace(-1, 1, height, dtype=np.float32) * height / width
    return floats(1 - strength * (x[None] ** 2 + y[:, None] ** 2))
