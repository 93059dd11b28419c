"""Concurrent work: on another thread if there are two cores, immediately by the caller if not."""

from collections.abc import Iterator
from threading import Event, current_thread

import cv2
import pytest

from tests.vision.drawn_tray import drawn_tray
from vision.alongside import run_alongside
from vision.reader import TrayReader


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """Restore OpenCV's thread count, which is global to the process."""
    usual = cv2.getNumThreads()
    yield
    cv2.setNumThreads(usual)


def test_the_caller_goes_on_meanwhile() -> None:
    cv2.setNumThreads(2)
    may_end = Event()
    waiting = run_alongside(may_end.wait, 20)
    assert not waiting.done()
    may_end.set()
    assert waiting.result(20)


def test_with_one_core_it_is_done_at_once_by_the_caller() -> None:
    cv2.setNumThreads(1)
    made = run_alongside(current_thread)
    assert made.done()
    assert made.result() is current_thread()


@pytest.mark.parametrize("cores", [1, 2])
def test_what_goes_wrong_there_is_met_here(cores: int) -> None:
    cv2.setNumThreads(cores)
    with pytest.raises(ZeroDivisionError):
        run_alongside(divmod, 1, 0).result(20)


def test_one_core_reads_as_two_do() -> None:
    picture = drawn_tray([("red", 0, 0), ("blue", 30, 0), ("black", -30, 20)])
    readings = []
    for cores in (1, 2):
        cv2.setNumThreads(cores)
        readings.append(TrayReader().read(picture))
    assert readings[0].counts == readings[1].counts
    assert readings[0].confidence == pytest.approx(readings[1].confidence, abs=1e-6)
