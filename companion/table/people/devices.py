"""Every device that talks to the table: what it calls itself, where it sits, and when it was last heard."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

MOST = 200
"""Devices remembered; the first to be forgotten has no stream and was not heard for longest."""


@dataclass(frozen=True, slots=True)
class Device:
    """One browser on one phone, tablet or computer."""

    id: str
    """Its own random name; not a secret, and no proof of anything."""
    name: str = ""
    page: str = ""
    seat: str = ""
    """The seat whose key it last showed."""
    address: str = ""
    host: bool = False
    joined: bool = False
    streams: int = 0
    """Streams open now: a visible page has one."""
    last_ms: int = 0

    def as_json(self, now_ms: int) -> dict[str, Any]:
        """Return the device for the host's page."""
        return {
            "id": self.id,
            "name": self.name,
            "page": self.page,
            "seat": self.seat or None,
            "address": self.address,
            "host": self.host,
            "joined": self.joined,
            "connected": self.streams > 0,
            "silent_s": 0 if self.streams else max(0, (now_ms - self.last_ms) // 1000),
        }


@dataclass(frozen=True, slots=True)
class Said:
    """What a request tells of its device."""

    id: str
    name: str = ""
    page: str = ""
    address: str = ""
    host: bool = False
    joined: bool = False


class Devices:
    """Thread-safe; kept only in memory."""

    def __init__(self, wall_ms: Callable[[], int]) -> None:
        self._wall_ms = wall_ms
        self._lock = threading.Lock()
        self._known: dict[str, Device] = {}

    def note_request(self, said: Said) -> None:
        """Note that a device asked for something."""
        if said.id:
            with self._lock:
                self._update_device(said)

    def note_stream_opened(self, said: Said) -> None:
        """Note that a device opened a stream."""
        if said.id:
            with self._lock:
                device = self._update_device(said)
                self._known[said.id] = replace(device, streams=device.streams + 1)

    def note_stream_closed(self, device: str) -> None:
        """Note that one of its streams was closed."""
        with self._lock:
            known = self._known.get(device)
            if known is not None:
                streams_left = max(0, known.streams - 1)
                self._known[device] = replace(known, streams=streams_left, last_ms=self._wall_ms())

    def note_seat(self, device: str, seat: str) -> None:
        """Note that it has shown the key of a seat, or let go of it ("")."""
        with self._lock:
            known = self._known.get(device)
            if known is not None and known.seat != seat:
                self._known[device] = replace(known, seat=seat)

    def forget_seats(self, seat: str | None = None) -> None:
        """Note that the key of a seat (None: of each) is void: nobody sits there until a device shows a new
        one."""
        with self._lock:
            for device, known in self._known.items():
                if known.seat and seat in (None, known.seat):
                    self._known[device] = replace(known, seat="")

    def all(self) -> list[Device]:
        """Return those that listen first, then the others by when they were last heard."""
        with self._lock:
            return sorted(self._known.values(), key=lambda d: (d.streams == 0, -d.last_ms, d.id))

    def as_json(self) -> list[dict[str, Any]]:
        """Return all devices, for the host's page."""
        now_ms = self._wall_ms()
        return [device.as_json(now_ms) for device in self.all()]

    def seats_without_device(self, taken: list[str]) -> list[str]:
        """Return seats that are taken, but by no device that listens now."""
        listening_seats = {device.seat for device in self.all() if device.streams}
        return [seat for seat in taken if seat not in listening_seats]

    def _update_device(self, said: Said) -> Device:
        now = self._wall_ms()
        known = self._known.get(said.id) or Device(said.id)
        device = replace(
            known,
            name=said.name or known.name,
            page=said.page or known.page,
            address=said.address,
            host=said.host,
            joined=said.joined,
            last_ms=now,
        )
        self._known[said.id] = device
        if len(self._known) > MOST:
            del self._known[min(self._known.values(), key=lambda d: (d.streams > 0, d.last_ms)).id]
        return device
