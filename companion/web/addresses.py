"""The URLs of this computer: the one to open here, and the one that phones scan."""

import ipaddress
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flask import Flask

_EVERYWHERE: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not bound
LOOKS_S: Final = 5.0
"""Least time between looks at the network while pages are requested: names may take seconds to resolve."""
_SIOCGIFADDR: Final = 0x8915
"""SIOCGIFADDR of Linux: get the IPv4 address of a network interface."""


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """The address and port that are listened on, and the URLs that follow from them."""

    host: str
    port: int
    scheme: str = "http"

    @property
    def is_everywhere(self) -> bool:
        """Whether the server listens on all networks, present and future."""
        return self.host in _EVERYWHERE

    @property
    def local_url(self) -> str:
        """The URL to open on this computer."""
        return self._url("127.0.0.1" if self.is_everywhere else self.host)

    @property
    def phone_url(self) -> str:
        """The URL for phones on the present network; empty if they cannot reach this computer."""
        if not self.is_everywhere:
            return "" if _is_loopback(self.host) else self.local_url
        address = lan_address()
        return self._url(address) if address else ""

    def _url(self, address: str) -> str:
        url_host = f"[{address}]" if ":" in address else address
        return f"{self.scheme}://{url_host}:{self.port}/"


def keep_current(
    app: Flask, name: str, url: Callable[[], str], clock: Callable[[], float] = time.monotonic
) -> None:
    """Keep `app.config[name]` current: the network may appear, or the address change, during an evening."""
    due_s = clock()

    def look() -> None:
        nonlocal due_s
        if clock() >= due_s:
            due_s = clock() + LOOKS_S  # first, so that no other request looks too and waits
            app.config[name] = url()

    look()
    app.before_request(look)


def lan_address() -> str | None:
    """Return this machine's address on the home network, as phones reach it; None without a network."""
    return next(
        (address for address in _candidate_addresses() if address and not _is_loopback(address)), None
    )


def _candidate_addresses() -> Iterator[str | None]:
    """Yield candidates, the likeliest first; lazily, so that later sources are only asked if needed."""
    yield _route_address()
    yield from _interface_addresses()
    yield from _host_name_addresses()


def _route_address() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: the system only picks the route
            return str(probe.getsockname()[0])
        except OSError:  # no route, as with the computer's own hotspot
            return None


def _interface_addresses() -> list[str]:
    """Return the interfaces' addresses, real ones that are up first: no phone reaches container bridges."""
    if sys.platform != "linux":
        return []
    names = sorted((name for _, name in socket.if_nameindex()), key=_interface_rank)
    return [address for name in names if (address := _interface_address(name))]


def _interface_rank(name: str) -> tuple[bool, bool, str]:
    card = Path("/sys/class/net", name)
    up = False
    with suppress(OSError):
        up = (card / "operstate").read_text(encoding="ascii").strip() == "up"
    return not up, not (card / "device").exists(), name


def _interface_address(name: str) -> str | None:
    import fcntl  # noqa: PLC0415 - not on Windows

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            reply = fcntl.ioctl(probe, _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
        except OSError:  # it has no address
            return None
    return socket.inet_ntoa(reply[20:24])


def _host_name_addresses() -> list[str]:
    """Return the addresses that the host name resolves to, for systems other than Linux."""
    with suppress(OSError, UnicodeError):
        return [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
