"""What a cube weighs at this table, and how many cubes a weight means, as probabilities and not a number.

Cubes are cut from wood: one of 8 mm weighs about 0.36 g give or take 5 %. A step of k cubes has mean k·u and
variance k·spread² + noise²; the uncertainty of u itself is shared by all steps of a throw.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from calibration.written import write_atomically
from vision.errors import VisionError, error_reason

Odds: TypeAlias = npt.NDArray[np.float64]
"""Probability of 0, 1, 2, … cubes."""

USUAL_MG: Final = 360.0
USUAL_SPREAD: Final = 0.05
"""Relative standard deviation between cubes; edges of 8 ± 0.1 mm alone account for 3.75 %."""
STEP_SIGMA_MG: Final = 14.0
"""Standard deviation of a step at 80 samples a second with a quiet cell (measured on simulated hardware)."""
_UNKNOWN_UNIT: Final = 0.06
"""Relative uncertainty of the unit without a calibration: density of beech, size, paint."""
_PRIOR_CUBES: Final = 5
"""Weight of the usual spread as a prior, in cubes weighed one by one."""
_UNIT_FLOOR: Final = 0.003
"""Least relative uncertainty of the unit: wood takes up moisture from the day's air, and colours differ."""
_NODES: Final = np.linspace(-3.0, 3.0, 25)
"""Grid on which the unknown unit is integrated, in its standard deviations."""
_MOST_UNSURE: Final = 0.2
"""Most relative uncertainty of the unit: the grid must not reach a cube of no weight."""
_ODD: Final = 1e-3
"""Share of steps that hold something other than such cubes, so that one more or less is possible."""
_LEAST_MG: Final = 30.0
"""Least weight of a cube: one of 4 mm weighs 45 mg."""
_APART: Final = 0.02
"""Relative difference allowed, beyond chance, between cubes weighed one by one and weighed together."""
FILE: Final = "scale.json"
VERSION: Final = 1


class ScaleError(VisionError):
    """The learned weight cannot be saved, or the file does not hold one."""


@dataclass(frozen=True, slots=True)
class CubeMass:
    """The weight of one cube, in mg."""

    unit_mg: float = USUAL_MG
    unit_sigma_mg: float = USUAL_MG * _UNKNOWN_UNIT
    """Standard error of the mean."""
    spread_mg: float = USUAL_MG * USUAL_SPREAD
    """Standard deviation from cube to cube."""
    cubes: int = 0
    """Number of cubes it was learned from; 0 if nothing was weighed yet."""

    def updated_with(self, cubes: int, mass_mg: float, sigma_mg: float) -> "CubeMass":
        """Return the estimate updated with `cubes` cubes, counted by people, that weigh `mass_mg`."""
        if cubes < 1:
            return self
        if not self.fits(cubes, mass_mg, sigma_mg):
            return self  # not these cubes: a coin in the tray, or a wrong count
        measured_mg = mass_mg / cubes
        prior_weight, weight = self.unit_sigma_mg**-2, self._mean_sigma(cubes, sigma_mg) ** -2
        unit = (prior_weight * self.unit_mg + weight * measured_mg) / (prior_weight + weight)
        sigma = max((prior_weight + weight) ** -0.5, _UNIT_FLOOR * unit)
        return replace(self, unit_mg=unit, unit_sigma_mg=sigma, cubes=self.cubes + cubes)

    def fits(self, cubes: int, mass_mg: float, sigma_mg: float) -> bool:
        """Return whether `cubes` cubes can plausibly weigh `mass_mg`."""
        deviation_mg = abs(mass_mg / cubes - self.unit_mg)
        return deviation_mg <= 4 * math.hypot(self._mean_sigma(cubes, sigma_mg), self.unit_sigma_mg)

    def _mean_sigma(self, cubes: int, sigma_mg: float) -> float:
        return math.sqrt(self.spread_mg**2 / cubes + (sigma_mg / cubes) ** 2)


def learn(singles_mg: Sequence[float], cubes: int, mass_mg: float, sigma_mg: float) -> CubeMass:
    """Learn the spread from cubes weighed one by one and the mean from a known number weighed together.

    Raises `ScaleError` if they weigh too little, or too little to be sure, or disagree.
    """
    if cubes < 1 or mass_mg / cubes < _LEAST_MG:
        raise ScaleError("Nothing was weighed.", "Put the cubes on the tray and try again.")
    unit = mass_mg / cubes
    variance = (unit * USUAL_SPREAD) ** 2
    if len(singles_mg) > 1:
        squared_deviations = float(np.sum((np.array(singles_mg) - np.mean(singles_mg)) ** 2))
        freedom = _PRIOR_CUBES + len(singles_mg) - 1
        noise = (len(singles_mg) - 1) * sigma_mg**2
        variance = (_PRIOR_CUBES * variance + max(0.0, squared_deviations - noise)) / freedom
    spread = math.sqrt(variance)
    check_singles(singles_mg, unit, math.hypot(spread, sigma_mg))
    sigma = math.sqrt(variance / cubes + (sigma_mg / cubes) ** 2)
    if sigma > _MOST_UNSURE * unit:
        raise ScaleError("That is too light to tell what one cube weighs.", "Weigh more cubes together.")
    return CubeMass(unit, max(sigma, _UNIT_FLOOR * unit), spread, cubes)


