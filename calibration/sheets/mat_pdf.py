"""The sheets as PDF, true to scale; the same sheets always make the same file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.sheets.drawing import (
    INK,
    INLAYS,
    LINE_MM,
    Box,
    Inlay,
    Misfit,
    Paper,
    Rgb,
    Shape,
    draw_board,
    draw_inlay,
    draw_mat,
    find_misfit,
    largest_inlay_mm,
)
from calibration.sheets.fonts import fonts
from calibration.written import atomic_output
from vision.errors import VisionError


class SheetError(VisionError):
    """A sheet cannot be made."""


def write_mat(target: Path, papers: Sequence[Paper], language: str = "en") -> None:
    """Write the mat on each paper, then a board for the lens on the first. Raises `WriteError`."""
    with atomic_output(target, "another file with -o") as part:
        part.write_bytes(mat_pdf(papers, language))


def write_inlays(
    target: Path, papers: Sequence[Paper], inlays: Sequence[Inlay] = INLAYS, language: str = "en"
) -> None:
    """Write a page for each paper and inlay. Raises `SheetError` if one does not fit, and `WriteError`."""
    drawn = inlays_pdf(papers, inlays, language)
    with atomic_output(target, "another file with -o") as part:
        part.write_bytes(drawn)


def mat_pdf(papers: Sequence[Paper], language: str = "en") -> bytes:
    """Return the mat on each paper, then a board for the lens on the first."""
    with _open_pdf("Tenshu mat") as (canvas, file):
        for paper in papers:
            draw_mat(_PdfPen(canvas, paper), language)
            canvas.showPage()
        draw_board(_PdfPen(canvas, papers[0]), language)
        canvas.showPage()
    return file.getvalue()


def inlays_pdf(papers: Sequence[Paper], inlays: Sequence[Inlay], language: str = "en") -> bytes:
    """Return a page for each paper and inlay. Raises `SheetError` if one does not fit."""
    misfit = find_misfit(inlays, papers)
    if misfit is not None:
        raise _misfit_error(misfit)
    with _open_pdf("Tenshu tray inlay") as (canvas, file):
        for paper in papers:
            for inlay in inlays:
                draw_inlay(_PdfPen(canvas, paper), inlay, language)
                canvas.showPage()
    return file.getvalue()


@contextmanager
def _open_pdf(title: str) -> Iterator[tuple[Canvas, BytesIO]]:
    file = BytesIO()
    canvas = Canvas(file, invariant=1)  # no date inside, so that the same sheet makes the same file
    canvas.setTitle(title)
    canvas.setViewerPreference("PrintScaling", "None")
    yield canvas, file
    canvas.save()


def _misfit_error(misfit: Misfit) -> SheetError:
    inlay, (width, depth) = misfit.inlay, largest_inlay_mm(Paper.A3)
    others = " or ".join(
        f"{paper.title} (--paper {paper.name.lower()})" for paper in misfit.large_enough_papers
    )
    return SheetError(
        f"An inlay of {inlay.width_mm:g} × {inlay.depth_mm:g} mm does not fit on {misfit.paper.title}.",
        f"Print it on {others}."
        if others
        else f"The largest is {width:g} × {depth:g} mm, on A3: lay plain white paper in a larger tray.",
    )


class _PdfPen:
    """`calibration.sheets.drawing.Pen` on one page of a PDF."""

    def __init__(self, canvas: Canvas, paper: Paper) -> None:
        self._canvas = canvas
        self._width_mm, self._height_mm = paper.size_mm
        canvas.setPageSize((self._width_mm * mm, self._height_mm * mm))

    def fill(self, boxes: Sequence[Box], rgb: Rgb) -> None:
        """Fill boxes as one path."""
        path = self._canvas.beginPath()
        for box in boxes:
            path.rect(*self._rect_in_points(box))
        self._canvas.setFillColorRGB(*_rgb_shares(rgb))
        self._canvas.drawPath(path, stroke=0, fill=1)

    def line(self, start: tuple[float, float], end: tuple[float, float], rgb: Rgb = INK) -> None:
        """Draw a line."""
        self._set_stroke(rgb)
        self._canvas.line(*self._to_points(*start), *self._to_points(*end))

    def outline(self, shape: Shape, box: Box, rgb: Rgb = INK) -> None:
        """Draw the outline of a box, or of the oval in it."""
        self._set_stroke(rgb)
        x, y, width, height = self._rect_in_points(box)
        if shape is Shape.OVAL:
            self._canvas.ellipse(x, y, x + width, y + height)
        else:
            self._canvas.rect(x, y, width, height)

    def text(self, x_mm: float, y_mm: float, text: str, points: float = 8, middle: bool = False) -> None:
        """Write one line of text."""
        self._canvas.setFillColorRGB(*_rgb_shares(INK))
        self._canvas.setFont(fonts()[0], points)
        draw = self._canvas.drawCentredString if middle else self._canvas.drawString
        draw(*self._to_points(x_mm, y_mm), text)

    def _to_points(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Convert to PDF points from the lower left corner."""
        return (x_mm + self._width_mm / 2) * mm, (self._height_mm / 2 - y_mm) * mm

    def _rect_in_points(self, box: Box) -> tuple[float, float, float, float]:
        left, top, width, height = box
        return *self._to_points(left, top + height), width * mm, height * mm

    def _set_stroke(self, rgb: Rgb) -> None:
        self._canvas.setStrokeColorRGB(*_rgb_shares(rgb))
        self._canvas.setLineWidth(LINE_MM * mm)


def _rgb_shares(rgb: Rgb) -> tuple[float, ...]:
    return tuple(value / 255 for value in rgb)
