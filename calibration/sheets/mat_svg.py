"""A sheet as an SVG preview for a web page, drawn by the same code as the PDF."""

from collections.abc import Sequence
from html import escape

from calibration.sheets.drawing import INK, LINE_MM, Box, Inlay, Paper, Rgb, Shape, draw_inlay, draw_mat

_POINT_MM = 25.4 / 72


def mat_svg(paper: Paper, language: str = "en") -> str:
    """Return the mat on this paper."""
    pen = _SvgPen(paper)
    draw_mat(pen, language)
    return pen.svg()


def inlay_svg(paper: Paper, inlay: Inlay, language: str = "en") -> str:
    """Return an inlay, which must fit the paper."""
    pen = _SvgPen(paper)
    draw_inlay(pen, inlay, language)
    return pen.svg()


class _SvgPen:
    """`calibration.sheets.drawing.Pen`; the drawing's units are the mat's millimetres."""

    def __init__(self, paper: Paper) -> None:
        self._size_mm = paper.size_mm
        self._drawn: list[str] = []

    def svg(self) -> str:
        """Return white paper with what was drawn on it."""
        width, height = self._size_mm
        box = f"{-width / 2:g} {-height / 2:g} {width:g} {height:g}"
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">'
        paper = '<rect x="-50%" y="-50%" width="100%" height="100%" fill="#fff"/>'
        return "".join((head, paper, *self._drawn, "</svg>"))

    def fill(self, boxes: Sequence[Box], rgb: Rgb) -> None:
        """Fill boxes as one path."""
        parts = (f"M{x:.4g} {y:.4g}h{width:.4g}v{height:.4g}h{-width:.4g}z" for x, y, width, height in boxes)
        self._drawn.append(f'<path d="{"".join(parts)}" fill="{_css_colour(rgb)}"/>')

    def line(self, start: tuple[float, float], end: tuple[float, float], rgb: Rgb = INK) -> None:
        """Draw a line."""
        (x1, y1), (x2, y2) = start, end
        self._drawn.append(f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" {_stroke_attributes(rgb)}/>')

    def outline(self, shape: Shape, box: Box, rgb: Rgb = INK) -> None:
        """Draw the outline of a box, or of the oval in it."""
        left, top, width, height = box
        rx, ry = (width / 2, height / 2) if shape is Shape.OVAL else (0, 0)
        attributes = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="{rx:g}" ry="{ry:g}"'
        self._drawn.append(f"<rect {attributes} {_stroke_attributes(rgb)}/>")

    def text(self, x_mm: float, y_mm: float, text: str, points: float = 8, middle: bool = False) -> None:
        """Write one line of text."""
        attributes = f'x="{x_mm:g}" y="{y_mm:g}" text-anchor="{"middle" if middle else "start"}"'
        font = f'font-family="Noto Sans, Helvetica, Arial, sans-serif" font-size="{points * _POINT_MM:.3g}"'
        self._drawn.append(f'<text {attributes} {font} fill="{_css_colour(INK)}">{escape(text)}</text>')


def _css_colour(rgb: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _stroke_attributes(rgb: Rgb) -> str:
    return f'fill="none" stroke="{_css_colour(rgb)}" stroke-width="{LINE_MM}"'
