"""Teaches the detector on a graphics card, from whole trays that `calibration.rays places` writes meanwhile.

The same views, truth and loss as `views.view` and `fit`, for a batch at once.
"""

import math
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from calibration.synth.truth import COUNTED
from calibration.training.batches import Drawn, Light, grained, moved, slanted
from calibration.training.card import coming_in, save_mean
from calibration.training.hard import PlacesError
from calibration.training.matching import UNDECIDED
from calibration.training.shards import Trays, new_trays
from calibration.training.timed import Course, follow
from calibration.training.views import VIEW_PX
from vision.finding.detector import COLOURS, EDGE_PX, STRIDE

_CELLS = VIEW_PX // STRIDE
_MOST_CUBES = 64
_FEW = 40
"""Trays to begin with."""
_AT_CUBES, _AWAY_PX, _EDGE = 0.8, 40.0, 60
"""Views that look at a cube, how far from it; else anywhere but so near the edge."""
_LARGER = 0.17
_AGAIN = 0.4
"""How quickly what a tray costs is forgotten."""
_SIGMA, _UNKNOWN = 0.14, 0.5
"""Edges: of the hill about a centre, and of what is not held against either answer."""
_BESIDE = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
_KEPT, _CLIP = 0.9985, 5.0
_SAID_S, _SAVED_S = 20.0, 60.0
_LEVELS = 127.5


class Shelf:
    """Trays of one source on the card, and what each has cost lately."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._pictures: list[Tensor] = []
        self._cubes: list[Tensor] = []
        self.hard = torch.zeros(0, device=device)

    def __len__(self) -> int:
        return len(self.hard)

    def add(self, trays: Trays) -> None:
        """More of them."""
        self._pictures += list(torch.from_numpy(trays.pictures).to(self._device))
        table = torch.zeros(len(trays), _MOST_CUBES, 6)
        for n, cubes in enumerate(trays.cubes):
            few = torch.from_numpy(cubes[:_MOST_CUBES])
            table[n, : len(few)] = few
        self._cubes += list(table.to(self._device))
        self.hard = torch.cat([self.hard, torch.full((len(trays),), 10.0, device=self._device)])

    def drawn(self, number: int, draw: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """So many trays: (N,) numbers, (N, S, S, 3) uint8, (N, _MOST_CUBES, 6), edge 0 for none."""
        which = torch.multinomial(self.hard.sqrt() + 0.3, number, replacement=True, generator=draw)
        numbers = which.tolist()
        pictures = torch.stack([self._pictures[n] for n in numbers])
        return which, pictures, torch.stack([self._cubes[n] for n in numbers])

    def learned(self, which: Tensor, cost: Tensor) -> None:
        """What they cost this time."""
        self.hard[which] = (1 - _AGAIN) * self.hard[which] + _AGAIN * cost


def views(pictures: Tensor, cubes: Tensor, draw: torch.Generator) -> tuple[Tensor, Tensor]:
    """(N, 3, VIEW_PX, VIEW_PX), -1..1, of (N, S, S, 3) uint8; their (N, M, 6) cubes in pixels of these."""
    n, side = len(pictures), pictures.shape[1]
    rand = Drawn(draw, pictures.device)
    turn = rand.even(n) * 2 * math.pi
    scale = torch.exp((2 * rand.even(n) - 1) * _LARGER)
    mirror = torch.where(rand.even(n) < 0.5, -1.0, 1.0)
    c, s = torch.cos(turn) * scale, torch.sin(turn) * scale
    matrix = torch.stack([torch.stack([c * mirror, -s], 1), torch.stack([s * mirror, c], 1)], 1)
    matrix = slanted(rand, n) @ matrix
    there = cubes[:, :, 4] > 0
    number = there.sum(1)
    chosen = (rand.even(n) * number).long().clamp(max=cubes.shape[1] - 1)
    at_cube = cubes[torch.arange(n, device=cubes.device), chosen, :2] + _AWAY_PX * rand.normal(n, 2)
    anywhere = _EDGE + rand.even(n, 2) * (side - 2 * _EDGE)
    looks = (rand.even(n) < _AT_CUBES) & (number > 0)
    look_at = torch.where(looks[:, None], at_cube, anywhere)
    middle = (side - 1) / 2
    off = -(matrix @ (look_at - middle)[:, :, None])[:, :, 0]
    x = pictures.permute(0, 3, 1, 2).float()
    seen = torch.floor(moved(x, matrix, off, VIEW_PX) + 0.5)
    seen = grained(Light(rand, n).on(seen, VIEW_PX), rand)
    placed = cubes.clone()
    placed[:, :, :2] = (cubes[:, :, :2] - middle) @ matrix.transpose(1, 2) + off[:, None] + (VIEW_PX - 1) / 2
    placed[:, :, 4] *= scale[:, None]
    return seen / _LEVELS - 1, placed


def loss_of(cells: Tensor, cubes: Tensor) -> tuple[Tensor, Tensor]:
    """Of (N, CHANNELS, H, H) for (N, M, 6) cubes of views; and (N,) how hard each view's presence was."""
    visible, edge, colour = cubes[:, :, 3], cubes[:, :, 4], cubes[:, :, 2]
    u, v = ((cubes[:, :, k] + 0.5) / STRIDE - 0.5 for k in (0, 1))
    column, row = u.round(), v.round()
    inside = (edge > 0) & (row >= 0) & (row < _CELLS) & (column >= 0) & (column < _CELLS)
    undecided = inside & ((visible - COUNTED).abs() < UNDECIDED)
    counted = inside & ~undecided & (visible >= COUNTED)
    along = torch.arange(_CELLS, device=cells.device, dtype=torch.float32)
    away = (along[None, None, None] - u[:, :, None, None]) ** 2
    away = away + (along[None, None, :, None] - v[:, :, None, None]) ** 2
    wide = edge.clamp(min=1e-3)[:, :, None, None] / STRIDE
    hills = torch.exp(-away / (2 * (_SIGMA * wide) ** 2)) * counted[:, :, None, None]
    heat = hills.amax(1)
    known = ~((away < (_UNKNOWN * wide) ** 2) & undecided[:, :, None, None]).any(1)
    image, number = counted.nonzero(as_tuple=True)
    own = row[image, number].long(), column[image, number].long()
    heat[image, own[0], own[1]] = 1.0
    at_peak = heat > 0.999
    known |= at_peak
    logits = cells[:, 0].float()
    probability = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    hit = -((1 - probability) ** 2) * torch.log(probability) * at_peak
    miss = -(probability**2) * torch.log(1 - probability) * (1 - heat) ** 4 * ~at_peak
    every = (hit + miss) * known
    presence = every.sum() / at_peak.sum().clamp(min=8)
    each = every.detach().sum((1, 2))
    # The nearest cube answers for its own cell and the four beside it.
    across = (along[None, None, None] - column[:, :, None, None]).abs()
    apart = across + (along[None, None, :, None] - row[:, :, None, None]).abs()
    far = torch.where((apart <= 1) & counted[:, :, None, None], away, torch.inf)
    nearest, which = far.min(1)
    image, down, over = torch.isfinite(nearest).nonzero(as_tuple=True)
    if not len(image):
        return presence, each
    cube = which[image, down, over]
    picked = cells.float()[image, :, down, over]
    end = 1 + len(COLOURS)
    named = functional.cross_entropy(picked[:, 1:end], colour[image, cube].long(), label_smoothing=0.02)
    size = torch.log(edge[image, cube] / EDGE_PX)
    truth = torch.stack([u[image, cube] - over, v[image, cube] - down, size], 1)
    rest = functional.smooth_l1_loss(picked[:, end:], truth, beta=0.2)
    return presence + 0.5 * named + rest, each


