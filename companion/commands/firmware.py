"""`tenshu firmware`: the load cell's board, from a terminal."""

import argparse
from typing import TYPE_CHECKING

from companion.measures import board_port, from_one, from_zero, place, program, seconds
from companion.usage import refuse_together

if TYPE_CHECKING:
    from companion.cell.weighing import Person

HELP = "the load cell's board: flash it, watch it live, set it to zero, weigh cubes, set its rate"
EXAMPLES = (
    ("tenshu firmware monitor", "the weight as it changes"),
    ("tenshu firmware tare", "the empty tray is zero"),
)
_MOST_GRAMS = 5000
_MOST_CUBES = 999
_MOST_EVERY = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words flash, monitor, tare, calibrate and rate."""
    words = parser.add_subparsers(dest="word", required=True, metavar="WORD")
    _add_flash(words.add_parser("flash", help="put the program on the board", description=_add_flash.__doc__))
    _add_monitor(words.add_parser("monitor", help="the live trace", description=_add_monitor.__doc__))
    _add_tare(words.add_parser("tare", help="the empty tray is zero", description=_add_tare.__doc__))
    _add_calibrate(
        words.add_parser("calibrate", help="weigh known cubes", description=_add_calibrate.__doc__)
    )
    _add_rate(words.add_parser("rate", help="readings a second", description=_add_rate.__doc__))


def run(args: argparse.Namespace) -> int:
    """Run the word's function. Raise `BoardError` or `ScaleError`."""
    return int(args.work(args))


def _add_port(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port",
        type=board_port,
        default="auto",
        metavar="PATH|auto",
        help="the board's serial port (default: find it)",
    )


def _add_flash(parser: argparse.ArgumentParser) -> None:
    """Put the program onto an Arduino Uno or Nano through avrdude, and see that it answers."""
    _add_port(parser)
    parser.add_argument(
        "--baud",
        type=from_one,
        metavar="N",
        help="speed of the bootloader; default: 115200, then 57600 for old Nanos",
    )
    parser.add_argument("--hex", type=place, metavar="FILE", help="another program than Tenshu's own")
    parser.add_argument(
        "--avrdude", type=program, metavar="PATH", help="where avrdude is, if not in the search path"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="only show the command; avrdude and the board must be there"
    )
    parser.set_defaults(work=_do_flash)


def _add_monitor(parser: argparse.ArgumentParser) -> None:
    """The weight as it changes, drops marked with the number of cubes; a pulled cable is waited for."""
    _add_port(parser)
    parser.add_argument(
        "--every", type=_parse_every, default=4, metavar="N", help="every N-th sample, 1 to 80 (4)"
    )
    parser.add_argument(
        "--seconds", type=seconds, metavar="S", help="stop after this many seconds; default: Ctrl-C"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per event, one per line")
    _add_data(parser)
    parser.set_defaults(work=_do_monitor)


def _add_tare(parser: argparse.ArgumentParser) -> None:
    """What lies on the tray now is zero, also after the board was unplugged."""
    _add_port(parser)
    parser.set_defaults(work=_do_tare)


def _add_calibrate(parser: argparse.ArgumentParser) -> None:
    """Learn from known cubes what one weighs and how much cubes differ, so that a weight becomes a number."""
    _add_port(parser)
    parser.add_argument(
        "--cubes", type=_parse_cubes, default=62, metavar="N", help="how many are put on the tray (62)"
    )
    parser.add_argument(
        "--mass", type=_parse_mass_mg, metavar="GRAMS", help="start with a known weight, for true milligrams"
    )
    parser.add_argument(
        "--singles",
        type=_parse_singles,
        default=10,
        metavar="N",
        help="dropped one by one for the spread (10); 0: none",
    )
    _add_data(parser)
    parser.set_defaults(work=_do_calibrate)


def _add_rate(parser: argparse.ArgumentParser) -> None:
    """Ask the HX711 for so many readings a second, and keep that: 10 where its RATE is not wired."""
    parser.add_argument("readings", type=int, choices=(10, 80), metavar="10|80", help="readings a second")
    _add_port(parser)
    parser.set_defaults(work=_do_rate)


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=place, metavar="DIR", help="where this is kept (also TENSHU_DATA)")


