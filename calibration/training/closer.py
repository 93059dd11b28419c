"""The network of the closer look, and its training."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from calibration.training.ahead import network_output, prefetch
from calibration.training.checkpoints import load_weights, read_weights
from calibration.training.fit import pixels_of
from calibration.training.likeliest import fit_curves
from calibration.training.net import Block, conv
from calibration.training.pairs import NOT_KNOWN, STACK
from calibration.training.peaks import STORED_PX, Peaks, cut_turned_view
from calibration.training.timed import BatchLoss, Course, teach
from vision.finding.closer import MOST, OUTPUTS, PATCH_PX, Curves
from vision.finding.detector import COLOURS

_LAST_PX = PATCH_PX // 16
_CHANNELS = (16, 40, 80)
HARD = {0: 2.0, 1: 1.0, STACK: 4.0}
"""Relative weight with which a place is drawn, by its number of cubes."""

Doubles = npt.NDArray[np.float64]
Turn = Callable[[np.random.Generator, npt.NDArray[np.uint8]], npt.NDArray[np.uint8]]


class CloserNet(nn.Module):
    """64 px down to 4, then fully connected: it matters where in the patch a thing is."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c = _CHANNELS
        stages = (conv(4, a, stride=2), conv(a, b, stride=2), Block(b), conv(b, c, stride=2), Block(c))
        self.seen = nn.Sequential(*stages, conv(c, c, stride=2))
        # Fully connected layers as convolutions: OpenCV reads no 8-bit fully connected layer.
        dense = nn.Conv2d(c, 128, _LAST_PX)
        self.all = nn.Sequential(nn.Dropout(0.2), dense, nn.ReLU(), nn.Conv2d(128, OUTPUTS, 1), nn.Flatten())

    def forward(self, x: Tensor) -> Tensor:
        """Map (N, 4, PATCH_PX, PATCH_PX), -1..1, to (N, OUTPUTS) logits."""
        out: Tensor = self.all(self.seen(x))
        return out


@dataclass(frozen=True, slots=True)
class CloserPlan:
    """One training run."""

    minutes: float
    rate: float = 2e-3
    seed: int = 1
    batch: int = 96


def fit_closer(
    net: nn.Module,
    sources: Sequence[tuple[Peaks, float]],
    plan: CloserPlan,
    *,
    turn: Turn = cut_turned_view,
    save: Path,
    report: Callable[[str], None],
) -> None:
    """Train for the planned minutes.

    `sources`: places, and the weight with which they are drawn; `turn` makes a view of a stored place.
    """
    rng = np.random.default_rng(plan.seed)
    torch.manual_seed(plan.seed)

    def judge(batch: tuple[Tensor, Tensor]) -> BatchLoss:
        seen, truth = batch
        losses = losses_of(network_output(net, seen), truth)
        return sum(losses, torch.zeros(())), tuple(float(loss.detach()) for loss in losses)

    batches = _batches(rng, sources, plan.batch, turn)
    course = Course(plan.minutes, plan.rate, decay=1e-2, last=0.01)
    teach(net, batches, judge, course, say=_format_losses, report=report, save=save)


def _format_losses(*losses: float) -> str:
    return "losses " + ", ".join(f"{loss:.4f}" for loss in losses)


def _batches(
    rng: np.random.Generator, sources: Sequence[tuple[Peaks, float]], size: int, turn: Turn
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield patches and their truth forever; the next batch is prepared while a step is taken."""
    cumulative, ends = np.cumsum(_place_odds(sources)), np.cumsum([len(places) for places, _ in sources])

    def draw_batch() -> tuple[Tensor, Tensor]:
        seen, truth = [], []
        for n in np.minimum(np.searchsorted(cumulative, rng.random(size)), ends[-1] - 1):
            source = int(np.searchsorted(ends, n, side="right"))  # not concatenated: some lie on disk
            places = sources[source][0]
            index = int(n) - int(ends[source]) + len(places)
            seen.append(turn(rng, np.asarray(places.patches[index])))
            truth.append(places.truth[index])
        return pixels_of(seen), torch.from_numpy(np.stack(truth))

    return prefetch(draw_batch)


def _place_odds(sources: Sequence[tuple[Peaks, float]]) -> Doubles:
    """Return the (N,) probabilities with which the places are drawn."""
    parts = []
    for peaks, share in sources:
        odds = np.array([HARD[int(number)] for number in peaks.truth[:, 0]])
        parts.append(share * odds / max(1.0, float(odds.sum())))
    probabilities: Doubles = np.concatenate(parts)
    probabilities /= probabilities.sum()
    return probabilities


def losses_of(logits: Tensor, truth: Tensor) -> list[Tensor]:
    """Return the weighted losses of the number of cubes, the upper cube's colour and the lower one's."""
    upper_end = MOST + len(COLOURS)
    number = functional.cross_entropy(logits[:, :MOST], truth[:, 0])
    upper = functional.cross_entropy(logits[:, MOST:upper_end], truth[:, 1], ignore_index=NOT_KNOWN)
    lower = functional.cross_entropy(
        logits[:, upper_end:], truth[:, 2], ignore_index=NOT_KNOWN, reduction="sum"
    )
    return [number, 0.3 * upper, lower / len(truth)]


def load_closer(path: Path) -> CloserNet:
    """Load a network from a checkpoint. Raises `CheckpointError`."""
    return load_weights(CloserNet(), read_weights(path), path)


def curves_of(net: CloserNet, peaks: Peaks) -> Curves:
    """Fit the likeliest curves, on places that neither network learned from."""
    net.eval()
    edge = (STORED_PX - PATCH_PX) // 2
    middle = peaks.patches[:, edge : edge + PATCH_PX, edge : edge + PATCH_PX]
    with torch.no_grad():
        parts = [net(pixels_of(list(middle[n : n + 256]))).numpy() for n in range(0, len(middle), 256)]
    return fit_curves(np.concatenate(parts), peaks.scores, peaks.truth)


def export_closer(net: nn.Module, path: Path) -> None:
    """Write a network for any number of patches, with batch normalisation folded in."""
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(2, 4, PATCH_PX, PATCH_PX),),
        str(path),
        input_names=["patches"],
        output_names=["logits"],
        opset_version=17,
        dynamic_axes={"patches": {0: "number"}, "logits": {0: "number"}},
        dynamo=False,  # as for the detector (`net.export`)
    )
