"""The load run measures what it claims to; the speed of the machine is not tested."""

from tests.load.__main__ import meets_goals, table_row
from tests.load.measure import Case, measure, percentile
from tests.load.streams import _Device


def test_a_small_run_hears_every_change_on_every_device() -> None:
    result = measure(Case(devices=3, changes=4, reading=True))
    assert result.missed == 0
    assert 0 < result.update_ms[0] <= result.update_ms[1] <= 20_000
    assert result.update_ms[1] <= result.update_ms[2]
    assert result.view_bytes > 1000
    assert result.web_mb > 10
    assert result.sensors_mb > 10
    assert table_row(result).count("|") == 13
    assert meets_goals(result)


def test_of_few_changes_no_time_is_told_that_was_not_measured() -> None:
    """The 95th percentile of three changes used to exceed the longest of them."""
    assert 20.0 < percentile([10.0, 20.0, 30.0]) <= 30.0
    assert percentile([10.0]) == 10.0


def test_an_event_counts_when_the_whole_view_has_come() -> None:
    device = _Device()
    assert device.feed(b'HTTP/1.1 200 OK\r\n\r\nid: 5\ndata: {"rev":5,"expec') == []
    assert device.feed(b'ted":7,"more":1') == []
    assert device.feed(b"}\n\ndata: ") == [7]
    assert device.feed(b'{"expected":7}\n: still here\n') == []
    assert device.feed(b'data: {"expected":9}\n') == [9]
