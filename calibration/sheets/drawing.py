"""What is drawn on the printed sheets: mat, inlays for a dark tray, board for the lens.

The mat's geometry and the coordinates are those of `vision.scene.mat`: millimetres from the sheet's centre,
x to the right, y down.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.sheets.words import Words, break_lines, words
from vision.scene.mat import MARKER_CENTRES_MM, MARKER_DICTIONARY, MARKER_MM, PATCH_MM, PATCHES

Rgb: TypeAlias = tuple[int, int, int]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width, height."""
INK: Rgb = (60, 60, 60)
LINE_MM = 0.25
_BLACK: Rgb = (0, 0, 0)
_WHITE: Rgb = (255, 255, 255)
_PALE: Rgb = (170, 170, 170)
_RULER_MM = 100
_TRAY_MARK_MM = 91.0
"""Corner marks of the tray's place, from the centre: outside a wall 3 mm thick around 170 mm."""
_INLAY_SLACK_MM = 1.0
_COLUMN_MM = (-132.5, -94.0)
"""Left and right of the column of instructions, from the printer's margin to the tray's place."""
_INDENT_MM = 4.0
_TOP_MM = -66.0
_LINE_MM, _STEP_MM = 4.0, 2.4
"""Line spacing, and the extra space between steps."""
_POINTS, _TITLE_POINTS = 7.5, 11.0


class Paper(Enum):
    """Landscape paper sizes, width and height in millimetres."""

    A4 = (297.0, 210.0)
    LETTER = (279.4, 215.9)
    A3 = (420.0, 297.0)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        return self.value

    @property
    def title(self) -> str:
        """The name in shops."""
        return "US Letter" if self is Paper.LETTER else self.name


PAPERS: Mapping[str, tuple[Paper, ...]] = {
    "both": (Paper.A4, Paper.LETTER),
    **{paper.name.lower(): (paper,) for paper in Paper},
}
"""Papers by the word for them in the command and the API."""


class Shape(Enum):
    """Shape of a tray seen from above."""

    SQUARE = "square"
    OVAL = "oval"


@dataclass(frozen=True, slots=True)
class Inlay:
    """A light sheet to lay into a dark tray of this inner size."""

    shape: Shape
    width_mm: float
    depth_mm: float

    @property
    def drawn_mm(self) -> tuple[float, float]:
        """Size as drawn, the longer side along the paper's: the cut-out can be turned."""
        return max(self.width_mm, self.depth_mm), min(self.width_mm, self.depth_mm)


INLAYS: tuple[Inlay, ...] = (Inlay(Shape.SQUARE, 170, 170), Inlay(Shape.OVAL, 210, 150))


def inlays(shape: Shape | None = None, inner_mm: tuple[float, float] | None = None) -> tuple[Inlay, ...]:
    """Return the inlay for one's own tray if its size is given, else the usual ones, of one shape or all."""
    if inner_mm is not None:
        return (Inlay(shape or Shape.SQUARE, *inner_mm),)
    return tuple(inlay for inlay in INLAYS if shape in (None, inlay.shape))


@dataclass(frozen=True, slots=True)
class Misfit:
    """An inlay and a paper that is too small for it."""

    inlay: Inlay
    paper: Paper

    @property
    def large_enough_papers(self) -> tuple[Paper, ...]:
        """Papers that are large enough."""
        return tuple(paper for paper in Paper if _has_room(self.inlay, paper))

    @property
    def fits_on_a3(self) -> bool:
        """Whether the largest paper is large enough."""
        return Paper.A3 in self.large_enough_papers


def find_misfit(wanted: Sequence[Inlay], papers: Sequence[Paper]) -> Misfit | None:
    """Return the first inlay and paper that do not fit, or None."""
    pairs = (Misfit(inlay, paper) for inlay in wanted for paper in papers)
    return next((pair for pair in pairs if not _has_room(pair.inlay, pair.paper)), None)


def largest_inlay_mm(paper: Paper) -> tuple[float, float]:
    """Return width and depth of the largest inlay, which leaves room for margins and ruler."""
    width, height = paper.size_mm
    return width - 10, height - 36


def _has_room(inlay: Inlay, paper: Paper) -> bool:
    return all(side <= most for side, most in zip(inlay.drawn_mm, largest_inlay_mm(paper), strict=True))


class Pen(Protocol):
    """Draws on one page, in the mat's millimetres."""

    def fill(self, boxes: Sequence[Box], rgb: Rgb) -> None:
        """Fill boxes as one path, so that no hairlines show between neighbours."""

    def line(self, start: tuple[float, float], end: tuple[float, float], rgb: Rgb = INK) -> None:
        """Draw a line `LINE_MM` thick."""

    def outline(self, shape: Shape, box: Box, rgb: Rgb = INK) -> None:
        """Draw the outline of a box, or of the oval in it."""

    def text(self, x_mm: float, y_mm: float, text: str, points: float = 8, middle: bool = False) -> None:
        """Write one line of text with its baseline at y."""


