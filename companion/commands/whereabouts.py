"""Prints the addresses for phones in the terminal, again whenever the network or its address changes."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.web.addresses import LOOKS_S, ListenAddress

if TYPE_CHECKING:
    from companion.table.people.access import Access


class Whereabouts:
    """The addresses of one table, with or without HTTPS; a headless computer shows them nowhere else."""

    def __init__(self, reached: ListenAddress, secure: ListenAddress | None, access: "Access") -> None:
        self._reached, self._secure, self._access = reached, secure, access
        self._last_printed = ""
        self._stopping = threading.Event()

    def tell(self) -> None:
        """Print all addresses, as the network is at the start."""
        print(f"Tenshu is at {self._reached.local_url}", flush=True)
        self.tell_new()
        if self._reached.is_everywhere and not self._last_printed:
            print(
                f"No network, so no phones yet. Once there is one, {self._reached.local_url}host and this "
                "terminal have their address.",
                flush=True,
            )
        elif self._secure is not None and not self._last_printed:
            print(f"A phone as camera: {self._secure.local_url}camera", flush=True)
        print("Press Ctrl-C to stop.", flush=True)

    def tell_new(self) -> None:
        """Print the phones' address if it differs from the last one printed."""
        phones = self._reached.phone_url
        if phones and phones != self._last_printed:
            self._last_printed = phones
            print("\n".join(self._lines(phones)), flush=True)

    def start(self) -> None:
        """Print the addresses, then watch the network in a thread, as name lookups may take seconds."""
        self.tell()
        if self._reached.is_everywhere:
            threading.Thread(target=self._watch, name="whereabouts", daemon=True).start()

    def stop(self) -> None:
        """Stop watching the network."""
        self._stopping.set()

    def _watch(self) -> None:
        while not self._stopping.wait(LOOKS_S):
            with suppress(OSError):  # the network is just going away
                self.tell_new()

    def _lines(self, phones: str) -> Iterator[str]:
        yield f"Phones on this network: {phones}join with the code {self._access.code()}"
        yield f"Host from another device: {phones}host#{self._access.host_key}"
        if self._secure is not None:
            yield f"A phone as camera: {self._secure.phone_url or self._secure.local_url}camera"
