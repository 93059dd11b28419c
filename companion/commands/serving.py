"""What `demo` and `serve` share: arguments, files, server and clean shutdown. Not a command of its own."""

import argparse
import os
import socket
import webbrowser
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import TenshuError
from companion.measures import address, place

if TYPE_CHECKING:
    from flask import Flask

    from companion.table.messages import SensorSpec
    from companion.table.runtime import TableSpec
    from companion.web.secure import SecureListener

PORT = 8475
"""Default port: not used by any well-known service; the number has no meaning."""
LAST_PORT = 65535
_SUFFIXES = (".sqlite3", ".sqlite3-wal", ".sqlite3-shm", ".seats.json")
"""Endings of the names of a table's files."""
_OTHER_PORT = "Choose another with --https-port, or leave it out."


class BadName(TenshuError):
    """The name cannot be used for a table, because it becomes a file name."""

    def __init__(self) -> None:
        super().__init__(
            "That is not a name for a table.", "Use up to 40 lower-case letters, digits and hyphens."
        )


class CannotServe(TenshuError):
    """The server cannot listen on this address or port."""


@dataclass(frozen=True, slots=True)
class Serving:
    """What is to be served."""

    table: str
    """Name of the first table."""
    sensors: "SensorSpec"
    options: dict[str, Any]
    first: dict[str, Any] | None = None
    anew: bool = False
    open_browser: bool = False
    go_on: bool = False
    """Whether to continue with the last played table in this folder."""


def add_web_arguments(parser: argparse.ArgumentParser, host: str) -> None:
    """Add --host, --port, --https-port, --data."""
    parser.add_argument("--host", type=address, default=host, help=f"address to listen on (default {host})")
    parser.add_argument(
        "--port", type=_parse_port, default=PORT, help=f"default {PORT}; 0 takes any free one"
    )
    parser.add_argument(
        "--https-port",
        type=_parse_port,
        metavar="PORT",
        help="for phones that are the camera (default: the next port, where phones can reach this computer)",
    )
    parser.add_argument("--data", type=place, metavar="DIR", help="where tables are kept (also TENSHU_DATA)")


def _parse_port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: give a number from 0 to {LAST_PORT}")
    return int(text)


