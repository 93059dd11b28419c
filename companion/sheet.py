"""A sheet of an evaluation's worst pictures: what was seen, what is wrong, and why it was hard."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.measuring.evaluate import Outcome
from calibration.written import atomic_output
from vision.overlay import draw_reading
from vision.pictures import Picture, load_picture

_MANY_CUBES = 20
_TILE_PX = 620
_CAPTION_PX = 74
_TILES_PER_ROW = 2
_MARGIN_SHARE = 0.06
_PAPER, _INK, _BAD = (250, 250, 250), (20, 20, 20), (40, 40, 200)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def write_sheet(folder: Path, target: Path, outcomes: Sequence[Outcome]) -> None:
    """Write one picture with all of them, two per row. Raise `WriteError`."""
    tiles = [_tile(load_picture(folder / outcome.file), outcome) for outcome in outcomes]
    while len(tiles) % _TILES_PER_ROW:
        tiles.append(np.full_like(tiles[0], 255))
    rows = [np.hstack(tiles[i : i + _TILES_PER_ROW]) for i in range(0, len(tiles), _TILES_PER_ROW)]
    _, data = cv2.imencode(".png" if target.suffix.lower() == ".png" else ".jpg", np.vstack(rows))
    with atomic_output(target, "another file with --sheet") as part:
        part.write_bytes(data.tobytes())


def explain_outcome(outcome: Outcome) -> tuple[str, str]:
    """Return what is wrong, and what made it hard: the reader's own doubts and what the labels say."""
    wrong = ", ".join(f"{error:+d} {colour}" for colour, error in outcome.errors.items() if error) or "exact"
    truth = outcome.truth
    hardships: Mapping[str, bool] = {
        "wrong in silence": outcome.silent,
        "no mat": truth.mat is False,
        "black on black": truth.black_on_black,
        f"{truth.hidden} hidden": truth.hidden > 0,
        f"{truth.total} cubes": truth.total > _MANY_CUBES,
    }
    doubts = ", ".join(str(doubt) for doubt in outcome.reading.doubts) or "certain"
    hard = ", ".join([truth.light, *(name for name, applies in hardships.items() if applies)])
    return f"{outcome.file}: {wrong}", f"{doubts} | {hard}"


def _tile(picture: Picture, outcome: Outcome) -> Picture:
    """Return the marked tray with two lines of text below."""
    drawn = draw_reading(picture, outcome.reading)[: picture.shape[0]]
    left, top, right, bottom = _tray_box(outcome, picture.shape[1], picture.shape[0])
    cut = drawn[top:bottom, left:right]
    scale = min(_TILE_PX / cut.shape[1], _TILE_PX / cut.shape[0])
    small = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    tile = np.full((_TILE_PX + _CAPTION_PX, _TILE_PX, 3), _PAPER, np.uint8)
    tile[: small.shape[0], : small.shape[1]] = small[:_TILE_PX, :_TILE_PX]
    inks = (_INK if outcome.exact else _BAD, _INK)
    for line, (text, ink) in enumerate(zip(explain_outcome(outcome), inks, strict=True)):
        at = (10, _TILE_PX + 28 + 30 * line)
        size = min(0.6, 0.6 * (_TILE_PX - 20) / max(1, cv2.getTextSize(text, _FONT, 0.6, 1)[0][0]))
        cv2.putText(tile, text, at, _FONT, size, ink, 1, cv2.LINE_AA)
    return tile


def _tray_box(outcome: Outcome, width: int, height: int) -> tuple[int, int, int, int]:
    """Return the bounding box of the tray plus a margin, or the whole picture if no tray was found."""
    outline = np.array(outcome.reading.tray_outline_px)
    if not len(outline):
        return 0, 0, width, height
    low, high = outline.min(axis=0), outline.max(axis=0)
    margin = _MARGIN_SHARE * (high - low).max()
    left, top = np.clip(low - margin, 0, (width - 2, height - 2)).astype(int)
    right, bottom = np.clip(high + margin, (left + 1, top + 1), (width, height)).astype(int)
    return int(left), int(top), int(right), int(bottom)
