"""The constants that turn the looks' outputs into probabilities."""

import numpy as np
import pytest

from calibration.synth import Options
from calibration.training.crops import synthetic_crop
from calibration.training.likeliest import NoDoubtError, fit_curves, fit_finer_curves
from calibration.training.pairs import NOT_KNOWN, STACK
from vision.finding.closer import MOST, OUTPUTS
from vision.finding.detector import COLOURS
from vision.finding.finer import FINER_CURVES

_PLACES = 60_000


def _draw_places(
    presence: tuple[float, float, float], under: tuple[float, float], crowd: float
) -> tuple[
    np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    np.ndarray[tuple[int, ...], np.dtype[np.int64]],
]:
    """Draw logits, scores and truths of places that follow these curves exactly."""
    rng = np.random.default_rng(6)
    detector, look, second = rng.normal(0, 2, (3, _PLACES))
    is_cube = rng.random(_PLACES) < _sigmoid(presence[0] * detector + presence[1] * look + presence[2])
    is_stack = is_cube & (rng.random(_PLACES) < _sigmoid(under[0] * second + under[1] + crowd))
    logits = np.zeros((_PLACES, OUTPUTS))
    logits[:, 2] = second
    logits[:, 0] = np.logaddexp(0, second) - look
    lower = np.where(is_stack, rng.integers(0, len(COLOURS), _PLACES), NOT_KNOWN)
    logits[np.flatnonzero(is_stack), MOST + len(COLOURS) + lower[is_stack]] = 2.0
    truth = np.stack([is_cube.astype(int) + is_stack, np.where(is_cube, 0, NOT_KNOWN), lower], axis=1)
    return logits.astype(np.float32), _sigmoid(detector).astype(np.float32), truth.astype(np.int64)


def _sigmoid(
    logit: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray(1 / (1 + np.exp(-logit)))


@pytest.mark.parametrize(
    ("presence", "under", "crowd"),
    [((0.3, 0.7, 0.1), (1.2, -2.0), 0.0), ((0.1, 0.9, -0.6), (1.6, -1.3), 0.4)],
)
def test_curves_that_places_follow_are_found_again(
    presence: tuple[float, float, float], under: tuple[float, float], crowd: float
) -> None:
    logits, scores, truth = _draw_places(presence, under, crowd)
    assert (truth[:, 0] == STACK).any()
    found = fit_curves(logits, scores, truth, np.full(_PLACES, crowd))
    assert found.presence == pytest.approx(presence, abs=0.05)
    assert found.under == pytest.approx(under, abs=0.08)


def test_the_shipped_finer_look_tells_stacks_where_it_is_asked() -> None:
    options = Options(plain=True, mat=True, plastic="clear", stacked=0.3)
    found = fit_finer_curves(synthetic_crop(seed, options) for seed in range(88_020, 88_026))
    assert found.under[0] > 0.2
    assert found.crowd == FINER_CURVES.crowd


def test_without_a_place_in_doubt_it_is_said_what_to_name() -> None:
    with pytest.raises(NoDoubtError, match="in doubt") as refusal:
        fit_finer_curves([])
    assert "render" in refusal.value.remedy
