"""Changes that may happen to a scene after its calibration: moves, light, lining."""

from dataclasses import replace

import cv2
import numpy as np

from calibration.synth.layout import upright_axes as upright
from calibration.synth.lighting import tint
from calibration.synth.scene import Box, Camera, Scene, floats, linear
from vision.pictures import Picture

SKIN = (120, 150, 205)


def with_hand(picture: Picture) -> Picture:
    """Draw a hand-sized thing left of the tray."""
    hand = picture.copy()
    height, width = picture.shape[:2]
    x, y = round(0.06 * width), round(0.6 * height)
    cv2.ellipse(hand, (x, y), (round(0.06 * width), round(0.1 * height)), 10, 0, 360, SKIN, -1, cv2.LINE_AA)
    return hand


def shifted(camera: Camera, x_mm: float, y_mm: float, z_mm: float = 0.0) -> Camera:
    """Move the camera without turning it."""
    way = np.array([x_mm, y_mm, z_mm], np.float32)
    matrix = camera.matrix.copy()
    matrix[:, 3] -= matrix[:, :3] @ way
    return replace(camera, matrix=matrix, place_mm=camera.place_mm + way)


def turned(camera: Camera, degrees: float) -> Camera:
    """Turn the camera about its viewing direction."""
    turn = cv2.getRotationMatrix2D((camera.size_px[0] / 2, camera.size_px[1] / 2), degrees, 1.0)
    whole = np.vstack([turn, [0, 0, 1]])
    return replace(camera, matrix=np.asarray(whole @ camera.matrix, np.float32))


def nearer(camera: Camera, share: float) -> Camera:
    """Move the camera towards the mat's centre by a share of the distance."""
    x_mm, y_mm, z_mm = (float(-share * along) for along in camera.place_mm)
    return shifted(camera, x_mm, y_mm, z_mm)


def pushed(scene: Scene, x_mm: float) -> Scene:
    """Push the tray to the right."""
    x, y = scene.tray.centre_mm
    return replace(scene, tray=replace(scene.tray, centre_mm=(x + x_mm, y)))


def on_another_cloth(scene: Scene) -> Scene:
    """Exchange the tablecloth, which shows through a clear tray."""
    cloth = {"wood": "cloth", "dark wood": "plain", "cloth": "wood", "plain": "dark wood"}[scene.table]
    return replace(scene, table=cloth, texture_seed=scene.texture_seed + 1)


def lined(scene: Scene, srgb: tuple[int, int, int]) -> Scene:
    """Lay a sheet or felt of a colour on the floor of a square tray."""
    tray = scene.tray
    width, depth = (float(side - 2 * tray.flare_mm - 2) for side in tray.inner_mm)
    sheet = Box(
        name="lining",
        centre_mm=floats([*tray.centre_mm, 0.15]),
        size_mm=floats([width, depth, 0.3]),
        axes=upright(tray.yaw_rad),
        albedo=linear(srgb),
        gloss=0.0,
    )
    return replace(scene, others=(*scene.others, sheet))


def without_mat(scene: Scene) -> Scene:
    """Take the mat away from under the tray."""
    return replace(scene, mat=False)


def lit(scene: Scene, times: float, warmth: float = 0.0) -> Scene:
    """Scale all light; `warmth` is the change of the logarithm of red over blue."""
    change = times * tint(warmth)
    lamps = tuple(replace(lamp, colour=floats(lamp.colour * change)) for lamp in scene.lamps)
    return replace(scene, lamps=lamps, sky=floats(scene.sky * change))
