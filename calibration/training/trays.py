"""Training data and loss of the detector on a graphics card: whole trays.

The same views, truth and loss as in `views.view` and `fit`, for a batch at once.
"""

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from calibration.synth.truth import COUNTED
from calibration.training.batches import DeviceRandom, Light, add_blur_and_grain, slant_matrices, warp
from calibration.training.card import Lesson
from calibration.training.matching import UNDECIDED
from calibration.training.shards import Trays, new_trays
from calibration.training.views import VIEW_PX
from vision.finding.detector import COLOURS, EDGE_PX, STRIDE

_CELLS = VIEW_PX // STRIDE
_MOST_CUBES = 64
_FEWEST_TO_START = 40
"""Trays needed before training starts."""
_AIMED_SHARE, _AIM_OFF_PX, _MARGIN_PX = 0.8, 40.0, 60
"""Share of views aimed at a cube and the deviation from it in px; margin in px for the others."""
_SCALE_RANGE = 0.17
_FORGETTING = 0.4
"""How quickly a tray's earlier losses are forgotten."""
_PEAK_EDGES, _UNDECIDED_EDGES = 0.14, 0.5
"""Width of the peak at a centre, and radius where neither answer is penalised, in cube edges."""
_LEVELS = 127.5


class Shelf:
    """Trays of one source on the card, and the recent loss of each."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._pictures: list[Tensor] = []
        self._cubes: list[Tensor] = []
        self.recent_losses = torch.zeros(0, device=device)

    def __len__(self) -> int:
        return len(self.recent_losses)

    def add(self, trays: Trays) -> None:
        """Add trays."""
        self._pictures += list(torch.from_numpy(trays.pictures).to(self._device))
        table = torch.zeros(len(trays), _MOST_CUBES, 6)
        for n, cubes in enumerate(trays.cubes):
            rows = torch.from_numpy(cubes[:_MOST_CUBES])
            table[n, : len(rows)] = rows
        self._cubes += list(table.to(self._device))
        self.recent_losses = torch.cat(
            [self.recent_losses, torch.full((len(trays),), 10.0, device=self._device)]
        )

    def draw_trays(self, number: int, draw: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Draw trays, hard ones more often: (N,) indices, (N, S, S, 3) uint8 and (N, _MOST_CUBES, 6).

        Rows with an edge of 0 are no cubes.
        """
        which = torch.multinomial(self.recent_losses.sqrt() + 0.3, number, replacement=True, generator=draw)
        numbers = which.tolist()
        pictures = torch.stack([self._pictures[n] for n in numbers])
        return which, pictures, torch.stack([self._cubes[n] for n in numbers])

    def note_losses(self, which: Tensor, losses: Tensor) -> None:
        """Note the losses of these trays this time."""
        self.recent_losses[which] = (1 - _FORGETTING) * self.recent_losses[which] + _FORGETTING * losses


def views(pictures: Tensor, cubes: Tensor, draw: torch.Generator) -> tuple[Tensor, Tensor]:
    """Make random views of (N, S, S, 3) uint8 trays with (N, M, 6) cubes.

    Returns (N, 3, VIEW_PX, VIEW_PX) in -1..1, and the cubes in pixels of these.
    """
    n, side = len(pictures), pictures.shape[1]
    rand = DeviceRandom(draw, pictures.device)
    turn = rand.uniform(n) * 2 * math.pi
    scale = torch.exp((2 * rand.uniform(n) - 1) * _SCALE_RANGE)
    mirror = torch.where(rand.uniform(n) < 0.5, -1.0, 1.0)
    c, s = torch.cos(turn) * scale, torch.sin(turn) * scale
    matrix = torch.stack([torch.stack([c * mirror, -s], 1), torch.stack([s * mirror, c], 1)], 1)
    matrix = slant_matrices(rand, n) @ matrix
    is_cube = cubes[:, :, 4] > 0
    cube_counts = is_cube.sum(1)
    chosen = (rand.uniform(n) * cube_counts).long().clamp(max=cubes.shape[1] - 1)
    at_cube = cubes[torch.arange(n, device=cubes.device), chosen, :2] + _AIM_OFF_PX * rand.normal(n, 2)
    anywhere = _MARGIN_PX + rand.uniform(n, 2) * (side - 2 * _MARGIN_PX)
    aims_at_cube = (rand.uniform(n) < _AIMED_SHARE) & (cube_counts > 0)
    look_at = torch.where(aims_at_cube[:, None], at_cube, anywhere)
    middle = (side - 1) / 2
    shift = -(matrix @ (look_at - middle)[:, :, None])[:, :, 0]
    x = pictures.permute(0, 3, 1, 2).float()
    seen = torch.floor(warp(x, matrix, shift, VIEW_PX) + 0.5)
    seen = add_blur_and_grain(Light(rand, n).relight(seen, VIEW_PX), rand)
    placed = cubes.clone()
    placed[:, :, :2] = (
        (cubes[:, :, :2] - middle) @ matrix.transpose(1, 2) + shift[:, None] + (VIEW_PX - 1) / 2
    )
    placed[:, :, 4] *= scale[:, None]
    return seen / _LEVELS - 1, placed


