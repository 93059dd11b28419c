"""Teaches the looks on a graphics card, from places that `calibration.rays places` writes meanwhile."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from typing import TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from calibration.training.batches import as_it_is, middle, turned, varied
from calibration.training.closer import HARD, losses_of
from calibration.training.hard import PlacesError
from calibration.training.peaks import Peaks
from calibration.training.shards import CHECK, new_shards
from calibration.training.timed import Course, follow
from vision.finding.closer import MOST

_FEW = 100
"""Places from which a source has its share."""
_BEGIN = 2000
_KEPT = 0.9985
"""Share of the mean of weights that a step leaves as it is."""
_CLIP = 5.0
_SAID_S, _SAVED_S = 20.0, 60.0
_GROWN = 1.3
"""A store that is full gets so much larger: the card holds old and new for a moment."""
_ONCE, _AT_ONCE = 512, 8
"""Places that are measured at once, shards that are taken in between two steps."""
One = TypeVar("One")


@dataclass(frozen=True, slots=True)
class Seen:
    """How a look sees what is stored of places: (N, S, S, C) uint8 in, (N, C, H, H) of -1..1 out."""

    varied: Callable[[Tensor, torch.Generator], Tensor]
    """While it learns."""
    plain: Callable[[Tensor], Tensor]
    """To measure."""


SEEN = {"closer": Seen(turned, middle), "wide": Seen(varied, as_it_is)}


class Pool:
    """Places of one source, as they are stored, on the card: in one piece, so that a draw is one step."""

    def __init__(self, device: torch.device) -> None:
        self._patches = torch.zeros(0, dtype=torch.uint8, device=device)
        self._truth = torch.zeros((0, 3), dtype=torch.long, device=device)
        self._odds = torch.zeros(0, device=device)

    def __len__(self) -> int:
        return len(self._truth)

    def add(self, places: Peaks) -> None:
        """More of them; hard ones are drawn more often."""
        device = self._truth.device
        self._patches = _with(self._patches, len(self), torch.from_numpy(places.patches).to(device))
        self._truth = torch.cat([self._truth, torch.from_numpy(places.truth).to(device)])
        odds = torch.zeros(len(self), dtype=torch.double, device=device)
        for cubes, weight in HARD.items():
            odds[self._truth[:, 0] == cubes] = weight
        self._odds = odds.cumsum(0) / odds.sum().clamp(min=1e-9)

    def drawn(self, number: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """So many patches with their truth."""
        at = torch.rand(number, device=self._odds.device, dtype=torch.double, generator=draw)
        which = torch.searchsorted(self._odds, at).clamp(max=len(self) - 1)
        return self._patches[which], self._truth[which]

    def all_of_it(self) -> tuple[Tensor, Tensor]:
        """Of a check."""
        return self._patches[: len(self)], self._truth


def _with(store: Tensor, filled: int, more: Tensor) -> Tensor:
    """A store of rows of which so many are filled, with more behind these; larger where it has no room."""
    end = filled + len(more)
    if end > len(store):
        larger = more.new_empty((max(end, round(_GROWN * len(store))), *more.shape[1:]))
        if filled:
            larger[:filled] = store[:filled]
        store = larger
    store[filled:end] = more
    return store


def teach_on_card(
    net: nn.Module,
    folder: Path,
    course: Course,
    shares: Mapping[str, float],
    *,
    seen: Seen,
    batch: int,
    save: Path,
    report: Callable[[str], None],
) -> None:
    """Trains `net` for the planned minutes from the shards in a folder, and of those that come meanwhile.

    `shares`: of what is learned, by source. It ends as the moving mean of its weights, in `save`.
    Raises `PlacesError` where the folders are not there, or too few places came in all that time.
    """
    for there in (folder, save.parent):  # told before the minutes that it takes
        if not there.is_dir():
            raise PlacesError(f"There is no folder {there}.", "Make it, or name another.")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    draw = torch.Generator(device=device).manual_seed(7)
    net.to(device=device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=course.decay)
    mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
    pools: dict[str, Pool] = {}
    coming, done = coming_in(lambda known: new_shards(folder, known))
    begun, said, saved, step = time.monotonic(), 0.0, 0.0, 0
    try:
        while (spent := (time.monotonic() - begun) / (60 * course.minutes)) < 1:
            for source, places in coming():
                where = torch.device("cpu") if source.startswith(CHECK) else device
                pools.setdefault(source, Pool(where)).add(places)
            here = {name: share for name, share in shares.items() if len(pools.get(name, ())) >= _FEW}
            if sum(len(pools[name]) for name in here) < _BEGIN:
                time.sleep(0.2)
                continue
            step += 1
            parts = [
                pools[name].drawn(max(1, round(batch * share / sum(here.values()))), draw)
                for name, share in here.items()
            ]
            for group in optimiser.param_groups:
                group["lr"] = course.rate_at(step, spent)
            losses = _step(net, optimiser, parts, seen.varied, draw)
            follow(mean, net, min(_KEPT, (step - 1) / (step + 49)))
            now = time.monotonic()
            if now - said > _SAID_S:
                said = now
                told = ", ".join(f"{float(loss.detach()):.4f}" for loss in losses)
                counts = ", ".join(f"{len(pool)} {name}" for name, pool in pools.items())
                report(f"{course.minutes * spent:5.1f} min, step {step}, losses {told}, of {counts}")
                _check(net, mean, pools, seen.plain, report)
            if now - saved > _SAVED_S:
                saved = now
                save_mean(mean, save)
    finally:
        done.set()
    if not step:
        raise PlacesError(
            f"No {_BEGIN} places to learn from came into {folder}, so nothing was learned.",
            "Let `python -m calibration.rays places` write there meanwhile.",
        )
    save_mean(mean, save)
    net.load_state_dict(mean)


def coming_in(find: Callable[[set[str]], Iterator[One]]) -> tuple[Callable[[], list[One]], Event]:
    """What gives the shards that came meanwhile, read by a thread; and what ends it."""
    queue: Queue[One] = Queue(maxsize=64)
    done = Event()

    def read() -> None:
        known: set[str] = set()
        while not done.wait(0.3):
            for shard in find(known):
                queue.put(shard)

    def taken() -> list[One]:
        came: list[One] = []
        while len(came) < _AT_ONCE:
            try:
                came.append(queue.get_nowait())
            except Empty:
                break
        return came

    Thread(target=read, daemon=True).start()
    return taken, done


def _step(
    net: nn.Module,
    optimiser: torch.optim.Optimizer,
    parts: list[tuple[Tensor, Tensor]],
    vary: Callable[[Tensor, torch.Generator], Tensor],
    draw: torch.Generator,
) -> list[Tensor]:
    truth = torch.cat([truth for _, truth in parts])
    with torch.no_grad():
        seen = vary(torch.cat([patches for patches, _ in parts]), draw)
    net.train()
    losses = losses_of(_said(net, seen), truth)
    optimiser.zero_grad(set_to_none=True)
    torch.stack(losses).sum().backward()
    nn.utils.clip_grad_norm_(net.parameters(), _CLIP)
    optimiser.step()
    return losses


def _said(net: nn.Module, seen: Tensor) -> Tensor:
    seen = seen.contiguous(memory_format=torch.channels_last)
    with torch.autocast(seen.device.type, torch.bfloat16, enabled=seen.is_cuda):
        said: Tensor = net(seen)
    return said.float()


def _check(
    net: nn.Module,
    mean: dict[str, Tensor],
    pools: Mapping[str, Pool],
    plain: Callable[[Tensor], Tensor],
    report: Callable[[str], None],
) -> None:
    """Log loss of the number, on places that are never learned from, by the mean of weights."""
    kept = {name: value.detach().clone() for name, value in net.state_dict().items()}
    net.load_state_dict(mean)
    net.eval()
    device = next(net.parameters()).device
    for name in (name for name in pools if name.startswith(CHECK)):
        patches, truth = pools[name].all_of_it()
        with torch.no_grad():
            parts = [
                _said(net, plain(patches[k : k + _ONCE].to(device))) for k in range(0, len(truth), _ONCE)
            ]
        loss = functional.cross_entropy(torch.cat(parts)[:, :MOST].cpu(), truth[:, 0])
        report(f"  {name}: {float(loss):.4f} of {len(truth)}")
    net.load_state_dict(kept)


def save_mean(mean: Mapping[str, Tensor], path: Path) -> None:
    """Written beside and renamed: never half there."""
    beside = path.with_suffix(".tmp")
    torch.save({name: value.cpu().contiguous() for name, value in mean.items()}, beside)
    beside.replace(path)
