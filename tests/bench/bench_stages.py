"""Where a reading's time goes: each stage against one colour conversion of the same frame."""

import cv2

from calibration.synth import Options, render
from tests.bench.rows import Row, compare_times
from vision.finding.candidates import find_candidates, peaks_inside
from vision.finding.closer import LOWEST, look_closer
from vision.finding.detector import average_with_mirrored, compute_cells, decode
from vision.finding.finer import look_finer
from vision.finding.stored import Source
from vision.palette import SHOGUN
from vision.reader import TrayReader, inside_tray
from vision.scene.fiducials import find_fiducials
from vision.scene.locator import locate
from vision.scene.rectify import rectify

_SEED = 880_001


def run() -> list[Row]:
    """Time the stages on one rendered picture with the mat."""
    picture = render(_SEED, Options(size_px=(1280, 960), mat=True))[0]
    flat = rectify(picture)
    assert flat is not None
    image, inside, seen, reader = flat.image, inside_tray(flat), compute_cells(flat.image), TrayReader()
    source = Source.of(picture, flat)
    places = peaks_inside(decode(seen, LOWEST), inside)
    peaks = look_closer(image, places)
    return compare_times(
        "stages",
        ("BGR to Lab, 1280×960", lambda: cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)),
        ("the mat's markers", lambda: find_fiducials(picture)),
        ("the tray without them", lambda: locate(picture)),
        ("both, laid flat, under white light", lambda: rectify(picture)),
        ("one look of the detector", lambda: compute_cells(image)),
        ("a second look, where the first is unsure", lambda: average_with_mirrored(image, seen)),
        ("a closer look at each place", lambda: look_closer(image, places)),
        ("a finer look at those in doubt", lambda: look_finer(image, source, places)),
        ("what was seen as cubes with colours", lambda: find_candidates(image, SHOGUN, peaks)),
        ("a whole reading", lambda: reader.read(picture)),
    )
