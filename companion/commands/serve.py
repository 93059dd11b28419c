"""`tenshu serve`: a real table."""

import argparse
from typing import TYPE_CHECKING, Any

from companion.commands.serving import Serving, add_web_arguments, serve

if TYPE_CHECKING:
    from companion.games.protocol import Refused

HELP = "the real thing: a camera over the tray, a load cell if there is one, phones on the home network"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Camera, board, table, and where to listen."""
    parser.add_argument(
        "--camera",
        default="0",
        metavar="0|URL|FILE|FOLDER|none",
        help="a USB camera's number or device, a URL, a film, a folder of pictures; none: count by hand",
    )
    parser.add_argument(
        "--port-serial", default="auto", metavar="PATH|auto|none", help="the drop sensor's serial port"
    )
    parser.add_argument("--profile", metavar="NAME", help="read as calibrated (see `tenshu calibrate`)")
    parser.add_argument("--table", default="table", metavar="NAME", help="each table has a file of its own")
    parser.add_argument(
        "--players",
        metavar="COLOURS",
        help="begin a game of Shogun: colours clockwise, as in blue,red,yellow",
    )
    parser.add_argument("--side", choices=("sun", "moon"), default="sun", help="of the board (default sun)")
    parser.add_argument(
        "--start",
        choices=("predetermined", "draft"),
        help="default: predetermined on the sun side, draft on the moon side",
    )
    parser.add_argument("--oldest", metavar="COLOUR", help="begins the draft")
    parser.add_argument(
        "--by-table", action="store_true", help="the table shuffles its own cards and tells what is turned up"
    )
    add_web_arguments(parser, host="0.0.0.0")  # noqa: S104 - phones on the home network have to reach it


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from companion.places import profiles_dir
    from companion.readers import chosen_reader
    from companion.table.messages import SensorSpec
    from companion.table.setups import open_board

    chosen_reader(args.profile, profiles_dir())  # a profile that is not there is told before anything starts
    sensors = SensorSpec(args.camera, args.port_serial, args.profile)
    options = _game_of(args) if args.players else open_board()
    return serve(Serving(args.table, sensors, options), args)


def _game_of(args: argparse.Namespace) -> dict[str, Any]:
    """Options of a whole game, with a fresh seed for what the app shuffles. Raises `NoSuchGame`."""
    import secrets

    from companion.games.protocol import Refused
    from companion.games.registry import find

    options = {
        "players": [colour.strip() for colour in args.players.split(",")],
        "side": args.side,
        "start": args.start or ("predetermined" if args.side == "sun" else "draft"),
        "oldest": args.oldest,
        "by_table": args.by_table,
        "seed": secrets.randbits(60),
    }
    try:
        find("shogun").new(options)
    except Refused as refused:
        raise NoSuchGame(refused) from None
    return options


class NoSuchGame(Exception):
    """Options that make no game."""

    remedy = "See `tenshu serve --help`."

    def __init__(self, refused: "Refused") -> None:
        self.sentence = f"{refused.sentence} ({refused.rule})"
        super().__init__(f"{self.sentence} {self.remedy}")
