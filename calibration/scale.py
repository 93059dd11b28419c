"""What a cube weighs at this table, and how many cubes a weight is: probabilities, not a number.

Cubes are cut from wood: one of 8 mm weighs about 0.36 g give or take 5 %. A step of k cubes has mean k·u and
variance k·spread² + noise²; that u itself is known only so well is shared by all steps of a throw.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from calibration.written import keep
from vision.errors import VisionError

Odds: TypeAlias = npt.NDArray[np.float64]
"""Probability of 0, 1, 2, … cubes."""

USUAL_MG: Final = 360.0
USUAL_SPREAD: Final = 0.05
"""One standard deviation between cubes; edges of 8 ± 0.1 mm alone make 3.75 %."""
STEP_SIGMA_MG: Final = 14.0
"""Of a step at 80 samples a second and a quiet cell (measured on simulated hardware)."""
_UNKNOWN_UNIT: Final = 0.06
"""How well the unit is known without a calibration: density of beech, size, paint."""
_PRIOR_CUBES: Final = 5
"""The usual spread counts as so many cubes weighed one by one."""
_UNIT_FLOOR: Final = 0.003
"""Wood takes up water with the day's air, and colours differ: never surer than this."""
_NODES: Final = np.linspace(-3.0, 3.0, 25)
"""Where the unknown unit is tried, in its standard deviations."""
_ODD: Final = 1e-3
"""Share of steps that hold something else than such cubes: then one more or less is possible."""
_LEAST_MG: Final = 30.0
"""No cube is lighter: one of 4 mm weighs 45 mg."""
_APART: Final = 0.02
"""By so much cubes that are weighed one by one may be off those that are weighed together, beyond chance."""
FILE: Final = "scale.json"
VERSION: Final = 1


class ScaleError(VisionError):
    """What was learned of the cubes cannot be kept, or is no such file."""


@dataclass(frozen=True, slots=True)
class CubeMass:
    """What one cube weighs, in mg."""

    unit_mg: float = USUAL_MG
    unit_sigma_mg: float = USUAL_MG * _UNKNOWN_UNIT
    """How well the mean is known."""
    spread_mg: float = USUAL_MG * USUAL_SPREAD
    """From cube to cube."""
    cubes: int = 0
    """How many it was learned from; 0: nothing was weighed yet."""

    def taught(self, cubes: int, mass_mg: float, sigma_mg: float) -> "CubeMass":
        """Also so many cubes, counted by people, weigh so much."""
        if cubes < 1:
            return self
        if not self.fits(cubes, mass_mg, sigma_mg):
            return self  # not these cubes: a coin in the tray, or a wrong count
        seen = mass_mg / cubes
        trust, weight = self.unit_sigma_mg**-2, self._mean_sigma(cubes, sigma_mg) ** -2
        unit = (trust * self.unit_mg + weight * seen) / (trust + weight)
        sigma = max((trust + weight) ** -0.5, _UNIT_FLOOR * unit)
        return replace(self, unit_mg=unit, unit_sigma_mg=sigma, cubes=self.cubes + cubes)

    def fits(self, cubes: int, mass_mg: float, sigma_mg: float) -> bool:
        """Whether so many cubes may weigh so much."""
        off = abs(mass_mg / cubes - self.unit_mg)
        return off <= 4 * math.hypot(self._mean_sigma(cubes, sigma_mg), self.unit_sigma_mg)

    def _mean_sigma(self, cubes: int, sigma_mg: float) -> float:
        return math.sqrt(self.spread_mg**2 / cubes + (sigma_mg / cubes) ** 2)


def learn(singles_mg: Sequence[float], cubes: int, mass_mg: float, sigma_mg: float) -> CubeMass:
    """From cubes weighed one by one, which show the spread, and a known number together for the mean."""
    if cubes < 1 or mass_mg / cubes < _LEAST_MG:
        raise ScaleError("Nothing was weighed.", "Put the cubes on the tray and try again.")
    unit = mass_mg / cubes
    usual = (unit * USUAL_SPREAD) ** 2
    if len(singles_mg) > 1:
        own = float(np.sum((np.array(singles_mg) - np.mean(singles_mg)) ** 2))
        freedom = _PRIOR_CUBES + len(singles_mg) - 1
        noise = (len(singles_mg) - 1) * sigma_mg**2
        usual = (_PRIOR_CUBES * usual + max(0.0, own - noise)) / freedom
    spread = math.sqrt(usual)
    compare(singles_mg, unit, math.hypot(spread, sigma_mg))
    sigma = math.sqrt(usual / cubes + (sigma_mg / cubes) ** 2)
    return CubeMass(unit, max(sigma, _UNIT_FLOOR * unit), spread, cubes)


