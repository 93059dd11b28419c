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
_CACHE_HEADERS = {"Cache-Control": "private, max-age=60", "Vary": "Accept-Language"}
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
        misfitting = find_misfit(wanted, self.papers)
        if misfitting is not None:
            raise _misfit_refusal(misfitting)
        return wanted


def blueprint() -> Blueprint:
    """`/api/v1/mat.pdf` and `/api/v1/mat.svg`."""
    bp = Blueprint("mat", __name__, url_prefix="/api/v1")

    @bp.get("/mat.pdf")
    def as_pdf() -> Response:
        sheets = _requested_sheets()
        wanted = sheets.inlays
        pdf = (
            inlays_pdf(sheets.papers, wanted, language()) if wanted else _drawn_mat(sheets.papers, language())
        )
        name = f"tenshu-{'inlay' if wanted else 'mat'}.pdf"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(pdf, mimetype="application/pdf", headers=headers)

    @bp.get("/mat.svg")
    def as_picture() -> Response:
        sheets = _requested_sheets()
        paper, wanted = sheets.papers[0], sheets.inlays
        svg = inlay_svg(paper, wanted[0], language()) if wanted else mat_svg(paper, language())
        return Response(svg, mimetype="image/svg+xml", headers=_CACHE_HEADERS)

    return bp


def _requested_sheets() -> Sheets:
    return Sheets.model_validate(request.args.to_dict())


def _misfit_refusal(misfitting: Misfit) -> TableRefusal:
    inlay, paper = misfitting.inlay, misfitting.paper.title
    width, depth = f"{inlay.width_mm:g}", f"{inlay.depth_mm:g}"
    sentence = f"An inlay of {width} × {depth} mm does not fit on {paper}."
    if misfitting.fits_on_a3:
        return TableRefusal(
            "inlay_on_a3", f"{sentence} Print it on A3.", width=width, depth=depth, paper=paper
        )
    largest = " × ".join(f"{side:g}" for side in largest_inlay_mm(Paper.A3))
    return TableRefusal(
        "inlay_too_large",
        f"{sentence} The largest is {largest} mm, on A3: lay plain white paper in a larger tray.",
        width=width,
        depth=depth,
        paper=paper,
        largest=largest,
    )
