"""One array for a place and what stands about it: what the wide look learns from is stored as such."""

import numpy as np

from vision.finding.upright import NEAR, Upright
from vision.pictures import Picture

CHANNELS = NEAR + 1
"""Those of a place, and its wide view, packed."""
_LAYERS = 4
"""Of a wide view."""


def stored_of(one: Upright) -> Picture:
    """(S, S, CHANNELS) of a place."""
    return np.concatenate([one.near, packed(one.about)[:, :, None]], axis=2)


def place_of(stored: Picture) -> Upright:
    """The place of (S, S, CHANNELS)."""
    near = np.ascontiguousarray(stored[:, :, :NEAR])
    return Upright(near, unpacked(np.ascontiguousarray(stored[:, :, NEAR])))


def packed(view: Picture) -> Picture:
    """(2 S, 2 S) of a (S, S, 4) view: its layers in squares of four, one channel of a patch of that side."""
    side = len(view)
    squares = view.reshape(side, side, 2, 2).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(squares).reshape(2 * side, 2 * side)


def unpacked(channel: Picture) -> Picture:
    """The (S, S, 4) view of a channel that `packed` made."""
    side = len(channel) // 2
    squares = channel.reshape(side, 2, side, 2).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(squares).reshape(side, side, _LAYERS)
