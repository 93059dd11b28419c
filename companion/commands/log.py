"""`tenshu log export`: export every throw of the real tower."""

import argparse
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.measures import place

if TYPE_CHECKING:
    from companion.table.log.throwlog import Row

HELP = "every throw of the real tower, for spreadsheets and statistics"
EXAMPLES = (
    ("tenshu log export -o throws.xlsx", "all throws of all tables, for Excel and LibreOffice"),
    ("tenshu log export -o throws.csv", "as plain text"),
    ("tenshu log export --table friday", "one table's, on the terminal"),
    ("tenshu log export -o throws.parquet", "for statistics programs"),
)


_REFUSED_ENDINGS = {
    ".json": "the page The tower has them as JSON",
    **dict.fromkeys((".xls", ".xlsm", ".ods"), "every spreadsheet opens the first"),
    **dict.fromkeys((".tsv", ".tab"), "the second has commas between its values"),
    **dict.fromkeys((".gz", ".bz2", ".xz", ".zst", ".zip"), "pack it afterwards"),
}
_BINARY_FORMATS = {"xlsx": "A workbook", "parquet": "Parquet"}
_FORMATS = ("csv", *_BINARY_FORMATS)
_ELSEWHERE = "Where tables are kept elsewhere, name that folder with --data."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the only word so far: export."""
    words = parser.add_subparsers(dest="word", required=True, metavar="WORD")
    export = words.add_parser("export", help="write all throws of all tables", description="all throws")
    export.add_argument("--format", choices=_FORMATS, help="default: by the ending of FILE, else csv")
    export.add_argument("-o", "--output", type=place, metavar="FILE", help="default, or -: standard output")
    export.add_argument("--data", type=place, metavar="DIR", help="where tables are kept (also TENSHU_DATA)")
    export.add_argument("--table", metavar="NAME", help="only this table")


def run(args: argparse.Namespace) -> int:
    """Write the rows; an unreadable table is reported and makes the exit status 2."""
    from companion.places import data_folder, require_readable
    from companion.table.log.throwlog import ExportError, rows_of, to_csv

    output: Path | None = None if args.output == Path("-") else args.output
    file_format = args.format or _format_of(output)
    data: Path = data_folder(args.data)
    if args.data and not data.is_dir():
        raise ExportError(
            f"There is no folder {data}.", "Name the one that you gave to `tenshu serve --data`."
        )
    found = rows_of(require_readable(data / "tables"), args.table)
    if output is not None:
        _write_file(found.rows, file_format, output)
    elif file_format == "csv":
        _print_csv(to_csv(found.rows))
    else:
        raise ExportError(
            f"{_BINARY_FORMATS[file_format]} does not go to a terminal.", "Name a file with -o."
        )
    if not found.rows and not found.bad:
        sys.stderr.write(f"tenshu: There is no throw in {data / 'tables'}. {_ELSEWHERE}\n")
    for error in found.bad:
        sys.stderr.write(f"tenshu: {error}\n")
    return 2 if found.bad else 0


def _format_of(output: Path | None) -> str:
    """Return the format for a file's extension. Raise `ExportError` for known but unsupported ones."""
    from companion.table.log.throwlog import ExportError

    ending = output.suffix.lower() if output else ""
    if ending in _REFUSED_ENDINGS:
        remedy = f"Name the file .xlsx, .csv or .parquet; {_REFUSED_ENDINGS[ending]}."
        raise ExportError(f"Throws are written as XLSX, CSV or Parquet, and not as {ending}.", remedy)
    return ending[1:] if ending[1:] in _FORMATS else "csv"


def _write_file(rows: "list[Row]", file_format: str, output: Path) -> None:
    """Write the file atomically."""
    from calibration.written import atomic_output
    from companion.table.log.spreadsheet import to_xlsx
    from companion.table.log.throwlog import to_csv, to_parquet

    with atomic_output(output, "another file with -o") as part:
        if file_format == "parquet":
            to_parquet(rows, part)
        elif file_format == "xlsx":
            part.write_bytes(to_xlsx(rows))
        else:
            part.write_text(to_csv(rows), encoding="utf-8", newline="")


def _print_csv(csv: str) -> None:
    """Print the CSV, as UTF-8 if it is piped or redirected: readers cannot know the terminal's encoding."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(csv)
    sys.stdout.flush()  # so that a full disk is reported alone
