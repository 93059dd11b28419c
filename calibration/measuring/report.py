"""An evaluation as one JSON object and as a human-readable table."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from calibration.columns import keep_end, pad_right
from calibration.measuring.asking import Asking, asking_figures
from calibration.measuring.evaluate import (
    GROUPINGS,
    CoveragePoint,
    Figures,
    Outcome,
    by_group,
    colour_errors,
    figures,
    risk_coverage,
    worst,
)
from calibration.measuring.sureness import Sureness, log_loss, sureness

_HEAD = (
    f"{'':<24}{'pictures':>9}{'exact':>8}{'answered':>10}{'silent':>8}{'cube err':>10}{'median':>9}{'p95':>8}"
)
_NAME = 21
"""Width of a row's name, in terminal cells."""
_ALONE: Mapping[str, Sequence[Outcome]] = {}
"""Default for a single folder, which needs no row of its own."""
_COVERAGES = (0.5, 0.8, 0.9, 0.95, 0.99, 1.0)


def as_json(
    outcomes: Sequence[Outcome], by_folder: Mapping[str, Sequence[Outcome]] = _ALONE
) -> dict[str, object]:
    """Return the overall figures and the same by group; this is the contract that others script against.

    `by_folder` holds the outcomes of each folder if several were read.
    """
    body: dict[str, object] = dict(_figures_json(figures(outcomes)))
    body["cube_error_by_colour"] = {c: round(e, 4) for c, e in colour_errors(outcomes).items()}
    for grouping in GROUPINGS:
        body[grouping] = {name: _figures_json(f) for name, f in by_group(outcomes, grouping).items()}
    if by_folder:
        body["by_folder"] = {
            name: _folder_json(folder_outcomes) for name, folder_outcomes in by_folder.items()
        }
    body["log_loss"] = _rounded_loss(outcomes)
    body["sureness"] = [
        {name: round(value, 4) for name, value in asdict(group).items()} for group in sureness(outcomes)
    ]
    body["asking"] = asdict(asking_figures(outcomes))
    body["risk_coverage"] = [_point_json(p) for p in _thin_out(risk_coverage(outcomes))]
    return body


def worst_as_json(outcomes: Sequence[Outcome], number: int) -> list[dict[str, object]]:
    """Return the worst pictures: what was counted, what is there, and what the reader said about it."""
    return [
        {
            "file": o.file,
            "counts": dict(o.reading.counts),
            "visible_counts": dict(o.truth.counts),
            "certain": o.reading.certain,
            "doubts": [str(d) for d in o.reading.doubts],
            "confidence": round(o.confidence, 4),
            "ms": round(o.ms, 1),
        }
        for o in worst(outcomes, number)
    ]


def as_table(outcomes: Sequence[Outcome], by_folder: Mapping[str, Sequence[Outcome]] = _ALONE) -> str:
    """Return the same as a human-readable table; times in milliseconds."""
    lines = [_HEAD, _table_row("all pictures", figures(outcomes))]
    if by_folder:
        lines.append("by folder")
        lines += [
            _table_row(f"  {keep_end(name, _NAME)}", figures(folder_outcomes))
            for name, folder_outcomes in by_folder.items()
        ]
    for grouping in GROUPINGS:
        lines.append(f"{grouping.replace('_', ' ')}")
        lines += [
            _table_row(f"  {keep_end(name, _NAME)}", f) for name, f in by_group(outcomes, grouping).items()
        ]
    errors = ", ".join(f"{colour} {error:.3f}" for colour, error in colour_errors(outcomes).items())
    lines += ["", f"cubes wrong a picture, by colour: {errors}", "", _coverage_lines(risk_coverage(outcomes))]
    lines += ["", *_sureness_lines(sureness(outcomes), log_loss(outcomes))]
    lines += _asking_lines(asking_figures(outcomes))
    lines += _folder_lines(by_folder)
    return "\n".join(lines)


def worst_as_text(outcomes: Sequence[Outcome], number: int) -> str:
    """Return one line per picture, the worst first."""
    return "\n".join(_worst_line(o) for o in worst(outcomes, number))


