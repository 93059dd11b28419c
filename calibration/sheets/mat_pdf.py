"""The printable sheets: mat, inlays for a dark tray, board for the lens. Geometry from `vision.scene.mat`.

Coordinates here are those of the mat: millimetres from the sheet's centre, x to the right, y down.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import cv2
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.sheets import charuco
from calibration.written import whole
from vision.errors import VisionError
from vision.scene.mat import MARKER_CENTRES_MM, MARKER_DICTIONARY, MARKER_MM, PATCH_MM, PATCHES

_BLACK = (0, 0, 0)
_INK = (60, 60, 60)
_PALE = (170, 170, 170)
_RULER_MM = 100
_TRAY_MARK_MM = 91.0
"""Corner marks of the place for the tray: outside of a wall 3 mm thick around 170 mm."""
_INLAY_SLACK_MM = 1.0
_INSTRUCTIONS = (
    "TENSHU MAT",
    "",
    "1  Print at 100 % (“actual",
    "size”), in colour, border-",
    "less if the printer can.",
    "",
    "2  Check: the ruler below",
    "measures 100 mm, and each",
    "marker 25 × 25 mm. If your",
    "printer cuts a marker off,",
    "print on A3 (--paper a3).",
    "",
    "3  Lay the sheet flat, glue",
    "it to card if it curls.",
    "",
    "4  The tray stands in the",
    "middle, the tower behind it",
    "at the edge with markers 0",
    "and 1. Leave the markers",
    "and colours uncovered.",
    "",
    "5  Camera above, 35 to",
    "60 cm, all four markers",
    "in the picture.",
    "",
    "Then: tenshu doctor",
)


class SheetError(VisionError):
    """A sheet cannot be made or written."""


class Paper(Enum):
    """Landscape paper sizes, width and height in millimetres."""

    A4 = (297.0, 210.0)
    LETTER = (279.4, 215.9)
    A3 = (420.0, 297.0)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        return self.value


class Shape(Enum):
    """Of a tray seen from above."""

    SQUARE = "square"
    OVAL = "oval"


@dataclass(frozen=True, slots=True)
class Inlay:
    """A light sheet to lay into a dark tray of this inner size."""

    shape: Shape
    width_mm: float
    depth_mm: float


INLAYS: tuple[Inlay, ...] = (Inlay(Shape.SQUARE, 170, 170), Inlay(Shape.OVAL, 210, 150))


class _Sheet:
    """One page, in the mat's millimetres."""

    def __init__(self, canvas: Canvas, paper: Paper) -> None:
        self._canvas = canvas
        self.width_mm, self.height_mm = paper.size_mm
        canvas.setPageSize((self.width_mm * mm, self.height_mm * mm))

    def at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """PDF points from the lower left corner."""
        return (x_mm + self.width_mm / 2) * mm, (self.height_mm / 2 - y_mm) * mm

    def fill(self, boxes: Sequence[tuple[float, float, float, float]], rgb: tuple[int, int, int]) -> None:
        """Boxes (left, top, width, height) as one path: no hairlines between neighbours."""
        path = self._canvas.beginPath()
        for left, top, width, height in boxes:
            x, y = self.at(left, top + height)
            path.rect(x, y, width * mm, height * mm)
        self._canvas.setFillColorRGB(*(value / 255 for value in rgb))
        self._canvas.drawPath(path, stroke=0, fill=1)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], rgb: tuple[int, int, int] = _INK
    ) -> None:
        """A line 0.25 mm thick."""
        self._pen(rgb)
        self._canvas.line(*self.at(*start), *self.at(*end))

    def frame(self, x_mm: float, y_mm: float, edge_mm: float) -> None:
        """A pale square line about a centre, so that a white patch can be seen."""
        self._pen(_PALE)
        left, bottom = self.at(x_mm - edge_mm / 2, y_mm + edge_mm / 2)
        self._canvas.rect(left, bottom, edge_mm * mm, edge_mm * mm)

    def outline(self, shape: Shape, width_mm: float, height_mm: float) -> None:
        """A cut line about the centre."""
        self._pen(_INK)
        left, bottom = self.at(-width_mm / 2, height_mm / 2)
        right, top = self.at(width_mm / 2, -height_mm / 2)
        if shape is Shape.OVAL:
            self._canvas.ellipse(left, bottom, right, top)
        else:
            self._canvas.rect(left, bottom, right - left, top - bottom)

    def text(self, x_mm: float, y_mm: float, text: str, points: float = 8, middle: bool = False) -> None:
        """One line, its baseline at y."""
        self._canvas.setFillColorRGB(*(value / 255 for value in _INK))
        self._canvas.setFont("Helvetica", points)
        draw = self._canvas.drawCentredString if middle else self._canvas.drawString
        draw(*self.at(x_mm, y_mm), text)

    def _pen(self, rgb: tuple[int, int, int]) -> None:
        self._canvas.setStrokeColorRGB(*(value / 255 for value in rgb))
        self._canvas.setLineWidth(0.25 * mm)


def write_mat(target: Path, papers: Sequence[Paper]) -> None:
    """The mat on each paper, then a board for the lens. Raises `WriteError` when it cannot be written."""
    with _pdf(target, "Tenshu mat") as canvas:
        for paper in papers:
            _draw_mat(_Sheet(canvas, paper))
            canvas.showPage()
        _draw_board(_Sheet(canvas, papers[0]))
        canvas.showPage()