def teach_detector_on_card(
    net: nn.Module,
    folder: Path,
    course: Course,
    shares: Mapping[str, float],
    *,
    batch: int,
    save: Path,
    report: Callable[[str], None],
) -> None:
    """Trains `net` for the planned minutes, as `card.teach_on_card` does it, from shards of whole trays.

    Raises `PlacesError` where the folders are not there, or too few trays came in all that time.
    """
    for there in (folder, save.parent):
        if not there.is_dir():
            raise PlacesError(f"There is no folder {there}.", "Make it, or name another.")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    draw = torch.Generator(device=device).manual_seed(7)
    net.to(device=device, memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=course.decay)
    mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
    shelves: dict[str, Shelf] = {}
    coming, done = coming_in(lambda known: new_trays(folder, known))
    begun, said, saved, step, recent = time.monotonic(), 0.0, 0.0, 0, 0.0
    try:
        while (spent := (time.monotonic() - begun) / (60 * course.minutes)) < 1:
            for source, trays in coming():
                shelves.setdefault(source, Shelf(device)).add(trays)
            here = {name: share for name, share in shares.items() if len(shelves.get(name, ()))}
            if sum(len(shelves[name]) for name in here) < _FEW:
                time.sleep(0.2)
                continue
            step += 1
            for group in optimiser.param_groups:
                group["lr"] = course.rate_at(step, spent)
            parts = [
                (name, *shelves[name].drawn(max(1, round(batch * share / sum(here.values()))), draw))
                for name, share in here.items()
            ]
            with torch.no_grad():
                seen, cubes = views(
                    torch.cat([part[2] for part in parts]), torch.cat([part[3] for part in parts]), draw
                )
            seen = seen.contiguous(memory_format=torch.channels_last)
            with torch.autocast(device.type, torch.bfloat16, enabled=seen.is_cuda):
                cells = net(seen)
            loss, each = loss_of(cells, cubes)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), _CLIP)
            optimiser.step()
            follow(mean, net, min(_KEPT, (step - 1) / (step + 49)))
            for name, which, _, _ in parts:
                shelves[name].learned(which, each[: len(which)])
                each = each[len(which) :]
            now = time.monotonic()
            if now - said > _SAID_S:
                said, recent = now, float(loss.detach())
                counts = ", ".join(f"{len(shelf)} {name}" for name, shelf in shelves.items())
                report(f"{course.minutes * spent:5.1f} min, step {step}, loss {recent:.4f}, of {counts}")
            if now - saved > _SAVED_S:
                saved = now
                save_mean(mean, save)
    finally:
        done.set()
    if not step:
        raise PlacesError(
            f"No {_FEW} trays to learn from came into {folder}, so nothing was learned.",
            "Let `python -m calibration.rays places --of trays` write there meanwhile.",
        )
    save_mean(mean, save)
    net.load_state_dict(mean)
