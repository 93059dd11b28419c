"""Training data of the closer and the wide look on a graphics card: places, as they are stored."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from calibration.training.batches import closer_centres, closer_views, wide_centres, wide_views
from calibration.training.card import Lesson
from calibration.training.closer import HARD, losses_of
from calibration.training.peaks import Peaks
from calibration.training.shards import CHECK, new_shards
from vision.finding.closer import MOST

_FEWEST_EACH = 100
"""Places a source needs before it gets its share."""
_FEWEST_TO_START = 2000
_GROWTH = 1.3
"""Factor by which a full store grows: the card holds old and new for a moment."""
_CHECK_BATCH = 512
"""Batch size when measuring."""


@dataclass(frozen=True, slots=True)
class LookViews:
    """How a look sees stored places: (N, S, S, C) uint8 in, (N, C, H, H) of -1..1 out."""

    varied: Callable[[Tensor, torch.Generator], Tensor]
    """For training."""
    plain: Callable[[Tensor], Tensor]
    """For measuring."""


LOOK_VIEWS = {"closer": LookViews(closer_views, closer_centres), "wide": LookViews(wide_views, wide_centres)}
"""How each look sees them."""


class Pool:
    """Stored places of one source on the device, in one tensor so that a draw is a single operation."""

    def __init__(self, device: torch.device) -> None:
        self._patches = torch.zeros(0, dtype=torch.uint8, device=device)
        self._truth = torch.zeros((0, 3), dtype=torch.long, device=device)
        self._odds = torch.zeros(0, device=device)

    def __len__(self) -> int:
        return len(self._truth)

    def add(self, places: Peaks) -> None:
        """Add places; hard ones are drawn more often."""
        device = self._truth.device
        self._patches = _append_rows(self._patches, len(self), torch.from_numpy(places.patches).to(device))
        self._truth = torch.cat([self._truth, torch.from_numpy(places.truth).to(device)])
        odds = torch.zeros(len(self), dtype=torch.double, device=device)
        for cubes, weight in HARD.items():
            odds[self._truth[:, 0] == cubes] = weight
        self._odds = odds.cumsum(0) / odds.sum().clamp(min=1e-9)

    def draw_places(self, number: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """Draw `number` patches with their truth."""
        level = torch.rand(number, device=self._odds.device, dtype=torch.double, generator=draw)
        chosen = torch.searchsorted(self._odds, level).clamp(max=len(self) - 1)
        return self._patches[chosen], self._truth[chosen]

    def all_places(self) -> tuple[Tensor, Tensor]:
        """Return all patches with their truth: for checks."""
        return self._patches[: len(self)], self._truth


def _append_rows(store: Tensor, filled: int, more: Tensor) -> Tensor:
    """Append rows to a store of which `filled` are used; return it, enlarged if it has no room."""
    end = filled + len(more)
    if end > len(store):
        larger = more.new_empty((max(end, round(_GROWTH * len(store))), *more.shape[1:]))
        if filled:
            larger[:filled] = store[:filled]
        store = larger
    store[filled:end] = more
    return store


def lesson_of(views: LookViews) -> Lesson[Pool]:
    """Return the lesson of a look that sees places this way."""

    def judge(
        net: nn.Module, pools: Mapping[str, Pool], numbers: Mapping[str, int], draw: torch.Generator
    ) -> list[Tensor]:
        parts = [pools[name].draw_places(number, draw) for name, number in numbers.items()]
        with torch.no_grad():
            shown = views.varied(torch.cat([patches for patches, _ in parts]), draw)
        return losses_of(_logits_of(net, shown), torch.cat([truth for _, truth in parts]))

    def check(net: nn.Module, pools: Mapping[str, Pool]) -> Iterator[str]:
        """Yield the log loss of the number of cubes on places that are never learned from."""
        device = next(net.parameters()).device
        for name in (name for name in pools if name.startswith(CHECK)):
            patches, truth = pools[name].all_places()
            with torch.no_grad():
                parts = [
                    _logits_of(net, views.plain(patches[k : k + _CHECK_BATCH].to(device)))
                    for k in range(0, len(truth), _CHECK_BATCH)
                ]
            loss = functional.cross_entropy(torch.cat(parts)[:, :MOST].cpu(), truth[:, 0])
            yield f"  {name}: {float(loss):.4f} of {len(truth)}"

    return Lesson("places", new_shards, Pool, judge, begin=_FEWEST_TO_START, few=_FEWEST_EACH, check=check)


def _logits_of(net: nn.Module, seen: Tensor) -> Tensor:
    seen = seen.contiguous(memory_format=torch.channels_last)
    with torch.autocast(seen.device.type, torch.bfloat16, enabled=seen.is_cuda):
        logits: Tensor = net(seen)
    return logits.float()
