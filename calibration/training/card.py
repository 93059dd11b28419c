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
from calibration.training.timed import Course, update_average

_MEAN_DECAY = 0.9985
"""Decay of the moving average of the weights, per step."""
_CLIP = 5.0
_REPORT_EVERY_S, _SAVE_EVERY_S = 20.0, 60.0
_MAX_SHARDS = 8
"""Maximum number of shards taken in between two steps."""
Shard = TypeVar("Shard")


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


def require_folders(*folders: Path) -> None:
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
    require_folders(folder, save.parent)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    draw = torch.Generator(device=device).manual_seed(7)
    pupil = _Pupil(net.to(device=device, memory_format=torch.channels_last), course)
    stores: dict[str, Held] = {}
    take_arrived, stop = read_in_background(lambda known: lesson.find(folder, known))
    started, last_report, last_save = time.monotonic(), 0.0, 0.0
    try:
        while (spent := (time.monotonic() - started) / (60 * course.minutes)) < 1:
            _store_shards(take_arrived(), stores, lesson, device)
            batch_counts = _batch_counts(stores, shares, lesson, batch)
            if not batch_counts:
                time.sleep(0.2)
                continue
            pupil.begin_step(spent)
            losses = lesson.judge(net, stores, batch_counts, draw)
            pupil.end_step(losses)
            now = time.monotonic()
            if now - last_report > _REPORT_EVERY_S:
                last_report = now
                loss_text = ", ".join(f"{float(loss.detach()):.4f}" for loss in losses)
                counts = ", ".join(f"{len(store)} {name}" for name, store in stores.items())
                report(
                    f"{course.minutes * spent:5.1f} min, step {pupil.steps}, losses {loss_text}, of {counts}"
                )
                if lesson.check is not None:
                    pupil.report_check(lesson.check, stores, report)
            if now - last_save > _SAVE_EVERY_S:
                last_save = now
                pupil.save(save)
    finally:
        stop.set()
    if not pupil.steps:
        raise PlacesError(
            f"No {lesson.begin} {lesson.what} to learn from came into {folder}, so nothing was learned.",
            "Let `python -m calibration.rays places` write there meanwhile.",
        )
    pupil.save(save)
    net.load_state_dict(pupil.mean)


def _store_shards(
    shards: Sequence[tuple[str, Any]], stores: dict[str, Held], lesson: Lesson[Held], device: torch.device
) -> None:
    """Add each shard to its source's store; stores that are only measured on take no memory on the card."""
    for source, contents in shards:
        if source not in stores:
            stores[source] = lesson.store(torch.device("cpu") if source.startswith(CHECK) else device)
        stores[source].add(contents)


def _batch_counts(
    stores: Mapping[str, Held], shares: Mapping[str, float], lesson: Lesson[Held], batch: int
) -> dict[str, int]:
    """Return how many items of each source make a batch; empty while there is too little to start."""
    ready_shares = {name: share for name, share in shares.items() if len(stores.get(name, ())) >= lesson.few}
    if sum(len(stores[name]) for name in ready_shares) < lesson.begin:
        return {}
    return {
        name: max(1, round(batch * share / sum(ready_shares.values())))
        for name, share in ready_shares.items()
    }


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
        update_average(self.mean, self._net, min(_MEAN_DECAY, (self.steps - 1) / (self.steps + 49)))

    def report_check(
        self,
        check: Callable[[nn.Module, Mapping[str, Held]], Iterator[str]],
        stores: Mapping[str, Held],
        report: Callable[[str], None],
    ) -> None:
        """Report what `check` says of the averaged weights."""
        current = {name: value.detach().clone() for name, value in self._net.state_dict().items()}
        self._net.load_state_dict(self.mean)
        self._net.eval()
        for line in check(self._net, stores):
            report(line)
        self._net.load_state_dict(current)

    def save(self, path: Path) -> None:
        """Save the averaged weights: written to another name and renamed, so never half written."""
        partial_path = path.with_suffix(".tmp")
        torch.save({name: value.cpu().contiguous() for name, value in self.mean.items()}, partial_path)
        partial_path.replace(path)


def read_in_background(
    find: Callable[[set[str]], Iterator[Shard]],
) -> tuple[Callable[[], list[Shard]], Event]:
    """Read shards in a thread; return a function that takes those that have arrived, and the stop event.

    The function raises what ended the thread, since training would go on with the first shards alone.
    """
    queue: Queue[Shard] = Queue(maxsize=64)
    stop = Event()
    failures: list[Exception] = []

    def read() -> None:
        known: set[str] = set()
        try:
            while not stop.wait(0.3):
                for shard in find(known):
                    queue.put(shard)
        except Exception as error:  # noqa: BLE001 - else the thread ends unnoticed, and nothing more arrives
            failures.append(error)

    def take_arrived() -> list[Shard]:
        if failures:
            raise failures[0]
        arrived: list[Shard] = []
        while len(arrived) < _MAX_SHARDS:
            try:
                arrived.append(queue.get_nowait())
            except Empty:
                break
        return arrived

    Thread(target=read, daemon=True).start()
    return take_arrived, stop
