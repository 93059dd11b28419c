"""Follow a table and print each battle: an example of a program built on Tenshu. Needs no packages.

    python examples/follow.py http://192.168.1.5:8475
    python examples/follow.py http://192.168.1.5:8475 --code ACDEFH --attack red omi 5

The first form only watches, as a stream overlay or a bot would; the second joins with the code shown on the
table's page, and declares a battle. docs/api.md and /api/v1/openapi.json describe the interface.
"""

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any

RETRY_S = 1.0
"""Delay before reconnecting; the stream's `retry` field asks for the same."""


class NoTable(Exception):
    """Something answers at the address, but it is not a table."""


class Refused(Exception):
    """The table refused, and says why; `table` is its present state if that matters."""

    def __init__(self, status: int, answer: dict[str, Any]) -> None:
        self.status = status
        self.key = answer["error"]["key"]
        self.table = answer.get("table")
        super().__init__(answer["error"]["sentence"])


class Table:
    """Client of one table."""

    def __init__(self, address: str, timeout_s: float = 30.0) -> None:
        scheme = "" if "://" in address else "http://"
        self._base = f"{scheme}{address.rstrip('/')}/api/v1/"
        self._timeout_s = timeout_s
        self._headers: dict[str, str] = {}

    def get(self, path: str) -> dict[str, Any]:
        """Send a GET request. Raises `Refused` or `NoTable`."""
        return self._ask(urllib.request.Request(self._base + path, headers=self._headers))

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """Send a POST request. Raises `Refused` or `NoTable`."""
        headers = {**self._headers, "Content-Type": "application/json"}
        return self._ask(urllib.request.Request(self._base + path, json.dumps(body).encode(), headers))

    def join(self, code: str) -> None:
        """Join with a code, which commands require; watching does not."""
        self._headers["X-Join-Token"] = str(self.post("join", code=code)["token"])

    def command(self, author: str, **command: Any) -> dict[str, Any]:
        """Send a game command for the table's present state; return the new table. Raises `Refused`."""
        expected = self.get("table")["expected"]
        return self.post("commands", author=author, expected=expected, command=command)

    def views(self) -> Iterator[dict[str, Any]]:
        """Yield the table now and after every change, from server-sent events. Reconnects if the connection
        ends, as on a restart of Tenshu. Raises `Refused`, `NoTable` or OSError if the first one fails."""
        last_id = ""
        while True:
            headers = {**self._headers, "Last-Event-ID": last_id}
            request = urllib.request.Request(self._base + "events", headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=self._timeout_s) as stream:
                    kind, number = b"", ""
                    for line in stream:
                        if line.startswith(b"id: "):
                            number = line[len(b"id: ") :].strip().decode()
                        if line.startswith(b"event: "):
                            kind = line[len(b"event: ") :].strip()
                        # a view that was cut off is asked for again
                        if line.startswith(b"data: ") and line.endswith(b"\n") and kind == b"table":
                            last_id = number
                            yield json.loads(line[len(b"data: ") :])
            except (OSError, HTTPException) as error:
                if not last_id and isinstance(error, urllib.error.HTTPError):  # such as too many listeners
                    raise _parse_refusal(error) from None
                if not last_id:
                    raise
            if not last_id:
                return
            time.sleep(RETRY_S)

    def _ask(self, request: urllib.request.Request) -> dict[str, Any]:
        try:
            with urllib.request.urlopen(request, timeout=self._timeout_s) as answer:
                try:
                    return dict(json.load(answer))
                except (ValueError, TypeError):  # a server that answers everything with a page
                    raise NoTable("no JSON") from None
        except urllib.error.HTTPError as error:
            raise _parse_refusal(error) from None


def _parse_refusal(error: urllib.error.HTTPError) -> Refused:
    """Parse a refusal. Raises `NoTable` if the answer is not a table's."""
    with error:
        try:
            return Refused(error.code, json.load(error))
        except (ValueError, KeyError, TypeError):
            raise NoTable(error) from None


def battles(first: dict[str, Any], views: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each throw settled after the first view, also at a table opened later."""
    table, seen = first["table"], {entry["batch"] for entry in first["history"]}
    for view in views:
        if view["table"] != table:  # its batches are numbered afresh
            table, seen = view["table"], {entry["batch"] for entry in view["history"]}
        for entry in reversed(view["history"]):  # newest first
            if entry["throw"] and entry["batch"] not in seen:
                yield f"{entry['title']} ({entry['author']})"
        seen |= {entry["batch"] for entry in view["history"]}


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Follow a table of Tenshu and say each battle.")
    parser.add_argument("address", help="as in http://192.168.1.5:8475")
    parser.add_argument("--code", help="join with the code on the table's page")
    parser.add_argument(
        "--attack", nargs=3, metavar=("WHO", "PROVINCE", "ARMIES"), help="declare a battle first"
    )
    parser.add_argument("--battles", type=int, metavar="N", help="end after so many")
    args = parser.parse_args()
    if args.attack and not args.attack[2].isdecimal():
        parser.error(f"{args.attack[2]!r} is no number of armies")
    table = Table(args.address)
    try:
        if args.code:
            table.join(args.code)
        if args.attack:
            who, province, armies = args.attack
            table.command("follow.py", kind="declare", attacker=who, province=province, armies=int(armies))
        views = table.views()
        first = next(views, None)
        if first is None:
            raise NoTable("no stream of events")
        print("Following.", flush=True)
        for number, line in enumerate(battles(first, views), start=1):
            print(line, flush=True)
            if number == args.battles:
                break
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 2
    except BrokenPipeError:  # as with `| head`: the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, HTTPException, NoTable) as error:
        print(f"{args.address} does not answer as a table does ({error}).", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