def check_singles(singles_mg: Sequence[float], unit_mg: float, sigma_mg: float) -> None:
    """Compare cubes weighed one by one (`sigma_mg` each) with the mean of all together.

    Only this can reveal a miscounted number of cubes. Raises `ScaleError`.
    """
    if not singles_mg:
        return
    mean = float(np.mean(singles_mg))
    if abs(mean - unit_mg) > 4 * sigma_mg / math.sqrt(len(singles_mg)) + _APART * unit_mg:
        raise ScaleError(
            f"A cube weighs {mean:.0f} mg where it fell alone, and {unit_mg:.0f} mg where all lay together.",
            "Count the cubes that you put on the tray, make sure that nothing touches it, and begin again.",
        )


class CountOdds:
    """Odds of the number of cubes after steps of measured mass that all share the same unknown unit."""

    def __init__(self, cube: CubeMass, begin: int = 0) -> None:
        self._cube = cube
        self._units = cube.unit_mg + cube.unit_sigma_mg * _NODES
        bell = np.exp(-0.5 * _NODES**2)
        self._weights: Odds = bell / bell.sum()
        start = np.zeros(begin + 1)
        start[begin] = 1.0
        self._counts = [start.copy() for _ in self._units]

    def add_step(self, mass_mg: float, sigma_mg: float, none_times: float = 1.0) -> None:
        """Add a lasting step in weight; negative if something was taken out.

        `none_times` is the prior odds that the step was no cube at all, relative to any other number.
        """
        odds_by_unit = [self._step_odds(unit, abs(mass_mg), sigma_mg) for unit in self._units]
        for odds in odds_by_unit:
            odds[0] *= none_times
        evidence = np.array([odds.sum() for odds in odds_by_unit])
        weights = self._weights * evidence
        if weights.sum() > 0:
            self._weights = weights / weights.sum()
        for node, odds in enumerate(odds_by_unit):
            share = odds / odds.sum() if odds.sum() > 0 else np.ones(1)
            self._counts[node] = _add_step(self._counts[node], share, out=mass_mg < 0)

    def odds(self) -> Odds:
        """Return the odds of 0, 1, 2, … cubes lying there now."""
        longest = max(len(counts) for counts in self._counts)
        mixture = np.zeros(longest)
        for weight, counts in zip(self._weights, self._counts, strict=True):
            mixture[: len(counts)] += weight * counts
        normalised: Odds = mixture / mixture.sum()
        return normalised

    def _step_odds(self, unit: float, mass_mg: float, sigma_mg: float) -> Odds:
        max_cubes = math.ceil(mass_mg / unit + 6 * math.sqrt(max(1.0, mass_mg / unit)) * 0.1 + 2)
        number = np.arange(max_cubes + 1)
        spread = np.sqrt(number * (self._cube.spread_mg * unit / self._cube.unit_mg) ** 2 + sigma_mg**2)
        residual = (mass_mg - number * unit) / spread
        outlier = _ODD * np.exp(-0.5 * ((mass_mg - number * unit) / unit) ** 2) / unit
        likelihood: Odds = np.exp(-0.5 * residual**2) / spread + outlier
        return likelihood


def _add_step(counts: Odds, step: Odds, *, out: bool) -> Odds:
    if not out:
        return np.convolve(counts, step)
    difference: Odds = np.convolve(counts, step[::-1])
    zero = len(step) - 1
    clipped = difference[zero:].copy()
    clipped[0] += difference[:zero].sum()  # there cannot be fewer than none
    return clipped


def total_odds(cube: CubeMass, mass_mg: float, sigma_mg: float) -> Odds:
    """Odds from a single total weight, for use when steps were missed."""
    counts = CountOdds(cube)
    counts.add_step(max(0.0, mass_mg), sigma_mg)
    return counts.odds()


def save(cube: CubeMass, folder: Path) -> Path:
    """Write it atomically beside the profiles and return the path. Raises `ScaleError`."""
    path = folder / FILE
    body = {"version": VERSION, **{name: getattr(cube, name) for name in CubeMass.__slots__}}
    try:
        write_atomically(path, json.dumps(body, indent=1) + "\n")
    except OSError as error:
        raise ScaleError(
            f"{path} cannot be written: {error.strerror}.", "Check the disk and its permissions."
        ) from error
    return path


def load(folder: Path) -> CubeMass:
    """Load the learned weight, or the usual beech cube if nothing was learned. Raises `ScaleError`."""
    path = folder / FILE
    try:
        body = cast("dict[str, float]", json.loads(path.read_text(encoding="utf-8")))
        if isinstance(body["version"], int) and body["version"] > VERSION:
            raise ScaleError(
                f"{path} was written by a newer Tenshu.",
                "Update Tenshu, or weigh the cubes again: `tenshu firmware calibrate`.",
            )
        if body["version"] != VERSION:
            raise ValueError
        unit, sigma, spread = (float(body[name]) for name in ("unit_mg", "unit_sigma_mg", "spread_mg"))
        if not all(math.isfinite(number) and number > 0 for number in (unit, sigma, spread)):
            raise ValueError
        if sigma > _MOST_UNSURE * unit:
            raise ValueError
        return CubeMass(unit, sigma, spread, int(body["cubes"]))
    except FileNotFoundError:
        return CubeMass()
    except OSError as error:  # what it holds may be right
        raise ScaleError(
            f"{path} cannot be read ({error_reason(error)}).", "Check its permissions and the disk."
        ) from error
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ScaleError(
            f"{path} does not hold the weight of cubes.",
            "Delete it, or weigh them again: `tenshu firmware calibrate`.",
        ) from error
