"""Train a network on a graphics card, from shards that `calibration.rays places` writes at the same time."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any, Generic, Protocol, TypeVar

import torch
from torch import Tensor, nn

from calibration.training.hard import PlacesError
from calibration.training.shards import CHECK
from calibration.training.timed import Course, follow

_KEPT = 0.9985
"""Decay of the moving average of the weights, per step."""
_CLIP = 5.0
_SAID_S, _SAVED_S = 20.0, 60.0
_AT_ONCE = 8
"""Maximum number of shards taken in between two steps."""
One = TypeVar("One")


class Store(Protocol):
    """What has arrived from one source."""

    def __len__(self) -> int:
        """Return the number of items."""

    def add(self, more: Any) -> None:
        """Add the contents of one shard."""


Held = TypeVar("Held", bound=Store)


@dataclass(frozen=True, slots=True)
class Lesson(Generic[Held]):
    """What one network learns from, and how its loss is computed."""

    what: str
    """The items it learns from, in a word."""
    find: Callable[[Path, set[str]], Iterator[tuple[str, Any]]]
    """Finds new shards in a folder; yields the source and contents of each."""
    store: Callable[[torch.device], Held]
    """Makes an empty store."""
    judge: Callable[[nn.Module, Mapping[str, Held], Mapping[str, int], torch.Generator], list[Tensor]]
    """Losses of a batch with the given number of items from each store; training minimises their sum."""
    begin: int
    """Number of items needed before training starts."""
    few: int = 1
    """Number of items a source needs before it gets its share."""
    check: Callable[[nn.Module, Mapping[str, Held]], Iterator[str]] | None = None
    """Yields report lines about the stores that are never learned from."""


def there(*folders: Path) -> None:
    """Check that folders exist, before minutes of work. Raises `PlacesError` for one that does not."""
    for folder in folders:
        if not folder.is_dir():
            raise PlacesError(f"There is no folder {folder}.", "Make it, or name another.")


def teach_on_card(
    net: nn.Module,
    folder: Path,
    course: Course,
    shares: Mapping[str, float],
    lesson: Lesson[Held],
    *,
    batch: int,
    save: Path,
    report: Callable[[str], None],
) -> None:
    """Train `net` for the planned minutes from the shards in a folder, including those that arrive meanwhile.

    `shares`: share of each batch, by source. `net` ends with the moving average of its weights, which is
    also written to `save`. Raises `PlacesError` if a folder does not exist, or too little arrived.
    """
    there(folder, save.parent)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    draw = torch.Generator(device=device).manual_seed(7)
    pupil = _Pupil(net.to(device=device, memory_format=torch.channels_last), course)
    stores: dict[str, Held] = {}
    coming, done = coming_in(lambda known: lesson.find(folder, known))
    begun, said, saved = time.monotonic(), 0.0, 0.0
    try:
        while (spent := (time.monotonic() - begun) / (60 * course.minutes)) < 1:
            _take_in(coming(), stores, lesson, device)
            numbers = _batch(stores, shares, lesson, batch)
            if not numbers:
                time.sleep(0.2)
                continue
            pupil.begin_step(spent)
            losses = lesson.judge(net, stores, numbers, draw)
            pupil.end_step(losses)
            now = time.monotonic()
            if now - said > _SAID_S:
                said = now
                told = ", ".join(f"{float(loss.detach()):.4f}" for loss in losses)
                counts = ", ".join(f"{len(store)} {name}" for name, store in stores.items())
                report(f"{course.minutes * spent:5.1f} min, step {pupil.steps}, losses {told}, of {counts}")
                if lesson.check is not None:
                    pupil.tell(lesson.check, stores, report)
            if now - saved > _SAVED_S:
                saved = now
                pupil.save(save)
    finally:
        done.set()
    if not pupil.steps:
        raise PlacesError(
            f"No {lesson.begin} {lesson.what} to learn from came into {folder}, so nothing was learned.",
            "Let `python -m calibration.rays places` write there meanwhile.",
        )
    pupil.save(save)
    net.load_state_dict(pupil.mean)


def _take_in(
    came: Sequence[tuple[str, Any]], stores: dict[str, Held], lesson: Lesson[Held], device: torch.device
) -> None:
    """Add each shard to its source's store; stores that are only measured on take no memory on the card."""
    for source, more in came:
        if source not in stores:
            stores[source] = lesson.store(torch.device("cpu") if source.startswith(CHECK) else device)
        stores[source].add(more)


def _batch(
    stores: Mapping[str, Held], shares: Mapping[str, float], lesson: Lesson[Held], batch: int
) -> dict[str, int]:
    """Return how many items of each source make a batch; empty while there is too little to start."""
    here = {name: share for name, share in shares.items() if len(stores.get(name, ())) >= lesson.few}
    if sum(len(stores[name]) for name in here) < lesson.begin:
        return {}
    return {name: max(1, round(batch * share / sum(here.values()))) for name, share in here.items()}


class _Pupil:
    """A network that learns step by step, and the moving average of its weights, which is what is kept."""

    def __init__(self, net: nn.Module, course: Course) -> None:
        self._net = net
        self._course = course
        self._optimiser = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=course.decay)
        self.mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
        self.steps = 0

    def begin_step(self, spent: float) -> None:
        """Set the learning rate, which depends on the share of the time already spent, 0..1."""
        self.steps += 1
        for group in self._optimiser.param_groups:
            group["lr"] = self._course.rate_at(self.steps, spent)
        self._net.train()

    def end_step(self, losses: list[Tensor]) -> None:
        """Take a step down the sum of the losses."""
        self._optimiser.zero_grad(set_to_none=True)
        torch.stack(losses).sum().backward()
        nn.utils.clip_grad_norm_(self._net.parameters(), _CLIP)
        self._optimiser.step()
        follow(self.mean, self._net, min(_KEPT, (self.steps - 1) / (self.steps + 49)))

    def tell(
        self,
        check: Callable[[nn.Module, Mapping[str, Held]], Iterator[str]],
        stores: Mapping[str, Held],
        report: Callable[[str], None],
    ) -> None:
        """Report what `check` says of the averaged weights."""
        kept = {name: value.detach().clone() for name, value in self._net.state_dict().items()}
        self._net.load_state_dict(self.mean)
        self._net.eval()
        for line in check(self._net, stores):
            report(line)
        self._net.load_state_dict(kept)

    def save(self, path: Path) -> None:
        """Save the averaged weights: written to another name and renamed, so never half written."""
        beside = path.with_suffix(".tmp")
        torch.save({name: value.cpu().contiguous() for name, value in self.mean.items()}, beside)
        beside.replace(path)


def coming_in(find: Callable[[set[str]], Iterator[One]]) -> tuple[Callable[[], list[One]], Event]:
    """Read shards in a thread; return a function that takes those that have arrived, and the stop event."""
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
