"""Black cubes that hardly show on a dark floor: places that the detector all but rules out.

On a black floor the detector gives less than 3 % to one black cube in a hundred. Elsewhere such a score means
nothing; here the other networks look at those places too. They rule out most, and if one stays in doubt the
reading can say where, instead of doubting every tray with black cubes in it.
"""

from collections.abc import Sequence

import numpy as np

from vision.finding.candidates import peaks_inside
from vision.finding.closer import LOWEST, peaks_edge_px
from vision.finding.detector import MINIMUM_SCORE, Detection
from vision.pictures import Mask

FAINTEST = 0.001
"""Detector's score from which a place is looked at: this adds two places to each of 1,480 dark trays."""
_APART = 0.8
"""Distance, in edges, to the next place; nearer ones belong to the same cube or lie under it."""
_MOST = 12
"""More places than this are grain (`vision.doubting.grain`), and would take longer than everything else."""
_BLACK = "black"


def faint_places(all_peaks: Sequence[Detection], peaks: Sequence[Detection], inside: Mask) -> list[Detection]:
    """Return places beyond the `peaks` of a dark floor, chosen from `all_peaks` above `FAINTEST`, surest
    first.

    `inside`: (H, W), not zero where a cube's centre may lie.
    """
    reach = _APART * peaks_edge_px(peaks)
    known = np.array([peak.centre_px for peak in peaks]).reshape(-1, 2)
    found = [
        peak
        for peak in peaks_inside(all_peaks, inside)
        if peak.score < LOWEST
        and peak.colour == _BLACK
        and not (np.hypot(*(known - peak.centre_px).T) < reach).any()
    ]
    return found[:_MOST]  # `all_peaks` is sorted, the surest first


def is_faint(peak: Detection) -> bool:
    """Whether a score that means nothing elsewhere may be a black cube on a dark floor."""
    return FAINTEST <= peak.score < MINIMUM_SCORE and peak.colour == _BLACK
