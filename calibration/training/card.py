"""Teaches a network on a graphics card, from shards that `calibration.rays places` writes meanwhile."""

import time
from collections.abc import Callable, Iterator, Mapping
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
"""Share of the mean of weights that a step leaves as it is."""
_CLIP = 5.0
_SAID_S, _SAVED_S = 20.0, 60.0
_AT_ONCE = 8
"""Shards that are taken in between two steps."""
One = TypeVar("One")


class Store(Protocol):
    """What came of one source, on the card."""

    def __len__(self) -> int:
        """How much there is."""

    def add(self, more: Any) -> None:
        """What one shard holds."""


Held = TypeVar("Held", bound=Store)


@dataclass(frozen=True, slots=True)
class Lesson(Generic[Held]):
    """What one network learns from, and how it is judged."""

    what: str
    """It learns from, in a word."""
    find: Callable[[Path, set[str]], Iterator[tuple[str, Any]]]
    """New shards of a folder: their source, and what each holds."""
    store: Callable[[torch.device], Held]
    """An empty one."""
    judge: Callable[[nn.Module, Mapping[str, Held], Mapping[str, int], torch.Generator], list[Tensor]]
    """Losses of a batch of so many from each store; what is learned makes their sum smaller."""
    begin: int
    """From how much on."""
    few: int = 1
    """From how much on a source has its share."""
    check: Callable[[nn.Module, Mapping[str, Held]], Iterator[str]] | None = None
    """Lines of what it says of stores that are never learned from."""


def there(*folders: Path) -> None:
    """Told before the minutes that it takes. Raises `PlacesError` for one that is none."""
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
    """Trains `net` for the planned minutes from the shards in a folder, and of those that come meanwhile.

    `shares`: of what is learned, by source. It ends as the moving mean of its weights, in `save`.
    Raises `PlacesError` where the folders are not there, or too little came in all that time.
    """
    there(folder, save.parent)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    draw = torch.Generator(device=device).manual_seed(7)
    net.to(device=device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=course.decay)
    mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
    stores: dict[str, Held] = {}
    coming, done = coming_in(lambda known: lesson.find(folder, known))
    begun, said, saved, step = time.monotonic(), 0.0, 0.0, 0
    try:
        while (spent := (time.monotonic() - begun) / (60 * course.minutes)) < 1:
            for source, more in coming():
                where = torch.device("cpu") if source.startswith(CHECK) else device
                if source not in stores:
                    stores[source] = lesson.store(where)
                stores[source].add(more)
            here = {name: share for name, share in shares.items() if len(stores.get(name, ())) >= lesson.few}
            if sum(len(stores[name]) for name in here) < lesson.begin:
                time.sleep(0.2)
                continue
            step += 1
            numbers = {
                name: max(1, round(batch * share / sum(here.values()))) for name, share in here.items()
            }
            for group in optimiser.param_groups:
                group["lr"] = course.rate_at(step, spent)
            net.train()
            losses = lesson.judge(net, stores, numbers, draw)
            optimiser.zero_grad(set_to_none=True)
            torch.stack(losses).sum().backward()
            nn.utils.clip_grad_norm_(net.parameters(), _CLIP)
            optimiser.step()
            follow(mean, net, min(_KEPT, (step - 1) / (step + 49)))
            now = time.monotonic()
            if now - said > _SAID_S:
                said = now
                told = ", ".join(f"{float(loss.detach()):.4f}" for loss in losses)
                counts = ", ".join(f"{len(store)} {name}" for name, store in stores.items())
                report(f"{course.minutes * spent:5.1f} min, step {step}, losses {told}, of {counts}")
                if lesson.check is not None:
                    _tell(net, mean, lesson.check, stores, report)
            if now - saved > _SAVED_S:
                saved = now
                _save(mean, save)
    finally:
        done.set()
    if not step:
        raise PlacesError(
            f"No {lesson.begin} {lesson.what} to learn from came into {folder}, so nothing was learned.",
            "Let `python -m calibration.rays places` write there meanwhile.",
        )
    _save(mean, save)
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


def _tell(
    net: nn.Module,
    mean: dict[str, Tensor],
    check: Callable[[nn.Module, Mapping[str, Held]], Iterator[str]],
    stores: Mapping[str, Held],
    report: Callable[[str], None],
) -> None:
    """By the mean of weights."""
    kept = {name: value.detach().clone() for name, value in net.state_dict().items()}
    net.load_state_dict(mean)
    net.eval()
    for line in check(net, stores):
        report(line)
    net.load_state_dict(kept)


def _save(mean: Mapping[str, Tensor], path: Path) -> None:
    """Written beside and renamed: never half there."""
    beside = path.with_suffix(".tmp")
    torch.save({name: value.cpu().contiguous() for name, value in mean.items()}, beside)
    beside.replace(path)
