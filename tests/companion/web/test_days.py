"""Dates are local: in UTC an evening in America already belongs to the next day."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.days import day_of
from companion.store.events import StoredEvent
from companion.table.files.copies import Copies
from companion.table.runtime import Runtime
from companion.web.app import create_app

HOST = {"REMOTE_ADDR": "127.0.0.1"}
EVENING_MS = 1_795_306_200_000
EVENING = "2026-11-22T00:10:00+00:00"
ZONES = {"Etc/GMT+12": -12, "Etc/GMT-14": 14}
"""The extreme time zones: at any moment at least one of them has a date other than UTC's."""


@pytest.fixture(params=ZONES)
def hours(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The local offset from UTC, in hours."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", request.param)
        time.tzset()
        yield ZONES[request.param]
    time.tzset()


def test_files_that_are_taken_away_carry_the_day_of_here(hours: int, friday: Runtime) -> None:
    """A game saved after an evening in New York carried the next day's date."""
    client = create_app(friday).test_client()
    for address, name in (
        ("host/tables/friday/backup", "friday-{}.tenshu"),
        ("throwlog.csv", "tenshu-throws-{}.csv"),
        ("throwlog.json?of=all", "tenshu-throws-{}.json"),
    ):
        days = [_today(hours)]
        file_name = _download_name(client, address)
        days.append(_today(hours))  # midnight may fall in between
        assert file_name in [name.format(day) for day in days]


def test_copies_carry_the_time_of_here(hours: int, tmp_path: Path) -> None:
    events = [StoredEvent("friday", n, n, "set", "anna", n, {}) for n in (1, 2)]
    copies = Copies(tmp_path)
    copies.keep(events, EVENING_MS)
    stamp = "20261121-121000" if hours < 0 else "20261122-141000"
    assert [copy.name for copy in copies.all()] == [f"friday-{stamp}.1.tenshu"]


def test_a_profile_is_of_the_day_it_was_made_here(hours: int) -> None:
    assert day_of(EVENING) == ("2026-11-21" if hours < 0 else "2026-11-22")
    assert day_of("2026-11-22") == "2026-11-22"
    assert day_of("last winter") == "last winte"


def _today(hours: int) -> str:
    return f"{datetime.now(UTC) + timedelta(hours=hours):%Y-%m-%d}"


def _download_name(client: FlaskClient, address: str) -> str:
    with client.get(f"/api/v1/{address}", environ_base=HOST) as answer:
        assert answer.status_code == 200
        return str(answer.headers["Content-Disposition"]).partition("filename=")[2].strip('"')