def draw_mat(pen: Pen, language: str = "en") -> None:
    """Draw the sheet that lies under the tray."""
    texts = words(language)
    for marker in range(len(MARKER_CENTRES_MM)):
        _draw_marker(pen, marker)
    for patch in PATCHES:
        box = _box_around(*patch.centre_mm, PATCH_MM, PATCH_MM)
        pen.outline(Shape.SQUARE, box, _PALE)  # so that the white patch can be seen
        pen.fill([box], patch.srgb)
    _draw_place_of_tray(pen)
    _write_steps(pen, texts)
    pen.text(0, -96, texts.tower, points=9, middle=True)
    _draw_ruler(pen, texts, top_mm=94)


def draw_board(pen: Pen, language: str = "en") -> None:
    """Draw the board that is shown to the camera from many sides to calibrate its lens."""
    from calibration.sheets import charuco  # noqa: PLC0415 - OpenCV, when a sheet is drawn: pages do without

    texts = words(language)
    pixels = charuco.board_pixels()
    height, width = pixels.shape
    left, top = -width * charuco.PIXEL_MM / 2, -height * charuco.PIXEL_MM / 2
    pen.fill(list(_merge_cells(pixels == 0, left, top, charuco.PIXEL_MM)), _BLACK)
    below = top + height * charuco.PIXEL_MM + 5
    pen.text(left, below, texts.board)
    _draw_ruler(pen, texts, top_mm=below + 2, left_mm=left)


def draw_inlay(pen: Pen, inlay: Inlay, language: str = "en") -> None:
    """Draw a light sheet to cut out."""
    texts = words(language)
    width, depth = inlay.drawn_mm
    pen.outline(inlay.shape, _box_around(0, 0, width - _INLAY_SLACK_MM, depth - _INLAY_SLACK_MM))
    below = depth / 2 + 6
    tray = texts.oval if inlay.shape is Shape.OVAL else texts.square
    tray_name = tray.format(width=f"{inlay.width_mm:g}", depth=f"{inlay.depth_mm:g}")
    pen.text(0, below, f"{tray_name} {texts.cut}", middle=True)
    _draw_ruler(pen, texts, top_mm=below + 3)


def _write_steps(pen: Pen, texts: Words) -> None:
    left, right = _COLUMN_MM
    pen.text(left, _TOP_MM, texts.title, points=_TITLE_POINTS)
    y = _TOP_MM + 2 * _LINE_MM
    for number, step in enumerate(texts.steps, start=1):
        pen.text(left, y, str(number), points=_POINTS)
        for line in break_lines(step, _POINTS, right - left - _INDENT_MM):
            pen.text(left + _INDENT_MM, y, line, points=_POINTS)
            y += _LINE_MM
        y += _STEP_MM
    for line in break_lines(texts.then, _POINTS, right - left):
        pen.text(left, y, line, points=_POINTS)
        y += _LINE_MM


def _box_around(x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> Box:
    return x_mm - width_mm / 2, y_mm - height_mm / 2, width_mm, height_mm


def _merge_cells(wanted: npt.NDArray[np.bool_], left: float, top: float, edge: float) -> Iterator[Box]:
    """Yield boxes of a pattern of square cells, merging each run in a row: 1,720 for a board of 19,148."""
    for row, cells in enumerate(wanted):
        run_ends = np.flatnonzero(np.diff(cells, prepend=False, append=False))
        for first, end in zip(run_ends[::2].tolist(), run_ends[1::2].tolist(), strict=True):
            yield left + first * edge, top + row * edge, (end - first) * edge, edge


def _draw_marker(pen: Pen, marker: int) -> None:
    import cv2  # noqa: PLC0415 - as above

    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    cells = dictionary.markerSize + 2
    bits = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker, cells))
    box = _box_around(*MARKER_CENTRES_MM[marker], MARKER_MM, MARKER_MM)
    pen.fill([box], _BLACK)
    pen.fill(list(_merge_cells(bits > 0, box[0], box[1], MARKER_MM / cells)), _WHITE)


def _draw_place_of_tray(pen: Pen) -> None:
    """Draw corner marks only, since a clear tray shows what is printed under it."""
    for x in (-1, 1):
        for y in (-1, 1):
            corner = (x * _TRAY_MARK_MM, y * _TRAY_MARK_MM)
            pen.line(corner, (x * (_TRAY_MARK_MM - 12), corner[1]), _PALE)
            pen.line(corner, (corner[0], y * (_TRAY_MARK_MM - 12)), _PALE)


def _draw_ruler(pen: Pen, texts: Words, top_mm: float, left_mm: float = -_RULER_MM / 2) -> None:
    pen.line((left_mm, top_mm), (left_mm + _RULER_MM, top_mm))
    for tick in range(_RULER_MM + 1):
        long = 4.0 if tick % 50 == 0 else 3.0 if tick % 10 == 0 else 1.5
        if tick % 10 == 0 or tick <= 10:
            pen.line((left_mm + tick, top_mm), (left_mm + tick, top_mm + long))
    pen.text(left_mm + _RULER_MM + 2, top_mm + 3, texts.ruler.format(length=_RULER_MM), points=7.5)
