"""Teaches the wide look on a graphics card, from places that `calibration.rays places` writes meanwhile."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread

import torch
from torch import Tensor, nn
from torch.nn import functional

from calibration.training.batches import as_it_is, varied
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
_ONCE = 512


class Pool:
    """Places of one source, as they are stored, on the card."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._patches: list[Tensor] = []
        self._truth: list[Tensor] = []
        self._ends = torch.zeros(0)
        self._odds = torch.zeros(0)

    def __len__(self) -> int:
        return sum(len(truth) for truth in self._truth)

    def add(self, places: Peaks) -> None:
        """More of them; hard ones are drawn more often."""
        self._patches.append(torch.from_numpy(places.patches).to(self._device))
        self._truth.append(torch.from_numpy(places.truth).to(self._device))
        number = torch.cat([truth[:, 0] for truth in self._truth]).cpu()
        odds = torch.zeros(len(number), dtype=torch.double)
        for cubes, weight in HARD.items():
            odds[number == cubes] = weight
        self._odds = (odds.cumsum(0) / odds.sum().clamp(min=1e-9)).to(self._device)
        self._ends = torch.tensor([len(truth) for truth in self._truth]).cumsum(0)

    def drawn(self, number: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """So many patches with their truth."""
        at = torch.rand(number, device=self._device, dtype=torch.double, generator=draw)
        which = torch.searchsorted(self._odds, at).clamp(max=len(self) - 1).cpu()
        part = torch.searchsorted(self._ends, which, right=True)
        begins = torch.cat([torch.zeros(1, dtype=torch.long), self._ends[:-1]])
        patches, truth = [], []
        for k in part.unique().tolist():
            own = (which[part == k] - begins[k]).to(self._device)
            patches.append(self._patches[k][own])
            truth.append(self._truth[k][own])
        return torch.cat(patches), torch.cat(truth)

    def all_of_it(self) -> tuple[Tensor, Tensor]:
        """Of a check."""
        return torch.cat(self._patches), torch.cat(self._truth)


def teach_on_card(
    net: nn.Module,
    folder: Path,
    course: Course,
    shares: Mapping[str, float],
    *,
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
    coming, done = _reading(folder)
    begun, said, saved, step = time.monotonic(), 0.0, 0.0, 0
    try:
        while (spent := (time.monotonic() - begun) / (60 * course.minutes)) < 1:
            _take_in(coming, pools, device)
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
            losses = _step(net, optimiser, parts, draw)
            follow(mean, net, min(_KEPT, (step - 1) / (step + 49)))
            now = time.monotonic()
            if now - said > _SAID_S:
                said = now
                told = ", ".join(f"{float(loss.detach()):.4f}" for loss in losses)
                counts = ", ".join(f"{len(pool)} {name}" for name, pool in pools.items())
                report(f"{course.minutes * spent:5.1f} min, step {step}, losses {told}, of {counts}")
                _check(net, mean, pools, report)
            if now - saved > _SAVED_S:
                saved = now
                _save(mean, save)
    finally:
        done.set()
    if not step:
        raise PlacesError(
            f"No {_BEGIN} places to learn from came into {folder}, so nothing was learned.",
            "Let `python -m calibration.rays places` write there meanwhile.",
        )
    _save(mean, save)
    net.load_state_dict(mean)


def _reading(folder: Path) -> tuple[Queue[tuple[str, Peaks]], Event]:
    """Shards, read by a thread; and what ends it."""
    coming: Queue[tuple[str, Peaks]] = Queue(maxsize=16)
    done = Event()

    def read() -> None:
        known: set[str] = set()
        while not done.wait(0.3):
            for shard in new_shards(folder, known):
                coming.put(shard)

    Thread(target=read, daemon=True).start()
    return coming, done


def _take_in(coming: Queue[tuple[str, Peaks]], pools: dict[str, Pool], device: torch.device) -> None:
    try:
        source, places = coming.get_nowait()
    except Empty:
        return
    where = torch.device("cpu") if source.startswith(CHECK) else device
    pools.setdefault(source, Pool(where)).add(places)


def _step(
    net: nn.Module,
    optimiser: torch.optim.Optimizer,
    parts: list[tuple[Tensor, Tensor]],
    draw: torch.Generator,
) -> list[Tensor]:
    truth = torch.cat([truth for _, truth in parts])
    with torch.no_grad():
        seen = varied(torch.cat([patches for patches, _ in parts]), draw)
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
    net: nn.Module, mean: dict[str, Tensor], pools: Mapping[str, Pool], report: Callable[[str], None]
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
                _said(net, as_it_is(patches[k : k + _ONCE].to(device))) for k in range(0, len(truth), _ONCE)
            ]
        loss = functional.cross_entropy(torch.cat(parts)[:, :MOST].cpu(), truth[:, 0])
        report(f"  {name}: {float(loss):.4f} of {len(truth)}")
    net.load_state_dict(kept)


def _save(mean: Mapping[str, Tensor], path: Path) -> None:
    beside = path.with_suffix(".tmp")
    torch.save({name: value.cpu().contiguous() for name, value in mean.items()}, beside)
    beside.replace(path)