def loss_of(cells: Tensor, cubes: Tensor) -> tuple[Tensor, Tensor]:
    """Return the loss of (N, CHANNELS, H, H) against (N, M, 6) cubes, and each view's presence loss, (N,)."""
    visible, edge, colour = cubes[:, :, 3], cubes[:, :, 4], cubes[:, :, 2]
    u, v = ((cubes[:, :, k] + 0.5) / STRIDE - 0.5 for k in (0, 1))
    column, row = u.round(), v.round()
    inside = (edge > 0) & (row >= 0) & (row < _CELLS) & (column >= 0) & (column < _CELLS)
    undecided = inside & ((visible - COUNTED).abs() < UNDECIDED)
    counted = inside & ~undecided & (visible >= COUNTED)
    along = torch.arange(_CELLS, device=cells.device, dtype=torch.float32)
    distance_sq = (along[None, None, None] - u[:, :, None, None]) ** 2
    distance_sq = distance_sq + (along[None, None, :, None] - v[:, :, None, None]) ** 2
    edge_cells = edge.clamp(min=1e-3)[:, :, None, None] / STRIDE
    hills = torch.exp(-distance_sq / (2 * (_PEAK_EDGES * edge_cells) ** 2)) * counted[:, :, None, None]
    heat = hills.amax(1)
    known = ~((distance_sq < (_UNDECIDED_EDGES * edge_cells) ** 2) & undecided[:, :, None, None]).any(1)
    image, number = counted.nonzero(as_tuple=True)
    cell = row[image, number].long(), column[image, number].long()
    heat[image, cell[0], cell[1]] = 1.0
    at_peak = heat > 0.999
    known |= at_peak
    logits = cells[:, 0].float()
    probability = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    hit = -((1 - probability) ** 2) * torch.log(probability) * at_peak
    miss = -(probability**2) * torch.log(1 - probability) * (1 - heat) ** 4 * ~at_peak
    cell_losses = (hit + miss) * known
    presence = cell_losses.sum() / at_peak.sum().clamp(min=8)
    view_losses = cell_losses.detach().sum((1, 2))
    # The nearest cube owns its own cell and the four beside it.
    column_distance = (along[None, None, None] - column[:, :, None, None]).abs()
    cell_distance = column_distance + (along[None, None, :, None] - row[:, :, None, None]).abs()
    owner_distance = torch.where((cell_distance <= 1) & counted[:, :, None, None], distance_sq, torch.inf)
    nearest, which = owner_distance.min(1)
    image, cell_row, cell_column = torch.isfinite(nearest).nonzero(as_tuple=True)
    if not len(image):
        return presence, view_losses
    cube = which[image, cell_row, cell_column]
    predictions = cells.float()[image, :, cell_row, cell_column]
    colours_end = 1 + len(COLOURS)
    colour_loss = functional.cross_entropy(
        predictions[:, 1:colours_end], colour[image, cube].long(), label_smoothing=0.02
    )
    size = torch.log(edge[image, cube] / EDGE_PX)
    truth = torch.stack([u[image, cube] - cell_column, v[image, cube] - cell_row, size], 1)
    geometry_loss = functional.smooth_l1_loss(predictions[:, colours_end:], truth, beta=0.2)
    return presence + 0.5 * colour_loss + geometry_loss, view_losses


def _judge(
    net: nn.Module, shelves: Mapping[str, Shelf], numbers: Mapping[str, int], draw: torch.Generator
) -> list[Tensor]:
    parts = {name: shelves[name].draw_trays(number, draw) for name, number in numbers.items()}
    with torch.no_grad():
        pictures, cubes = (torch.cat([part[k] for part in parts.values()]) for k in (1, 2))
        seen, placed = views(pictures, cubes, draw)
    seen = seen.contiguous(memory_format=torch.channels_last)
    with torch.autocast(seen.device.type, torch.bfloat16, enabled=seen.is_cuda):
        cells = net(seen)
    loss, view_losses = loss_of(cells, placed)
    for name, (which, _, _) in parts.items():
        shelves[name].note_losses(which, view_losses[: len(which)])
        view_losses = view_losses[len(which) :]
    return [loss]


DETECTOR = Lesson("trays", new_trays, Shelf, _judge, begin=_FEWEST_TO_START)
"""The detector's lesson on a card."""
