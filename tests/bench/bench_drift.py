"""Which changes are reported of a calibrated table, if nothing changed and if something did.

Other tables: `python -m tests.bench.bench_drift -n 24 --seed 12700`; `--mat` puts them on the mat.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np

from calibration.profiles.drift import Change, find_changes
from calibration.profiles.learn import learn
from calibration.synth import Options
from calibration.synth.render import render_scene
from calibration.synth.scene import COLOURS, Scene, floats
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from tests.bench.rows import Row, size_px, table
from tests.calibration.moves import lit, nearer, pushed, shifted, turned, with_hand
from vision.pictures import Picture
from vision.scene.rectify import rectify

_SEED, _TABLES = 700, 6
_SHADE = floats([(-400, -40), (400, -150), (400, -900), (-400, -900)])
Made = Callable[[StagedTable], Picture]


def run(
    tables: int = _TABLES, size: tuple[int, int] = (640, 480), seed: int = _SEED, *, mat: bool = False
) -> list[Row]:
    """Count on how many tables a change is reported, of the camera (or tray) and of the light."""
    camera: dict[str, list[bool]] = {name: [] for name in (*_STAYED, *_MOVED)}
    light: dict[str, list[bool]] = {name: [] for name in (*_STAYED, *_LIT)}
    done = 0
    while done < tables:
        seed += 1
        staged = StagedTable(seed, Options(size_px=size, mat=mat, throws=THROWS))
        flat = rectify(empty := staged.render_empty())
        if flat is None:
            continue
        done += 1
        profile = learn(empty, flat.tray, {}, name="bench", made="")
        for name, made in {**_STAYED, **_MOVED, **_LIT}.items():
            found = find_changes(profile, made(staged))
            if name in camera:
                camera[name].append(Change.CAMERA_MOVED in found)
            if name in light:
                light[name].append(Change.LIGHT_LEVEL in found or Change.LIGHT_COLOUR in found)
    return [*_rows("camera or tray has moved", camera), *_rows("light has changed", light)]


def _rows(what: str, found: Mapping[str, list[bool]]) -> list[Row]:
    return [Row("drift", f"{name}: {what}", f"{sum(f)} of {len(f)}", None) for name, f in found.items()]


def _render(scene: Scene) -> Picture:
    return render_scene(scene, scene.texture_seed + 1)[0]


def _with_change(change: Callable[[Scene], Scene]) -> Made:
    return lambda staged: _render(change(staged.scene))


def _with_cubes(number: int) -> Made:
    def render_with_cubes(staged: StagedTable) -> Picture:
        chance = np.random.default_rng(staged.scene.texture_seed + number)
        drawn = chance.choice(list(COLOURS), number).tolist()
        return staged.render_thrown({colour: drawn.count(colour) for colour in COLOURS}, number)[0]

    return render_with_cubes


def _render_packed_hard(staged: StagedTable) -> Picture:
    packed = cv2.imencode(".jpg", _render(staged.scene), [cv2.IMWRITE_JPEG_QUALITY, 45])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


_STAYED: Mapping[str, Made] = {
    "nothing": lambda staged: _render(staged.scene),
    "packed hard": _render_packed_hard,
    "20 cubes": _with_cubes(20),
    "70 cubes": _with_cubes(70),
    "a hand beside it": lambda staged: with_hand(_render(staged.scene)),
    "a hand and 20 cubes": lambda staged: with_hand(_with_cubes(20)(staged)),
    "someone's shadow": _with_change(
        lambda scene: replace(scene, shade_mm=(*scene.shade_mm, (_SHADE, 12.0)))
    ),
    "things beside it taken away": _with_change(lambda scene: replace(scene, others=(), finger_mm=None)),
    "the mat taken away": _with_change(lambda scene: replace(scene, mat=False)),
    "a quarter more light": _with_change(lambda scene: lit(scene, 1.25)),
}
_MOVED: Mapping[str, Made] = {
    "tray pushed by 10 mm": _with_change(lambda scene: pushed(scene, 10)),
    "camera 6 mm on": _with_change(lambda scene: replace(scene, camera=shifted(scene.camera, 3.6, -4.8))),
    "camera 15 mm on": _with_change(lambda scene: replace(scene, camera=shifted(scene.camera, 9, -12))),
    "camera 100 mm on": _with_change(lambda scene: replace(scene, camera=shifted(scene.camera, 60, -80))),
    "camera nearer by 2 %": _with_change(lambda scene: replace(scene, camera=nearer(scene.camera, 0.02))),
    "camera nearer by 4 %": _with_change(lambda scene: replace(scene, camera=nearer(scene.camera, 0.04))),
    "camera turned by 4 degrees": _with_change(lambda scene: replace(scene, camera=turned(scene.camera, 4))),
}
_LIT: Mapping[str, Made] = {
    "half of the light": _with_change(lambda scene: lit(scene, 0.5)),
    "twice the light": _with_change(lambda scene: lit(scene, 2.0)),
    "a bulb instead of daylight": _with_change(lambda scene: lit(scene, 1.0, 0.8)),
    "daylight instead of a bulb": _with_change(lambda scene: lit(scene, 1.0, -0.8)),
}


def main() -> int:
    """Print the rows of the requested tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_drift", description=__doc__)
    parser.add_argument("-n", "--tables", type=int, default=_TABLES)
    parser.add_argument("--seed", type=int, default=_SEED, help="of the table before the first")
    parser.add_argument("--size", type=size_px, default=(640, 480), metavar="WxH", help="pixels (640x480)")
    parser.add_argument("--mat", action="store_true", help="under the tray when it was calibrated")
    args = parser.parse_args()
    sys.stdout.write(table(run(args.tables, args.size, args.seed, mat=args.mat)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