def compare(singles_mg: Sequence[float], unit_mg: float, sigma_mg: float) -> None:
    """Weighed one by one, with `sigma_mg` each, and together: a number that was miscounted shows here alone.

    Raises `ScaleError`.
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
    """Odds of the number of cubes after steps whose masses are known, all with the same unknown unit."""

    def __init__(self, cube: CubeMass, begin: int = 0) -> None:
        self._cube = cube
        self._units = cube.unit_mg + cube.unit_sigma_mg * _NODES
        bell = np.exp(-0.5 * _NODES**2)
        self._weights: Odds = bell / bell.sum()
        start = np.zeros(begin + 1)
        start[begin] = 1.0
        self._counts = [start.copy() for _ in self._units]

    def step(self, mass_mg: float, sigma_mg: float, none_times: float = 1.0) -> None:
        """A step in weight that stayed; negative: something was taken out.

        `none_times`: so much likelier than any other number is it beforehand that it was no cube at all.
        """
        likely = [self._step_odds(unit, abs(mass_mg), sigma_mg) for unit in self._units]
        for odds in likely:
            odds[0] *= none_times
        evidence = np.array([odds.sum() for odds in likely])
        weights = self._weights * evidence
        if weights.sum() > 0:
            self._weights = weights / weights.sum()
        for place, odds in enumerate(likely):
            share = odds / odds.sum() if odds.sum() > 0 else np.ones(1)
            self._counts[place] = _added(self._counts[place], share, out=mass_mg < 0)

    def odds(self) -> Odds:
        """Of 0, 1, 2, … cubes lying there now."""
        longest = max(len(counts) for counts in self._counts)
        whole = np.zeros(longest)
        for weight, counts in zip(self._weights, self._counts, strict=True):
            whole[: len(counts)] += weight * counts
        together: Odds = whole / whole.sum()
        return together

    def _step_odds(self, unit: float, mass_mg: float, sigma_mg: float) -> Odds:
        most = math.ceil(mass_mg / unit + 6 * math.sqrt(max(1.0, mass_mg / unit)) * 0.1 + 2)
        number = np.arange(most + 1)
        spread = np.sqrt(number * (self._cube.spread_mg * unit / self._cube.unit_mg) ** 2 + sigma_mg**2)
        away = (mass_mg - number * unit) / spread
        odd = _ODD * np.exp(-0.5 * ((mass_mg - number * unit) / unit) ** 2) / unit
        likely: Odds = np.exp(-0.5 * away**2) / spread + odd
        return likely


def _added(counts: Odds, step: Odds, *, out: bool) -> Odds:
    if not out:
        return np.convolve(counts, step)
    difference: Odds = np.convolve(counts, step[::-1])
    zero = len(step) - 1
    kept = difference[zero:].copy()
    kept[0] += difference[:zero].sum()  # fewer than none cannot lie there
    return kept


def total_odds(cube: CubeMass, mass_mg: float, sigma_mg: float) -> Odds:
    """Odds from one weight of everything: what is left when steps were missed."""
    counts = CountOdds(cube)
    counts.step(max(0.0, mass_mg), sigma_mg)
    return counts.odds()


def save(cube: CubeMass, folder: Path) -> Path:
    """Keep it beside the profiles; the file is whole or the old one. Raises `ScaleError`."""
    path = folder / FILE
    body = {"version": VERSION, **{name: getattr(cube, name) for name in CubeMass.__slots__}}
    try:
        keep(path, json.dumps(body, indent=1) + "\n")
    except OSError as error:
        raise ScaleError(
            f"{path} cannot be written: {error.strerror}.", "Check the disk and its permissions."
        ) from error
    return path


def load(folder: Path) -> CubeMass:
    """What was learned; the usual beech cube when nothing was. Raises `ScaleError`."""
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
        return CubeMass(unit, sigma, spread, int(body["cubes"]))
    except FileNotFoundError:
        return CubeMass()
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ScaleError(
            f"{path} does not hold the weight of cubes.",
            "Delete it, or weigh them again: `tenshu firmware calibrate`.",
        ) from error
