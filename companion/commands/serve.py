"""`tenshu serve`: serve a real table."""

import argparse
from pathlib import Path
from typing import Any

from companion.commands.serving import Serving, add_web_arguments, serve
from companion.errors import TenshuError
from companion.measures import board_port, place
from companion.usage import options_given, refuse_together

HELP = "the real thing: a camera over the tray, a load cell if there is one, phones on the home network"

_SHOGUN_OPTIONS = ("--players", "--side", "--start", "--oldest", "--by-table")
_NEW_GAME_OPTIONS = ("--players", "--board")
_GAME_OPTIONS = (*_NEW_GAME_OPTIONS, *_SHOGUN_OPTIONS[1:])
_SEE = "See `tenshu serve --help` and docs/rules/game-api.md."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add camera, load cell, table, game options, and where to listen."""
    parser.add_argument(
        "--camera",
        default="0",
        metavar="0|phone|URL|FILE|FOLDER|none",
        help="a USB camera's number or device; phone: the Camera page on a spare phone; a URL, a video, "
        "a folder of pictures; none: count by hand",
    )
    parser.add_argument(
        "--port-serial",
        type=board_port,
        default="auto",
        metavar="PATH|auto|none",
        help="the drop sensor's serial port",
    )
    parser.add_argument("--profile", metavar="NAME", help="read with this profile (see `tenshu calibrate`)")
    parser.add_argument(
        "--table", metavar="NAME", help="each table has a file of its own (default: the last one)"
    )
    parser.add_argument(
        "--players",
        metavar="COLOURS",
        help="begin a game of Shogun: colours clockwise, as in blue,red,yellow",
    )
    parser.add_argument(
        "--board",
        type=place,
        metavar="FILE",
        help="start in the middle of a game, or any table: options as JSON (docs/rules/game-api.md)",
    )
    parser.add_argument("--side", choices=("sun", "moon"), help="side of the board (default sun)")
    parser.add_argument(
        "--start",
        choices=("predetermined", "draft"),
        help="default: predetermined on the sun side, draft on the moon side",
    )
    parser.add_argument("--oldest", metavar="COLOUR", help="who begins the draft")
    parser.add_argument(
        "--by-table", action="store_true", help="the table shuffles its own cards and says what is turned up"
    )
    add_web_arguments(parser, host="0.0.0.0")  # noqa: S104 - phones on the home network have to reach it


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from companion.table.messages import SensorSpec
    from companion.table.setups import open_board

    refuse_together(args, "--board", _SHOGUN_OPTIONS)  # the file contains all of these
    if args.profile is not None:
        _check_profile(args.profile, args.data)
    warn_of_camera(args.camera)
    sensors = SensorSpec(args.camera, args.port_serial, args.profile)
    options = _game_options(args) if options_given(args, _NEW_GAME_OPTIONS) else open_board()
    given_options = options_given(args, ("--table", *_NEW_GAME_OPTIONS))
    table = "table" if args.table is None else args.table
    _check_game_begins(args, table)
    return serve(Serving(table, sensors, options, go_on=not given_options), args)


def _check_game_begins(args: argparse.Namespace, table: str) -> None:
    """Refuse game options unless a new game begins, as an existing one is not changed. Raise `NoSuchGame`."""
    from companion.places import data_folder
    from companion.table.files.tables import NAME, Tables

    given_options = options_given(args, _GAME_OPTIONS)
    if not given_options:
        return
    if not options_given(args, _NEW_GAME_OPTIONS):
        raise NoSuchGame(f"{given_options[0]} only applies to a new game.", "Add its --players.")
    if NAME.fullmatch(table) and Tables(data_folder(args.data) / "tables").events(table):
        raise NoSuchGame(
            f"Table {table} already holds a game.",
            f"Name another with --table, or leave out {given_options[0]}.",
        )


def warn_of_camera(camera: str) -> None:
    """Warn at once about a camera that does not exist; the table is served anyway."""
    import sys

    from companion.table.messages import DEMO, NO_CAMERA, PHONE

    special_names = (NO_CAMERA, PHONE, DEMO)
    is_device = camera.isdigit() or "://" in camera or camera.startswith("/dev/")
    name = camera.partition("?")[0]
    if not (camera in special_names or is_device or (name and Path(name).exists())):
        sys.stderr.write(
            f"tenshu: {camera!r} is neither a camera nor a file. Counts are given by hand till then.\n"
        )


def _check_profile(name: str, data: Path | None) -> None:
    """Check that the profile can be loaded before anything starts. Raise `ProfileError`."""
    from calibration.profiles.profile import load
    from companion.places import profiles_dir

    load(name, profiles_dir(data))


def _game_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of a whole game, with a fresh seed for shuffling. Raise `NoSuchGame`."""
    import secrets

    from companion.games.protocol import Refused
    from companion.games.registry import find

    chosen_options = _options_from_file(args.board) if args.board else _options_from_flags(args)
    options = {"seed": secrets.randbits(60), **chosen_options}
    try:
        find("shogun").new(options)
    except Refused as refused:
        raise NoSuchGame(f"{refused.sentence} ({refused.rule})") from None
    return options


def _options_from_flags(args: argparse.Namespace) -> dict[str, Any]:
    start = args.start or ("draft" if args.side == "moon" else "predetermined")
    if args.oldest and start != "draft":
        raise NoSuchGame(
            "--oldest says who begins the draft, and here there is no draft.",
            "Add --start draft, or leave --oldest out.",
        )
    return {
        "players": [colour.strip() for colour in args.players.split(",")],
        "side": args.side or "sun",
        "start": start,
        "oldest": args.oldest,
        "by_table": args.by_table,
    }


def _options_from_file(path: Path) -> dict[str, Any]:
    import json

    from vision.errors import error_reason

    try:
        options = json.loads(path.read_text(encoding="utf-8-sig"))  # some editors write a BOM
    except (OSError, ValueError, RecursionError) as error:
        remedy = "Check its name and its permissions." if isinstance(error, OSError) else _SEE
        raise NoSuchGame(f"{path} cannot be read as a board ({error_reason(error)}).", remedy) from None
    if not isinstance(options, dict):
        raise NoSuchGame(f"{path} holds no options of a table.")
    return options


class NoSuchGame(TenshuError):
    """The options do not make a playable game."""

    def __init__(self, sentence: str, remedy: str = _SEE) -> None:
        super().__init__(sentence, remedy)
