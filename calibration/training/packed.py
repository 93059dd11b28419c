"""A place and its wide view in one array: the form in which the wide look's training data are stored."""

import numpy as np

from vision.finding.upright import NEAR_CHANNELS, UprightPlace
from vision.pictures import Picture

CHANNELS = NEAR_CHANNELS + 1
"""Channels of a place, and one for its packed wide view."""
_LAYERS = 4
"""Channels of a wide view."""


def stored_of(place: UprightPlace) -> Picture:
    """Pack a place into (S, S, CHANNELS)."""
    return np.concatenate([place.near, pack_view(place.about)[:, :, None]], axis=2)


def place_of(stored: Picture) -> UprightPlace:
    """Unpack (S, S, CHANNELS) into a place."""
    near = np.ascontiguousarray(stored[:, :, :NEAR_CHANNELS])
    return UprightPlace(near, unpack_view(np.ascontiguousarray(stored[:, :, NEAR_CHANNELS])))


def pack_view(view: Picture) -> Picture:
    """Pack an (S, S, 4) view into (2 S, 2 S): the four channels of a pixel become a square of 2 x 2."""
    side = len(view)
    squares = view.reshape(side, side, 2, 2).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(squares).reshape(2 * side, 2 * side)


def unpack_view(channel: Picture) -> Picture:
    """Return the (S, S, 4) view from a channel that `pack_view` made."""
    side = len(channel) // 2
    squares = channel.reshape(side, 2, side, 2).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(squares).reshape(side, side, _LAYERS)
