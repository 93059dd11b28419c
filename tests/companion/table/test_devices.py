"""Every device that talks to the table, and seats whose device is gone."""

import pytest

from companion.table.errors import TableRefusal
from companion.table.people.devices import MOST, Devices, Said
from companion.table.people.handover import LASTS_MS, Answer, Handovers, NotAgreed
from companion.table.people.handover import MOST as MOST_ASKS
from tests.companion.table.tables import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_device_is_there_while_its_page_listens(clock: Clock) -> None:
    devices = Devices(clock.wall_ms)
    phone = Said("phone-01", "Anna", "seat", "192.168.1.4")
    devices.note_stream_opened(phone)
    [device] = devices.as_json()
    assert (device["name"], device["page"], device["connected"]) == ("Anna", "seat", True)
    devices.note_stream_closed("phone-01")
    clock.now_s += 90
    [device] = devices.as_json()
    assert (device["connected"], device["silent_s"]) == (False, 90)


def test_a_taken_seat_without_its_device_is_a_ghost(clock: Clock) -> None:
    devices = Devices(clock.wall_ms)
    assert devices.seats_without_device(["blue"]) == ["blue"]
    devices.note_stream_opened(Said("phone-01"))
    devices.note_seat("phone-01", "blue")
    assert devices.seats_without_device(["blue"]) == []
    devices.note_stream_closed("phone-01")
    assert devices.seats_without_device(["blue"]) == ["blue"]


def test_a_seat_whose_key_died_is_nobodys(clock: Clock) -> None:
    devices = Devices(clock.wall_ms)
    devices.note_stream_opened(Said("phone-01"))
    devices.note_seat("phone-01", "blue")
    devices.forget_seats("red")
    assert devices.all()[0].seat == "blue"
    devices.forget_seats("blue")
    assert devices.all()[0].seat == ""


def test_a_flood_of_names_forgets_those_that_do_not_listen(clock: Clock) -> None:
    devices = Devices(clock.wall_ms)
    devices.note_stream_opened(Said("the-phone"))
    for number in range(MOST + 50):
        clock.now_s += 1
        devices.note_request(Said(f"stranger-{number}"))
    assert len(devices.all()) == MOST
    assert devices.all()[0].id == "the-phone"


def test_without_a_name_of_its_own_a_device_is_not_noted(clock: Clock) -> None:
    devices = Devices(clock.wall_ms)
    devices.note_request(Said(""))
    devices.note_stream_opened(Said(""))
    devices.note_stream_closed("")
    devices.note_seat("", "blue")
    assert devices.all() == []


class TestHandover:
    """A seat goes to another phone with the host's consent."""

    def test_the_host_agrees_and_the_ticket_opens_once(self, clock: Clock) -> None:
        asks = Handovers(clock.wall_ms)
        ticket = asks.ask("blue", "Anna's other phone")
        assert asks.status_of(ticket) == ("blue", Answer.WAITING)
        with pytest.raises(NotAgreed), asks.use("blue", ticket):
            pass
        [waiting] = asks.waiting()
        assert "ticket" not in waiting.as_json()
        asks.answer(waiting.number, True)
        assert asks.waiting() == []
        with pytest.raises(NotAgreed), asks.use("red", ticket):
            pass
        with asks.use("blue", ticket):
            pass
        with pytest.raises(NotAgreed), asks.use("blue", ticket):
            pass

    def test_the_host_refuses(self, clock: Clock) -> None:
        asks = Handovers(clock.wall_ms)
        ticket = asks.ask("blue", "Eve")
        asks.answer(asks.waiting()[0].number, False)
        assert asks.status_of(ticket) == ("blue", Answer.REFUSED)
        with pytest.raises(NotAgreed), asks.use("blue", ticket):
            pass

    def test_who_was_refused_again_and_again_keeps_nobody_out(self, clock: Clock) -> None:
        """For a quarter of an hour no other phone could ask, though the host had answered all requests."""
        asks = Handovers(clock.wall_ms)
        tickets = [asks.ask("blue", "Eve") for _ in range(MOST_ASKS)]
        with pytest.raises(TableRefusal, match="Too many phones"):
            asks.ask("red", "Anna")
        for waiting in asks.waiting()[1:]:
            asks.answer(waiting.number, False)
        assert asks.status_of(tickets[-1]) == ("blue", Answer.REFUSED)
        asks.ask("red", "Anna")
        assert [ask.name for ask in asks.waiting()] == ["Eve", "Anna"]

    @pytest.mark.parametrize("sign", [1, -1], ids=["late", "clock set back"])
    def test_what_waited_too_long_is_gone(self, sign: int, clock: Clock) -> None:
        """With the clock set back by an hour, the quarter of an hour became five."""
        asks = Handovers(clock.wall_ms)
        ticket = asks.issue("blue")
        clock.now_s += sign * (LASTS_MS / 1000 + 1)
        assert asks.status_of(ticket) is None
        with pytest.raises(NotAgreed):
            asks.answer(1, True)
        with pytest.raises(NotAgreed), asks.use("blue", ticket):
            pass
