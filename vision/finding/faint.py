"""Black cubes that hardly show on a dark floor: places that the detector all but rules out.

On a black floor it gives less than 3 % to one black cube in a hundred. Elsewhere what it doubts that much is
nothing; here the other networks look at those places too. They rule out most, and where one is left in doubt
the reading can say where, instead of doubting every tray in which black cubes lie.
"""

from collections.abc import Sequence

import numpy as np

from vision.finding.candidates import lying
from vision.finding.closer import LOWEST, peaks_edge_px
from vision.finding.detector import MINIMUM_SCORE, Detection
from vision.pictures import Mask

FAINTEST = 0.001
"""Detector's score from which a place is looked at: of 1,480 dark trays it adds two places to each."""
_APART = 0.8
"""Edges to the next place: nearer ones are its own cube, or what lies under it."""
_MOST = 12
"""More of them are grain (`vision.doubting.grain`), and would take longer than all else."""
_BLACK = "black"


def faint_places(every: Sequence[Detection], peaks: Sequence[Detection], inside: Mask) -> list[Detection]:
    """More places than the `peaks` of a dark floor, of `every` one from `FAINTEST` on, the surest first.

    `inside`: (H, W), not zero where a cube's centre may lie.
    """
    reach = _APART * peaks_edge_px(peaks)
    known = np.array([peak.centre_px for peak in peaks]).reshape(-1, 2)
    found = [
        peak
        for peak in lying(every, inside)
        if peak.score < LOWEST
        and peak.colour == _BLACK
        and not (np.hypot(*(known - peak.centre_px).T) < reach).any()
    ]
    return found[:_MOST]  # the surest come first


def is_faint(peak: Detection) -> bool:
    """Whether it is no doubt elsewhere, and on a dark floor may be a black cube."""
    return FAINTEST <= peak.score < MINIMUM_SCORE and peak.colour == _BLACK
