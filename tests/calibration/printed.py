"""A printer for the tests: draws the filled paths and lines of a PDF page, at a given resolution.

It knows only the operators that our sheets use, and fails on a path operator it does not know.
"""

from pathlib import Path

import cv2
import numpy as np
from pypdf import PdfReader

from vision.pictures import Picture

MM = 72 / 25.4
_IGNORED = {"BT", "ET", "Tf", "Td", "Tm", "Tj", "T*", "TL", "gs", "n", "J", "j", "M", "d", "rg", "RG", "w"}


def page_sizes_mm(pdf: Path) -> list[tuple[float, float]]:
    """Return the width and height of each page."""
    boxes = [page.mediabox for page in PdfReader(pdf).pages]
    return [(float(box.width) / MM, float(box.height) / MM) for box in boxes]


def page_text(pdf: Path, page: int) -> str:
    """Return the text of a page."""
    return PdfReader(pdf).pages[page].extract_text()


def printed(pdf: Path, page: int, px_per_mm: int = 8) -> Picture:
    """Draw a page as a scanner would see it, BGR."""
    width_mm, height_mm = page_sizes_mm(pdf)[page]
    paper = np.full((round(height_mm * px_per_mm), round(width_mm * px_per_mm), 3), 255, np.uint8)
    contents = PdfReader(pdf).pages[page].get_contents()
    assert contents is not None
    _Pen(paper, px_per_mm).draw(contents.operations)
    return paper


class _Pen:
    def __init__(self, paper: Picture, px_per_mm: int) -> None:
        self.paper = paper
        self.scale = px_per_mm / MM
        self.fill = self.stroke = (0.0, 0.0, 0.0)
        self.offset = (0.0, 0.0)
        self.saved: list[tuple[float, float]] = []
        self.path: list[list[tuple[float, float]]] = []

    def draw(self, operations: list[tuple[list[object], bytes]]) -> None:
        for operands, operator in operations:
            name = operator.decode()
            numbers = [float(o) for o in operands if isinstance(o, (int, float))]
            if not self._state(name, numbers):
                self._paint(name, numbers)

    def _state(self, name: str, n: list[float]) -> bool:
        match name:
            case "q":
                self.saved.append(self.offset)
            case "Q":
                self.offset = self.saved.pop()
            case "cm":
                assert n[:4] == [1, 0, 0, 1], "sheets are never scaled or turned"
                self.offset = (self.offset[0] + n[4], self.offset[1] + n[5])
            case "rg":
                self.fill = (n[2] * 255, n[1] * 255, n[0] * 255)
            case "RG":
                self.stroke = (n[2] * 255, n[1] * 255, n[0] * 255)
            case _:
                return False
        return True

    def _paint(self, name: str, n: list[float]) -> None:
        match name:
            case "m":
                self.path.append([(n[0], n[1])])
            case "l":
                self.path[-1].append((n[0], n[1]))
            case "c":
                self._curve(n)
            case "re":
                x, y, width, height = n
                self.path.append([(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)])
            case "h":
                self.path[-1].append(self.path[-1][0])
            case "f" | "f*":
                cv2.fillPoly(self.paper, self._pixels(), self.fill, shift=4)
                self.path = []
            case "S" | "s":
                cv2.polylines(self.paper, self._pixels(), False, self.stroke, 2, shift=4)
                self.path = []
            case _:
                assert name in _IGNORED, f"unknown operator {name}"

    def _curve(self, n: list[float]) -> None:
        start = np.array(self.path[-1][-1])
        points = [start, np.array(n[0:2]), np.array(n[2:4]), np.array(n[4:6])]
        for t in np.linspace(0.02, 1, 50):
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = sum(w * p for w, p in zip(weights, points, strict=True))
            self.path[-1].append((float(x), float(y)))

    def _pixels(self) -> list[np.ndarray]:
        height = self.paper.shape[0]
        return [
            np.array(
                [
                    (
                        ((x + self.offset[0]) * self.scale - 0.5) * 16,
                        (height - (y + self.offset[1]) * self.scale - 0.5) * 16,
                    )
                    for x, y in part
                ]
            )
            .round()
            .astype(np.int32)
            for part in self.path
        ]