def serve(serving: Serving, args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Raise errors with a sentence and a remedy."""
    from calibration.interrupts import ctrl_c_waits
    from companion.commands.whereabouts import Whereabouts
    from companion.games.registry import find
    from companion.table.runtime import Runtime
    from companion.web.addresses import ListenAddress, keep_current
    from companion.web.app import create_app
    from companion.web.server import make_server, serve_until_told
    from companion.web.shares import STREAMS_AT_MOST

    spec = _table_spec(serving, args)
    with ExitStack() as stack:
        with ctrl_c_waits():
            runtime = Runtime(spec, find("shogun"))
            stack.callback(runtime.stop)
            app = create_app(runtime, STREAMS_AT_MOST)
            server = make_server(app, args.host, args.port)  # its threads run from now on
            stack.callback(server.stop)
            secure = _make_secure(app, args, server.bind_addr[1], spec.folder.parent)
            if secure is not None:
                stack.callback(secure.stop)
            stack.callback(runtime.stop)  # runs first: it ends the streams, which the servers wait for
            runtime.start()
        reached = ListenAddress(args.host, server.bind_addr[1])
        keep_current(app, "JOIN_URL", lambda: reached.phone_url)
        whereabouts = Whereabouts(reached, secure.reached if secure else None, runtime.access)
        stack.callback(whereabouts.stop)
        whereabouts.start()
        if serving.open_browser:
            _open_page(reached.local_url)
        if secure is not None:
            secure.start()
        serve_until_told(server)
    return 0


def _table_spec(serving: Serving, args: argparse.Namespace) -> "TableSpec":
    """Return the table and its folders, after checking that it can be served."""
    from calibration.scale import load
    from companion.demo.sensor import DEMO_CUBE
    from companion.places import data_folder
    from companion.table.files.tables import NAME, Tables
    from companion.table.runtime import TableSpec

    if not NAME.fullmatch(serving.table):
        raise BadName
    if args.https_port and args.https_port == args.port:
        raise CannotServe(
            f"Nothing can be served on port {args.port} both with HTTPS and without.", _OTHER_PORT
        )
    data = data_folder(args.data)
    folder = data / "tables"
    is_simulated = serving.sensors.port in ("demo", "board")
    cube = DEMO_CUBE if is_simulated else load(data)
    table = (serving.go_on and Tables(folder).last) or serving.table
    _prepare_table(folder, table, serving, args)
    sensors = replace(serving.sensors, profiles=str(data / _profiles_name(serving)))
    scale_folder = None if is_simulated else data
    return TableSpec(
        table, folder, sensors, serving.options, serving.first, cube=cube, scale_folder=scale_folder
    )


def _prepare_table(folder: Path, table: str, serving: Serving, args: argparse.Namespace) -> None:
    """Fail before a game is begun or set aside if the server cannot start. Raise `OpenElsewhere`."""
    from companion.table.files.lock import TableLock

    lock = TableLock.take(folder / f"{table}.sqlite3")  # a table in use is reported before a port in use
    try:
        _check_ports(args)
        if serving.anew:
            _set_aside(folder, table)
    finally:
        lock.release()


def _check_ports(args: argparse.Namespace) -> None:
    """Check both ports early, so that a retry on another port can begin the same game.

    Raise `PortTaken` or `CannotServe`."""
    from companion.web.server import PortTaken, check_port

    try:
        check_port(args.host, args.port)
    except PortTaken as error:
        if not _can_bind(args.host):  # no port would work
            raise CannotServe(
                error.sentence, "Name an address of this computer with --host, or leave it out."
            ) from None
        raise
    if args.https_port:
        try:
            check_port(args.host, args.https_port)
        except PortTaken as error:
            raise CannotServe(error.sentence, _OTHER_PORT) from None


def _can_bind(host: str) -> bool:
    """Return whether any port can be bound on this host."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind(address)
    except (OSError, UnicodeError):
        return False
    return True


def _profiles_name(serving: Serving) -> str:
    """Return the profiles folder; the demo's tray is not a real one, so its profile is kept separately."""
    return "profiles-demo" if serving.sensors.camera == "demo" else "profiles"


def _make_secure(app: "Flask", args: argparse.Namespace, port: int, data: Path) -> "SecureListener | None":
    """Return the HTTPS listener, or None: the table can be served without one."""
    from companion.web.certificates import NoCertificate
    from companion.web.secure import make_secure
    from companion.web.server import PortTaken

    asked_port = args.https_port
    if asked_port is None and args.host in ("127.0.0.1", "::1", "localhost"):
        return None  # browsers allow the camera on localhost without HTTPS
    try:
        port_used = (port + 1) % (LAST_PORT + 1) if asked_port is None else asked_port
        return make_secure(app, args.host, port_used, data / "tls", lambda line: print(line, flush=True))
    except (NoCertificate, PortTaken) as error:
        if asked_port is not None:
            if isinstance(error, PortTaken):
                raise CannotServe(error.sentence, _OTHER_PORT) from None
            raise
        print(f"No HTTPS: {error.sentence} Phones can still send photos.", flush=True)
        return None


def _open_page(url: str) -> None:
    if os.environ.get("DISPLAY") or os.name == "nt" or _on_mac():
        with suppress(webbrowser.Error):
            webbrowser.open(url)


def _on_mac() -> bool:
    return os.uname().sysname == "Darwin" if hasattr(os, "uname") else False


def _set_aside(folder: Path, table: str) -> None:
    """Start afresh without losing the old game: its files get the next free number."""
    path, number = folder / table, 1
    while _existing_suffixes(aside := folder / f"{table}-{number}"):
        number += 1
    for suffix in _existing_suffixes(path):
        Path(f"{path}{suffix}").rename(f"{aside}{suffix}")


def _existing_suffixes(path: Path) -> list[str]:
    """Return the suffixes of a table's existing files; its WAL may be there without the database file."""
    return [suffix for suffix in _SUFFIXES if Path(f"{path}{suffix}").exists()]
