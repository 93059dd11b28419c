"""Where this computer is reached: what a person opens here, and what phones scan."""

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
"""So often the network is looked at while pages are asked for: its names may take seconds to answer."""
_ASKED: Final = 0x8915
"""SIOCGIFADDR of Linux: the IPv4 address of a network card."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The pages at the address that is listened on, and a port."""

    host: str
    port: int
    scheme: str = "http"

    @property
    def everywhere(self) -> bool:
        """Whether every network is listened to that there is or will be."""
        return self.host in _EVERYWHERE

    @property
    def here(self) -> str:
        """What is opened on this computer."""
        return self._at("127.0.0.1" if self.everywhere else self.host)

    @property
    def phones(self) -> str:
        """What phones open, as the network is now; empty where they cannot come."""
        if not self.everywhere:
            return "" if _loops_back(self.host) else self.here
        address = lan_address()
        return self._at(address) if address else ""

    def _at(self, address: str) -> str:
        shown = f"[{address}]" if ":" in address else address
        return f"{self.scheme}://{shown}:{self.port}/"


def follow(
    app: Flask, name: str, url: Callable[[], str], clock: Callable[[], float] = time.monotonic
) -> None:
    """Keep `app.config[name]` as the network is: it may come, or give another address, during an evening."""
    due_s = clock()

    def look() -> None:
        nonlocal due_s
        if clock() >= due_s:
            due_s = clock() + LOOKS_S  # before it is asked: meanwhile nobody else waits for the answer
            app.config[name] = url()

    look()
    app.before_request(look)


def lan_address() -> str | None:
    """This machine's address on the home network, as phones can reach it; None without a network."""
    return next((address for address in _addresses() if address and not _loops_back(address)), None)


def _addresses() -> Iterator[str | None]:
    """The likeliest first; whatever is found sooner, the later ones are not asked for."""
    yield _on_the_way_out()
    yield from _of_cards()
    yield from _of_the_name()


def _on_the_way_out() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: the system only chooses the way
            return str(probe.getsockname()[0])
        except OSError:  # no way out, as in a hotspot of the computer's own
            return None


def _of_cards() -> list[str]:
    """Real cards that are up first: bridges of containers have addresses that no phone can reach."""
    if sys.platform != "linux":
        return []
    names = sorted((name for _, name in socket.if_nameindex()), key=_unlikely)
    return [address for name in names if (address := _of_card(name))]


def _unlikely(name: str) -> tuple[bool, bool, str]:
    card = Path("/sys/class/net", name)
    up = False
    with suppress(OSError):
        up = (card / "operstate").read_text(encoding="ascii").strip() == "up"
    return not up, not (card / "device").exists(), name


def _of_card(name: str) -> str | None:
    import fcntl  # noqa: PLC0415 - not on Windows

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            told = fcntl.ioctl(probe, _ASKED, struct.pack("256s", name.encode()[:15]))
        except OSError:  # it has none
            return None
    return socket.inet_ntoa(told[20:24])


def _of_the_name() -> list[str]:
    """Elsewhere than on Linux the computer's own name stands for its addresses."""
    with suppress(OSError):
        return [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []


def _loops_back(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
