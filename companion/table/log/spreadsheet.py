"""Throws as a workbook: the rows of the CSV, which Excel misreads on a double click in many languages."""

import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from companion.table.log.throwlog import HEAD, Row, kind_of

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_TEXTS_STAY_TEXTS = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
_NUMBER_FORMATS = {"time": "yyyy-mm-dd hh:mm:ss", "float": "0.000"}
"""Number formats for values of a kind; they change what is shown, not what is kept."""
_STRUCK_OUT = {"font_color": "#767676", "font_strikeout": True}
_WIDEST_PX = 260


def to_xlsx(rows: Sequence[Row]) -> bytes:
    """Return one sheet of `HEAD`'s columns (ECMA-376): no text is a formula, and an unknown value is an empty
    cell.

    Throws that were taken back are grey and struck through; times are UTC, to the millisecond.
    """
    from xlsxwriter import Workbook  # noqa: PLC0415 - only those who export the log wait for it

    out = io.BytesIO()
    with Workbook(out, {"in_memory": True, "remove_timezone": True, **_TEXTS_STAY_TEXTS}) as book:
        sheet = book.add_worksheet("throws")
        sheet.write_row(0, 0, HEAD, book.add_format({"bold": True, "bottom": 1}))
        row_formats = {
            undone: _column_formats(book, _STRUCK_OUT if undone else {}) for undone in (False, True)
        }
        for number, row in enumerate(rows, 1):
            formats = row_formats[row["undone"]]
            for column, name in enumerate(HEAD):
                if row[name] is not None:
                    sheet.write(number, column, _cell_value(name, row[name]), formats[name])
        sheet.freeze_panes(1, 2)  # the head, and which throw it is
        sheet.autofilter(0, 0, max(1, len(rows)), len(HEAD) - 1)
        sheet.autofit(_WIDEST_PX)
    return out.getvalue()


def _column_formats(book: Any, row_format: dict[str, Any]) -> dict[str, Any]:
    """Return a format for each column of a row."""
    formats = {
        kind: book.add_format({**row_format, "num_format": shown}) for kind, shown in _NUMBER_FORMATS.items()
    }
    default = book.add_format(row_format)
    return {name: formats.get(kind_of(name), default) for name in HEAD}


def _cell_value(name: str, value: object) -> object:
    return datetime.fromisoformat(str(value)) if kind_of(name) == "time" else value
