"""Doubtful places rotated upright for the camera: tops above their feet, wherever it looks from.

A strip beside a cube's top is the cube's own side if the camera sees it obliquely, and another cube if it
looks from above. So the network sees the place rotated upright, at the resolution of the camera, is told how
oblique the view is, and is shown the surroundings (`vision.finding.wide`). Besides the levels it gets their
share of the light: black on black differs by a few levels of 255, but by a considerable share. How it was
trained, and what it brings: docs/training.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.finding.closer import Floats
from vision.finding.detector import Detection
from vision.finding.stored import SIDE_PX, Source, patches
from vision.finding.wide import Surroundings
from vision.network import network
from vision.pictures import Picture

NEAR_CHANNELS = 5
"""Channels of a place: blue, green, red; where other peaks are; how oblique the view is."""
INPUT_CHANNELS = 8
"""Channels the network gets: these five and the shares of the first three; of the view, its four and their
shares."""
LEVEL_OFFSET = 0.02
"""Added to a level, 1 at full scale: grain of a level or two is not a share of the light."""
REACH = 1.014
"""Share that full scale stands for; shares run from -0.96 at the darkest level to 1.01 at the brightest."""
_SLOPE_LEVEL = 255.0
"""Level for a slope of 1, at which a camera sees a cube's side as large as its top."""
_HALF = 127.5
_SHARES = np.round(_HALF + _HALF / REACH * (np.log(np.arange(256) / 255 + LEVEL_OFFSET) * 0.5 + 1)).astype(
    np.uint8
)
"""Share of the light for each level, stored as a level: near the middle in the dark, as beyond the edges."""
_CHANNEL_PAIRS = [channel for channel in range(INPUT_CHANNELS) for _ in ("from", "to")]
"""Channel pairs for `cv2.mixChannels`: the channels of a place, then their shares, in order."""


@dataclass(frozen=True, slots=True)
class UprightPlace:
    """One place and its surroundings."""

    near: Picture
    """(S, S, NEAR_CHANNELS)."""
    about: Picture
    """(S/2, S/2, 4): blue, green, red; where other peaks are."""

    @property
    def mirrored(self) -> "UprightPlace":
        """The place with right and left exchanged."""
        near, about = (np.asarray(cv2.flip(seen, 1), np.uint8) for seen in (self.near, self.about))
        return UprightPlace(near, about)


def upright_patches(
    source: Source, image: Picture, peaks: Sequence[Detection], which: Sequence[int], *, side: int = SIDE_PX
) -> list[UprightPlace]:
    """Cut out patches, `side` px wide, around `which` of the peaks; `image` is the rectified picture."""
    around, places = Surroundings.of(image, peaks), []
    near = patches(source, image.shape, peaks, which, side=side, upright=True)
    for patch, centre_px in zip(near, (peaks[n].centre_px for n in which), strict=True):
        about = around.cut_view(centre_px, source.viewpoint.upright(centre_px), side // 2)
        places.append(UprightPlace(with_slope(patch, source.viewpoint.slope(centre_px)), about))
    return places


def with_slope(patch: Picture, slope: float) -> Picture:
    """(side, side, NEAR_CHANNELS) from (side, side, 4): add a channel for how oblique the view is."""
    level = round(min(255.0, _SLOPE_LEVEL * max(0.0, slope)))
    return np.asarray(cv2.merge([patch, np.full(patch.shape[:2], level, np.uint8)]), np.uint8)


def wide_logits(places: Sequence[UprightPlace]) -> Floats:
    """(N, OUTPUTS) logits of N places, taking their surroundings into account."""
    near, about = network_inputs(places)
    return np.asarray(network("wide").run(near, about).reshape(len(places), -1), np.float32)


def network_inputs(places: Sequence[UprightPlace]) -> tuple[Picture, Picture]:
    """(N, S, S, C) and (N, S/2, S/2, C), C = INPUT_CHANNELS, of places of one size, for the network."""
    sizes = places[0].near.shape[:2], places[0].about.shape[:2]
    near, about = (np.empty((len(places), *size, INPUT_CHANNELS), np.uint8) for size in sizes)
    for place, to_near, to_about in zip(places, near, about, strict=True):
        cv2.mixChannels([place.near, cv2.LUT(place.near, _SHARES)], [to_near], _CHANNEL_PAIRS)
        cv2.merge([place.about, cv2.LUT(place.about, _SHARES)], to_about)
    return near, about


def both_ways_logits(places: Sequence[UprightPlace], wide: Floats) -> Floats:
    """Mean of the logits for the patches (`wide`, from `wide_logits`) and for their mirror images."""
    return np.asarray((wide + wide_logits([one.mirrored for one in places])) / 2, np.float32)


def warm() -> None:
    """Load the network, so that the first reading in doubt does not have to wait for it."""
    half = SIDE_PX // 2
    wide_logits(
        [
            UprightPlace(
                np.zeros((SIDE_PX, SIDE_PX, NEAR_CHANNELS), np.uint8), np.zeros((half, half, 4), np.uint8)
            )
        ]
    )