def _parse_cubes(text: str) -> int:
    return from_one(text, _MOST_CUBES)


def _parse_singles(text: str) -> int:
    return from_zero(text, _MOST_CUBES)


def _parse_every(text: str) -> int:
    return from_one(text, _MOST_EVERY)


def _parse_mass_mg(text: str) -> int:
    try:
        grams = float(text)
    except ValueError:
        grams = 0.0
    if not 1 <= grams <= _MOST_GRAMS:
        raise argparse.ArgumentTypeError(f"{text!r}: give grams from 1 to {_MOST_GRAMS}")
    return round(grams * 1000)


def _do_flash(args: argparse.Namespace) -> int:
    from companion.cell.flashing import NEW_BAUD, OLD_BAUD, flash, prepare
    from firmware.link.talk import connect

    flashing = prepare(args.port, args.hex, args.avrdude)
    bauds = [args.baud] if args.baud else [NEW_BAUD, OLD_BAUD]
    if args.dry_run:
        print(flashing.shell_line(bauds[0]))
        return 0
    flash(flashing, bauds, lambda text: print(text, flush=True))
    with connect(flashing.port) as board:
        print(f"The board on {board.port} answers: program {board.version}.")
    return 0


def _do_monitor(args: argparse.Namespace) -> int:
    import json
    import shutil
    import time
    from dataclasses import asdict

    from calibration.scale import load
    from companion.cell.trace import Strip
    from companion.places import data_folder
    from firmware.link.sensor import SerialSensor, make_link

    refuse_together(args, "--json", ["--data"])  # JSON does not use the mass of a cube
    strip = None
    if not args.json:
        strip = Strip(load(data_folder(args.data)), shutil.get_terminal_size().columns)
    end = float("inf") if args.seconds is None else time.monotonic() + args.seconds
    if strip is not None:
        where = "" if args.port == "auto" else f" on {args.port}"
        print(f"Looking for a board{where}; press Ctrl-C to stop.", flush=True)
    sensor = SerialSensor(make_link(args.port, args.every))
    try:
        while time.monotonic() < end:
            for event in sensor.poll(0.2):
                if strip is None:
                    print(json.dumps({"event": type(event).__name__, **asdict(event)}), flush=True)
                else:
                    for line in strip.lines(event):
                        print(line, flush=True)
    finally:
        sensor.close()
    return 0


def _do_tare(args: argparse.Namespace) -> int:
    from companion.cell.weighing import tare
    from firmware.link.talk import connect

    with connect(args.port) as board:
        counts = tare(board)
        print(f"Zero is set and kept ({counts} counts). What is on the tray now counts as zero.")
    return 0


def _do_rate(args: argparse.Namespace) -> int:
    from companion.cell.weighing import rate
    from firmware.link.talk import connect

    with connect(args.port) as board:
        rate(board, args.readings)
        print(f"{args.readings} readings per second are set, and the board keeps this.")
    return 0


def _do_calibrate(args: argparse.Namespace) -> int:
    from calibration.scale import FILE, save
    from calibration.written import check_writable
    from companion.cell.weighing import Wish, verdict, weigh
    from companion.places import data_folder
    from firmware.link.talk import connect

    folder = data_folder(args.data)
    folder.mkdir(parents=True, exist_ok=True)
    check_writable(folder / f"{FILE}.new", "another folder with --data")  # before anybody counts out cubes
    with connect(args.port) as board:
        print(f"Board on {board.port}, program {board.version}.")
        cube = weigh(board, _person(), Wish(args.cubes, args.mass, args.singles))
    path = save(cube, folder)
    print(f"{verdict(cube, true_mg=args.mass is not None)}\nSaved as {path}.")
    return 0


def _person() -> "Person":
    return _Terminal()


class _Terminal:
    """A person at a keyboard."""

    def say(self, text: str) -> None:
        print(f"  {text}", flush=True)

    def ready(self, text: str) -> None:
        from firmware.link.errors import BoardError

        try:
            input(f"{text} [Enter] ")
        except EOFError:
            raise BoardError("nobody", "Nobody answers.", "Run it in a terminal.") from None
