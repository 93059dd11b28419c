"""Where the camera hangs and what it sees."""

import numpy as np

from calibration.synth.scene import Camera, Floats, Options, Tray, floats

SIZES: tuple[tuple[int, int], ...] = ((1280, 960), (1280, 960), (1280, 960), (1920, 1080), (640, 480))


def sample_camera(rng: np.random.Generator, options: Options, mat: bool, tray: Tray) -> Camera:
    """Sample a camera above the tray with the mat, or without one the tray, mostly in the picture."""
    size = options.size_px or SIZES[rng.integers(len(SIZES))]
    hfov = float(rng.uniform(48, 66))
    tilt = float(rng.uniform(0, 8 if options.plain else 25))
    tower_side = rng.random() < 0.15
    heading = np.pi / 2 + rng.normal(0, 0.5) + (np.pi if tower_side else 0.0)
    roll = rng.normal(0, 0.02 if options.plain else 0.13)
    focal = focal_px(size, hfov)
    width_mm = rng.uniform(300, 390) if mat else rng.uniform(215, 360)
    depth_mm = (220 if mat else tray.inner_mm[1] + 2 * tray.rim_mm + 12) * rng.uniform(1.0, 1.25)
    far_mm = focal * max(width_mm / size[0], depth_mm / size[1])
    aim = np.array([*rng.normal(0, 5, 2), 0.0])
    return look_at(
        size,
        hfov_deg=hfov,
        tilt_deg=tilt,
        heading_rad=heading,
        roll_rad=float(roll),
        far_mm=far_mm,
        aim_mm=floats(aim),
    )


def focal_px(size_px: tuple[int, int], hfov_deg: float) -> float:
    """Focal length in pixels from the field of view along the longer side."""
    return float(max(size_px) / 2 / np.tan(np.radians(hfov_deg) / 2))


def look_at(
    size_px: tuple[int, int],
    *,
    hfov_deg: float,
    tilt_deg: float,
    heading_rad: float,
    roll_rad: float,
    far_mm: float,
    aim_mm: Floats,
) -> Camera:
    """Place a camera `far_mm` from its aim, tilted towards `heading_rad`, upright to a person there."""
    lean = np.radians(tilt_deg)
    outwards = np.array(
        [np.cos(heading_rad) * np.sin(lean), np.sin(heading_rad) * np.sin(lean), np.cos(lean)]
    )  # from the aim to the camera
    place = aim_mm + outwards * far_mm
    forward = -outwards
    right = np.array([np.cos(roll_rad), np.sin(roll_rad), 0.0])
    right -= forward * (right @ forward)
    right /= np.linalg.norm(right)
    # x right, y towards the person, z up is left-handed, hence the order of this product
    down = np.cross(right, forward)
    rotation = np.stack([right, down, forward])
    focal = focal_px(size_px, hfov_deg)
    intrinsics = np.array([[focal, 0, (size_px[0] - 1) / 2], [0, focal, (size_px[1] - 1) / 2], [0, 0, 1]])
    matrix = intrinsics @ np.concatenate([rotation, -(rotation @ place)[:, None]], axis=1)
    return Camera(matrix.astype(np.float32), place.astype(np.float32), size_px, hfov_deg, tilt_deg)
