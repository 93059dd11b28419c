"""`tenshu serve`: a real table."""

import argparse

from companion.commands.serving import Serving, add_web_arguments, serve

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
    add_web_arguments(parser, host="0.0.0.0")  # noqa: S104 - phones on the home network have to reach it


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from companion.places import profiles_dir
    from companion.readers import chosen_reader
    from companion.table.messages import SensorSpec
    from companion.table.setups import open_board

    chosen_reader(args.profile, profiles_dir())  # a profile that is not there is told before anything starts
    sensors = SensorSpec(args.camera, args.port_serial, args.profile)
    return serve(Serving(args.table, sensors, open_board()), args)