def write_inlays(target: Path, papers: Sequence[Paper], inlays: Sequence[Inlay] = INLAYS) -> None:
    """A page for each inlay and paper. Raises `SheetError` when one does not fit, `WriteError`."""
    for inlay in inlays:
        for paper in papers:
            _require_fit(inlay, paper)
    with _pdf(target, "Tenshu tray inlay") as canvas:
        for paper in papers:
            for inlay in inlays:
                _draw_inlay(_Sheet(canvas, paper), inlay)
                canvas.showPage()


@contextmanager
def _pdf(target: Path, title: str) -> Iterator[Canvas]:
    with whole(target, "another file with -o") as part:
        canvas = Canvas(str(part), invariant=1)  # no date inside: the same sheet is the same file
        canvas.setTitle(title)
        canvas.setViewerPreference("PrintScaling", "None")
        yield canvas
        canvas.save()


def _draw_mat(sheet: _Sheet) -> None:
    for marker in range(len(MARKER_CENTRES_MM)):
        _draw_marker(sheet, marker)
    for patch in PATCHES:
        x, y = patch.centre_mm
        sheet.frame(x, y, PATCH_MM)
        sheet.fill([(x - PATCH_MM / 2, y - PATCH_MM / 2, PATCH_MM, PATCH_MM)], patch.srgb)
    _draw_place_of_tray(sheet)
    for number, line in enumerate(_INSTRUCTIONS):
        sheet.text(-132.5, -66 + 5 * number, line, points=11 if number == 0 else 7.5)
    sheet.text(0, -96, "the tower stands here", points=9, middle=True)
    _draw_ruler(sheet, top_mm=94)


def _draw_marker(sheet: _Sheet, marker: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    cells = dictionary.markerSize + 2
    bits = cv2.aruco.generateImageMarker(dictionary, marker, cells)
    x, y = MARKER_CENTRES_MM[marker]
    left, top, cell = x - MARKER_MM / 2, y - MARKER_MM / 2, MARKER_MM / cells
    sheet.fill([(left, top, MARKER_MM, MARKER_MM)], _BLACK)
    white = [
        (left + column * cell, top + row * cell, cell, cell)
        for row in range(cells)
        for column in range(cells)
        if bits[row, column]
    ]
    sheet.fill(white, (255, 255, 255))


def _draw_place_of_tray(sheet: _Sheet) -> None:
    """Corner marks only: a clear tray shows what is printed under it."""
    for x in (-1, 1):
        for y in (-1, 1):
            corner = (x * _TRAY_MARK_MM, y * _TRAY_MARK_MM)
            sheet.line(corner, (x * (_TRAY_MARK_MM - 12), corner[1]), _PALE)
            sheet.line(corner, (corner[0], y * (_TRAY_MARK_MM - 12)), _PALE)


def _draw_ruler(sheet: _Sheet, top_mm: float, left_mm: float = -_RULER_MM / 2) -> None:
    sheet.line((left_mm, top_mm), (left_mm + _RULER_MM, top_mm))
    for tick in range(_RULER_MM + 1):
        long = 4.0 if tick % 50 == 0 else 3.0 if tick % 10 == 0 else 1.5
        if tick % 10 == 0 or tick <= 10:
            sheet.line((left_mm + tick, top_mm), (left_mm + tick, top_mm + long))
    sheet.text(left_mm + _RULER_MM + 2, top_mm + 3, "100 mm", points=7.5)


def _draw_board(sheet: _Sheet) -> None:
    pixels = charuco.board_pixels()
    height, width = pixels.shape
    edge = charuco.PIXEL_MM
    left, top = -width * edge / 2, -height * edge / 2
    boxes = [
        (left + column * edge, top + row * edge, edge, edge)
        for row in range(height)
        for column in range(width)
        if not pixels[row, column]
    ]
    sheet.fill(boxes, _BLACK)
    below = top + height * edge + 5
    sheet.text(
        left, below, "Lens board: print at 100 %, glue to flat card, show it to `tenshu calibrate --lens`."
    )
    _draw_ruler(sheet, top_mm=below + 2, left_mm=left)


def _draw_inlay(sheet: _Sheet, inlay: Inlay) -> None:
    width, depth = inlay.width_mm - _INLAY_SLACK_MM, inlay.depth_mm - _INLAY_SLACK_MM
    sheet.outline(inlay.shape, width, depth)
    below = inlay.depth_mm / 2 + 6
    tray = f"{inlay.shape.value.capitalize()} tray, {inlay.width_mm:g} × {inlay.depth_mm:g} mm inside"
    how = "Print on matt white paper at 100 %, cut along the line, lay into the tray."
    sheet.text(0, below, f"{tray}. {how}", middle=True)
    _draw_ruler(sheet, top_mm=below + 3)


def _require_fit(inlay: Inlay, paper: Paper) -> None:
    width, depth = _most_mm(paper)
    if inlay.width_mm <= width and inlay.depth_mm <= depth:
        return
    width, depth = _most_mm(Paper.A3)
    larger = inlay.width_mm <= width and inlay.depth_mm <= depth
    raise SheetError(
        f"An inlay of {inlay.width_mm:g} × {inlay.depth_mm:g} mm does not fit on {paper.name}.",
        "Print it on A3 (--paper a3)."
        if larger
        else f"The largest is {width:g} × {depth:g} mm, on A3: lay plain white paper into a larger tray.",
    )


def _most_mm(paper: Paper) -> tuple[float, float]:
    """Beside margins and ruler."""
    width, height = paper.size_mm
    return width - 10, height - 36