def _folder_json(outcomes: Sequence[Outcome]) -> Mapping[str, object]:
    return {**_figures_json(figures(outcomes)), "log_loss": _rounded_loss(outcomes)}


def _rounded_loss(outcomes: Sequence[Outcome]) -> float | None:
    loss = log_loss(outcomes)
    return None if loss is None else round(loss, 4)


def _worst_line(o: Outcome) -> str:
    wrong = ", ".join(f"{colour} {error:+d}" for colour, error in o.errors.items() if error) or "exact"
    verdict = "certain" if o.reading.certain else "asks: " + ", ".join(str(d) for d in o.reading.doubts)
    return (
        f"  {pad_right(o.file, 20)} {wrong} of {o.truth.total} "
        f"({o.truth.light}, {o.truth.plastic}); {verdict}"
    )


def _table_row(name: str, f: Figures) -> str:
    if not f.pictures:
        return f"{pad_right(name, 24)}{0:>9}"
    return (
        f"{pad_right(name, 24)}{f.pictures:>9}"
        f"{_percent(f.exact, f.pictures):>8}{_percent(f.answered, f.pictures):>10}"
        f"{f.silent_errors:>8}{f.cube_error:>10.3f}{f.ms_median:>9.1f}{f.ms_p95:>8.1f}"
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _coverage_lines(points: Sequence[CoveragePoint]) -> str:
    if not points:
        return ""
    chosen = [next(p for p in points if p.coverage >= least - 1e-9) for least in _COVERAGES]
    return "\n".join(
        ["accepting only the surest …  wrong among these"]
        + [
            f"{100 * p.coverage:>24.1f} % {100 * p.risk:>16.2f} %  (confidence {p.confidence:.3f})"
            for p in dict.fromkeys(chosen)  # with few pictures one point serves several shares
        ]
    )


def _sureness_lines(groups: Sequence[Sureness], loss: float | None) -> list[str]:
    if not groups:
        return []
    lines = [f"{'it says that all is right':<26}{'pictures':>12}{'said':>10}{'right':>10}"]
    for g in groups:
        reach = f"{100 * g.least:.0f} to {100 * g.most:.0f} %"
        lines.append(f"{reach:>26}{g.pictures:>12}{100 * g.said:>8.1f} %{100 * g.right:>8.1f} %")
    return lines if loss is None else [*lines, f"log loss of the true counts: {loss:.3f}"]


def _folder_lines(by_folder: Mapping[str, Sequence[Outcome]]) -> list[str]:
    """Figures of each folder as numbers of pictures, for comparing sets, with the log loss of each."""
    if not by_folder:
        return []
    lines = [
        "",
        f"{'in pictures':<24}{'pictures':>9}{'exact':>8}{'answered':>10}{'silent':>8}{'log loss':>10}",
    ]
    for name, outcomes in by_folder.items():
        f, loss = figures(outcomes), log_loss(outcomes) if outcomes else None
        loss_cell = f"{'–' if loss is None else f'{loss:.3f}':>10}"
        name_cell = pad_right(f"  {keep_end(name, _NAME)}", 24)
        lines.append(f"{name_cell}{f.pictures:>9}{f.exact:>8}{f.answered:>10}{f.silent_errors:>8}{loss_cell}")
    return lines


def _asking_lines(asked: Asking) -> list[str]:
    if not asked.pictures:
        return []
    shown = f"{asked.with_places} show where to look"
    if asked.places is not None:
        shown += f", at {asked.places:.1f} places on average"
    return [
        "",
        f"asked about {asked.pictures}, {asked.exact} of them right; {shown}",
        f"with these places answered {asked.exact_when_answered} can be right",
    ]


def _thin_out(points: Sequence[CoveragePoint]) -> Sequence[CoveragePoint]:
    """Keep about a hundred points (fewer than 200), always including the last."""
    step = max(1, len(points) // 100)
    return [p for i, p in enumerate(points, start=1) if i % step == 0 or i == len(points)]


def _point_json(p: CoveragePoint) -> Mapping[str, float]:
    return {name: round(value, 4) for name, value in asdict(p).items()}


def _figures_json(f: Figures) -> Mapping[str, object]:
    return {name: round(v, 4) if isinstance(v, float) else v for name, v in asdict(f).items()}
