"""Contact sheets: many screenshots on one picture, each under its name."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.pictures import Picture

GAP, TITLE = 12, 26
PAPER, INK = (238, 236, 232), (40, 36, 34)
JPEG_QUALITY = 62


def contact_sheet(pictures: Sequence[Path], to: Path, width: int, columns: int, most: int = 0) -> None:
    """Draws pictures in rows of `columns`, each `width` pixels wide and at most `most` high."""
    tiles = [_read_tile(path, width, most) for path in pictures]
    rows = [tiles[at : at + columns] for at in range(0, len(tiles), columns)]
    lines = [_join_row(row, columns, width) for row in rows]
    cv2.imwrite(str(to), np.vstack(lines), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])


def side_by_side(pictures: Sequence[Path], to: Path, height: int) -> None:
    """One row without names, as PNG."""
    read = [cv2.imread(str(path)) for path in pictures]
    pictures_read = [p for p in read if p is not None]
    scaled = [
        cv2.resize(p, (round(p.shape[1] * height / p.shape[0]), height), None, 0, 0, cv2.INTER_AREA)
        for p in pictures_read
    ]
    gap = np.full((height, 2 * GAP, 3), 255, np.uint8)
    parts = [part for picture in scaled for part in (gap, picture)][1:]
    cv2.imwrite(str(to), np.hstack(parts))


def _read_tile(path: Path, width: int, most: int) -> Picture:
    picture = cv2.imread(str(path))
    assert picture is not None, path
    height = round(picture.shape[0] * width / picture.shape[1])
    small = np.asarray(cv2.resize(picture, (width, height), None, 0, 0, cv2.INTER_AREA), np.uint8)
    small = small[:most] if most else small
    title = np.full((TITLE, width, 3), PAPER, np.uint8)
    cv2.putText(title, path.stem, (2, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.42, INK, 1, cv2.LINE_AA)
    return np.asarray(np.vstack([title, small]), np.uint8)


def _join_row(row: Sequence[Picture], columns: int, width: int) -> Picture:
    height = max(tile.shape[0] for tile in row) + GAP
    line = np.full((height, columns * (width + GAP) + GAP, 3), PAPER, np.uint8)
    for at, tile in enumerate(row):
        left = GAP + at * (width + GAP)
        line[: tile.shape[0], left : left + width] = tile
    return line
