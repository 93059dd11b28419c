"""Batched versions of `peaks.cut_wide_view` and `peaks.cut_turned_view`, on a graphics card or on the CPU.

Each place of a batch is moved, lit, blurred and given grain by random numbers of its own; the results have
the same distribution as those of the functions for one place.
"""

import math

import torch
from torch import Tensor
from torch.nn import functional

from calibration.training.peaks import (
    COARSER_CAMERA,
    EXACT,
    LEANING,
    OFF_PX,
    SCALED,
    SLOPE_OFF,
    STORED_PX,
    TURNED_OFF_PX,
    TURNED_SCALED,
    UPRIGHT_STORED_PX,
)
from calibration.training.views import BLURRED, COARSE_GRAIN, GRAINED, SHADED, SLANTED
from vision.finding.closer import PATCH_PX
from vision.finding.stored import SIDE_PX
from vision.finding.upright import NEAR_CHANNELS
from vision.finding.wide import COARSER

_TAPS = 4
_LEVELS, _HALF = 255.0, 127.5


def wide_views(stored: Tensor, draw: torch.Generator) -> Tensor:
    """Vary (N, S, S, CHANNELS) uint8 places, S = UPRIGHT_STORED_PX, for the wide look.

    Returns (N, CHANNELS, SIDE_PX, SIDE_PX) in -1..1.
    """
    n = len(stored)
    rand = DeviceRandom(draw, stored.device)
    x = stored.permute(0, 3, 1, 2).float()
    slope = x[:, NEAR_CHANNELS - 1, 0, 0] / _LEVELS + SLOPE_OFF * rand.normal(n)
    near, wide = _coarsen(x[:, : NEAR_CHANNELS - 1], rand), unpack_view(x[:, NEAR_CHANNELS])
    mirror = torch.where(rand.uniform(n) < 0.5, -1.0, 1.0)
    exact = rand.uniform(n) < EXACT
    lean = torch.where(exact, 0.0, LEANING * rand.normal(n))
    scale = torch.where(exact, 1.0, torch.exp(SCALED * rand.normal(n)))
    c, s = torch.cos(lean) * scale, torch.sin(lean) * scale
    matrix = torch.stack([torch.stack([c * mirror, -s * mirror], 1), torch.stack([s, c], 1)], 1)
    pixel_shift, free_shift = (1.2 * rand.normal(n, 2)).round().clamp(-6, 6), OFF_PX * rand.normal(n, 2)
    shift = torch.where(exact[:, None], pixel_shift, free_shift)
    wide_shift = torch.where(exact[:, None], 0.0, shift) / COARSER
    warped = _round_half_up(warp(near, matrix, shift, SIDE_PX))
    wide = _round_half_up(warp(wide, matrix, wide_shift, SIDE_PX // 2))
    light = Light(rand, n)
    seen = add_blur_and_grain(light.relight(warped[:, :3], SIDE_PX), rand)
    wide_lit = light.relight(wide[:, :3], SIDE_PX / COARSER)
    level = _round_half_up((_LEVELS * slope.clamp(min=0)).clamp(max=_LEVELS))[:, None, None, None]
    packed_wide = pack_view(torch.cat([wide_lit, wide[:, 3:]], 1))[:, None]
    return torch.cat([seen, warped[:, 3:], level.expand(n, 1, SIDE_PX, SIDE_PX), packed_wide], 1) / _HALF - 1


def closer_views(stored: Tensor, draw: torch.Generator) -> Tensor:
    """Vary (N, STORED_PX, STORED_PX, 4) uint8 places for the closer look.

    Returns (N, 4, PATCH_PX, PATCH_PX) in -1..1.
    """
    n, rand = len(stored), DeviceRandom(draw, stored.device)
    turn, scale = rand.uniform(n) * 2 * math.pi, torch.exp(TURNED_SCALED * rand.normal(n))
    mirror = torch.where(rand.uniform(n) < 0.5, -1.0, 1.0)
    c, s = torch.cos(turn) * scale, torch.sin(turn) * scale
    matrix = torch.stack([torch.stack([c * mirror, -s], 1), torch.stack([s * mirror, c], 1)], 1)
    shift = TURNED_OFF_PX * rand.normal(n, 2)
    x = stored.permute(0, 3, 1, 2).float()
    warped = _round_half_up(warp(x, slant_matrices(rand, n) @ matrix, shift, PATCH_PX))
    seen = add_blur_and_grain(Light(rand, n).relight(warped[:, :3], PATCH_PX), rand)
    return torch.cat([seen, warped[:, 3:]], 1) / _HALF - 1


def closer_centres(stored: Tensor) -> Tensor:
    """Return the centre of patches stored for the closer look, as the reader would see it, in -1..1."""
    edge = (STORED_PX - PATCH_PX) // 2
    return stored[:, edge:-edge, edge:-edge].permute(0, 3, 1, 2).float() / _HALF - 1


def slant_matrices(rand: "DeviceRandom", n: int) -> Tensor:
    """Return (N, 2, 2) matrices that shorten one way and stretch across it (`views.slant_matrix`)."""
    turn, shorter = rand.uniform(n) * math.pi, torch.exp(SLANTED * rand.normal(n))
    c, s = torch.cos(turn), torch.sin(turn)
    axes = torch.stack([torch.stack([c, s], 1), torch.stack([-s, c], 1)], 1)
    lengths = torch.stack([shorter, 1 / shorter], 1)
    return axes.transpose(1, 2) @ (lengths[:, :, None] * axes)


def wide_centres(stored: Tensor) -> Tensor:
    """Return the centre of patches stored for the wide look, as the reader would see it: for measuring."""
    x, edge = stored.permute(0, 3, 1, 2).float(), (UPRIGHT_STORED_PX - SIDE_PX) // 2
    wide = unpack_view(x[:, NEAR_CHANNELS])[:, :, edge // 2 : -edge // 2, edge // 2 : -edge // 2]
    near = x[:, :NEAR_CHANNELS, edge:-edge, edge:-edge]
    return torch.cat([near, pack_view(wide)[:, None]], 1) / _HALF - 1


def unpack_view(channel: Tensor) -> Tensor:
    """Turn (N, 2 S, 2 S) into (N, 4, S, S), as `calibration.training.packed.unpack_view`."""
    n, side = len(channel), channel.shape[1] // 2
    return channel.reshape(n, side, 2, side, 2).permute(0, 2, 4, 1, 3).reshape(n, 4, side, side)


def pack_view(view: Tensor) -> Tensor:
    """Turn (N, 4, S, S) into (N, 2 S, 2 S), as `calibration.training.packed.pack_view`."""
    n, side = len(view), view.shape[-1]
    return view.reshape(n, 2, 2, side, side).permute(0, 3, 1, 4, 2).reshape(n, 2 * side, 2 * side)


def warp(x: Tensor, matrix: Tensor, shift: Tensor, side: int) -> Tensor:
    """Warp (N, C, H, H) to (N, C, side, side): (N, 2, 2) matrices about the centres, then shifts in px."""
    along = torch.arange(side, device=x.device, dtype=x.dtype) - (side - 1) / 2
    down, across = torch.meshgrid(along, along, indexing="ij")
    places = torch.stack([across, down], -1).reshape(1, -1, 2) - shift[:, None]
    grid = places @ torch.linalg.inv(matrix).transpose(1, 2) * (2 / x.shape[-1])
    grid = grid.reshape(len(x), side, side, 2)
    return functional.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=False)


class DeviceRandom:
    """Random numbers on the device that holds the places."""

    def __init__(self, draw: torch.Generator, device: torch.device) -> None:
        self._draw, self._device = draw, device

    def uniform(self, *shape: int) -> Tensor:
        """Draw uniformly from 0..1."""
        return torch.rand(*shape, device=self._device, generator=self._draw)

    def normal(self, *shape: int) -> Tensor:
        """Draw from the standard normal distribution."""
        return torch.randn(*shape, device=self._device, generator=self._draw)

    def random_subset(self, n: int, share: float) -> Tensor:
        """Return the indices of a random subset of `n`, each chosen with probability `share`."""
        return (self.uniform(n) < share).nonzero()[:, 0]


class Light:
    """Different lighting for each of N places, applied alike to its surroundings (`views.vary_tone`)."""

    def __init__(self, rand: DeviceRandom, n: int) -> None:
        turn, low = rand.uniform(n) * 2 * math.pi, math.log(0.01)
        self._shaded = rand.uniform(n) < SHADED
        self._direction = torch.cos(turn), torch.sin(turn)
        self._soft = torch.exp(rand.uniform(n) * (math.log(1.5) - low) + low)
        self._edge = 0.25 * rand.normal(n)
        remaining = (0.25 + 0.65 * rand.uniform(n))[:, None] * torch.exp(0.06 * rand.normal(n, 3))
        self._dimming = 1 - remaining.clamp(max=1) ** (1 / 2.2)
        self._gain = torch.exp((0.1 + 0.3 * rand.normal(n))[:, None] + 0.08 * rand.normal(n, 3))
        self._gamma = 2.2 * torch.exp(0.08 * rand.normal(n))

    def relight(self, x: Tensor, side: float) -> Tensor:
        """Relight (N, 3, H, H) levels; the shadow's edge falls across the central square of this side."""
        along = torch.arange(x.shape[-1], device=x.device, dtype=x.dtype) - (x.shape[-1] - 1) / 2
        down, across = torch.meshgrid(along, along, indexing="ij")
        c, s, edge, soft = (
            v[:, None, None] for v in (*self._direction, self._edge * side, self._soft * side)
        )
        depth = ((c * across + s * down - edge) / soft + 0.5).clamp(0, 1)[:, None]
        dimmed = torch.floor(x * (1 - depth * self._dimming[:, :, None, None]))
        x = torch.where(self._shaded[:, None, None, None], dimmed, x)
        light = (x / _LEVELS).clamp(0, 1) ** self._gamma[:, None, None, None]
        return torch.floor((light * self._gain[:, :, None, None]).clamp(0, 1) ** (1 / 2.2) * _LEVELS)


def _coarsen(near: Tensor, rand: DeviceRandom) -> Tensor:
    """Show some as a camera with fewer pixels would; within a batch it is the same camera."""
    which, side = rand.random_subset(len(near), COARSER_CAMERA), near.shape[-1]
    if not len(which):
        return near
    few = int(side * (0.4 + 0.4 * float(rand.uniform(1))))
    small = functional.interpolate(near[which, :3], size=(few, few), mode="area")
    near = near.clone()
    near[which, :3] = _round_half_up(functional.interpolate(small, size=(side, side), mode="bilinear"))
    return near


def add_blur_and_grain(seen: Tensor, rand: DeviceRandom) -> Tensor:
    """Blur some and add grain to some, in place (`views.add_blur_and_grain`)."""
    which = rand.random_subset(len(seen), BLURRED)
    if len(which):
        seen[which] = _round_half_up(_blur(seen[which], 0.4 + 0.9 * rand.uniform(len(which))))
    which = rand.random_subset(len(seen), GRAINED)
    if len(which):
        grain = rand.normal(len(which), *seen.shape[1:])
        size = 0.4 + 0.6 * rand.uniform(len(which))
        coarse = _blur(grain, size) * (2.5 * size)[:, None, None, None]
        is_coarse = rand.uniform(len(which)) < COARSE_GRAIN
        grain = torch.where(is_coarse[:, None, None, None], coarse, grain)
        deep = torch.exp(rand.uniform(len(which)) * math.log(16))[:, None, None, None]
        seen[which] = torch.floor((seen[which] + grain * deep).clamp(0, _LEVELS))
    return seen


def _blur(x: Tensor, sigma: Tensor) -> Tensor:
    """Blur (N, C, H, W), each place by a Gaussian of its own width."""
    n, channels, height, width = x.shape
    along = torch.arange(-_TAPS, _TAPS + 1, device=x.device, dtype=x.dtype)
    kernel = torch.exp(-0.5 * (along[None] / sigma[:, None]) ** 2)
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(channels, 0)[:, None]
    y, groups = x.reshape(1, n * channels, height, width), n * channels
    y = functional.pad(y, (_TAPS, _TAPS, 0, 0), mode="reflect")
    y = functional.conv2d(y, kernel[:, :, None, :], groups=groups)
    y = functional.pad(y, (0, 0, _TAPS, _TAPS), mode="reflect")
    return functional.conv2d(y, kernel[:, :, :, None], groups=groups).view(x.shape)


def _round_half_up(x: Tensor) -> Tensor:
    return torch.floor(x + 0.5)
