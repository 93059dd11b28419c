"""The trays for the demo's calibration, rendered on demand."""

from functools import cache

from calibration.synth import Options
from calibration.synth.staged import StagedTable
from companion.calibrating import CUBES_A_COLOUR
from vision.pictures import Picture

_SEED = 12
_THROWN = {"red": 3, "blue": 2, "yellow": 1, "black": 2, "purple": 1, "green": 3}
_OPTIONS = Options(
    size_px=(1280, 960), mat=True, plastic="clear", tray="square", light="daylight", plain=True
)


def render_step(step: str) -> Picture:
    """Render the tray of a step (`empty`, a colour, `test`) as (H, W, 3) uint8 BGR; takes half a second."""
    if step == "empty":
        return _staged_table().render_empty()
    if step == "test":
        return _staged_table().render_thrown(_THROWN, seed=5)[0]
    return _staged_table().render_apart(step, CUBES_A_COLOUR)[0]


@cache
def _staged_table() -> StagedTable:
    return StagedTable(_SEED, _OPTIONS)
