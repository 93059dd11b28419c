"""The printable sheets over HTTP: as PDF, and as an SVG preview for a page. Open to everybody."""

from functools import cache
from typing import Annotated, Literal

from flask import Blueprint, Response, request
from pydantic import BaseModel, ConfigDict, Field

from calibration.sheets.drawing import (
    PAPERS,
    Inlay,
    Misfit,
    Paper,
    Shape,
    find_misfit,
    inlays,
    largest_inlay_mm,
)
from calibration.sheets.mat_pdf import inlays_pdf, mat_pdf
from calibration.sheets.mat_svg import inlay_svg, mat_svg
from companion.measures import SIDE_LEAST_MM, SIDE_MOST_MM
from companion.table.errors import TableRefusal
from companion.web.phrases import language

Side = Annotated[float, Field(ge=SIDE_LEAST_MM, le=SIDE_MOST_MM)]
_KEPT = {"Cache-Control": "private, max-age=60", "Vary": "Accept-Language"}
"""A page first asks whether such a sheet exists and then shows it, with the same address."""
_drawn_mat = cache(mat_pdf)
"""Cached without bound: there is one per choice of paper and language, and each takes 40 ms."""


class Sheets(BaseModel):
    """Which sheets to print, with the options of `tenshu mat`; giving a shape or a size asks for an inlay."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    sheet: Literal["mat", "inlay"] = "mat"
    paper: Literal["both", "a4", "letter", "a3"] = "both"
    shape: Literal["square", "oval"] | None = None
    width_mm: Side | None = None
    depth_mm: Side | None = None
    """One of the two sides may be omitted; it then equals the other."""
    lang: Literal["en", "ru", "ro", "fr", "de"] | None = None
    """Language of the text on the sheet; by default the browser's."""

    @property
    def papers(self) -> tuple[Paper, ...]:
        """Paper sizes; each gets a page."""
        return PAPERS[self.paper]

    @property
    def inlays(self) -> tuple[Inlay, ...]:
        """Inlays to draw; empty if the mat is asked for. Raises `TableRefusal` if one does not fit."""
        width, depth = self.width_mm or self.depth_mm, self.depth_mm or self.width_mm
        inner_mm = (width, depth) if width and depth else None
        if self.sheet == "mat" and self.shape is None and inner_mm is None:
            return ()
        wanted = inlays(Shape(self.shape) if self.shape else None, inner_mm)
        found = find_misfit(wanted, self.papers)
        if found is not None:
            raise _refused(found)
        return wanted


def blueprint() -> Blueprint:
    """`/api/v1/mat.pdf` and `/api/v1/mat.svg`."""
    bp = Blueprint("mat", __name__, url_prefix="/api/v1")

    @bp.get("/mat.pdf")
    def as_pdf() -> Response:
        asked = _asked()
        wanted = asked.inlays
        made = (
            inlays_pdf(asked.papers, wanted, language()) if wanted else _drawn_mat(asked.papers, language())
        )
        name = f"tenshu-{'inlay' if wanted else 'mat'}.pdf"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(made, mimetype="application/pdf", headers=headers)

    @bp.get("/mat.svg")
    def as_picture() -> Response:
        asked = _asked()
        paper, wanted = asked.papers[0], asked.inlays
        drawn = inlay_svg(paper, wanted[0], language()) if wanted else mat_svg(paper, language())
        return Response(drawn, mimetype="image/svg+xml", headers=_KEPT)

    return bp


def _asked() -> Sheets:
    return Sheets.model_validate(request.args.to_dict())


def _refused(found: Misfit) -> TableRefusal:
    inlay, paper = found.inlay, found.paper.title
    width, depth = f"{inlay.width_mm:g}", f"{inlay.depth_mm:g}"
    does_not = f"An inlay of {width} × {depth} mm does not fit on {paper}."
    if found.fits_on_a3:
        return TableRefusal(
            "inlay_on_a3", f"{does_not} Print it on A3.", width=width, depth=depth, paper=paper
        )
    largest = " × ".join(f"{side:g}" for side in largest_inlay_mm(Paper.A3))
    return TableRefusal(
        "inlay_too_large",
        f"{does_not} The largest is {largest} mm, on A3: lay plain white paper in a larger tray.",
        width=width,
        depth=depth,
        paper=paper,
        largest=largest,
    )
