"""The link against a stand-in on a fake port, with a clock that the test advances."""

import errno
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware.link import troubles
from firmware.link.asking import Answer
from firmware.link.errors import PortError
from firmware.link.events import (
    Drop,
    Fault,
    LinkDown,
    LinkUp,
    Motion,
    Recovered,
    SensorEvent,
    Settled,
)
from firmware.link.link import GREET_S, LEAVE_ALONE_S, Link
from firmware.link.ports import likely_ports
from firmware.link.program import PROGRAM
from firmware.link.wire import Command, Kind
from tests.firmware.standin import StandIn


class FakePort:
    """Carries bytes to and from a stand-in; fails once `dead` is set."""

    def __init__(self, board: StandIn) -> None:
        self.board = board
        self.waiting = b""
        self.dead = False
        self.closed = False

    def read(self) -> bytes:
        if self.dead:
            raise OSError(errno.EIO, "gone")
        data, self.waiting = self.waiting, b""
        return data

    def write(self, data: bytes) -> None:
        self.waiting += self.board.answer(data)

    def close(self) -> None:
        self.closed = True


class Desk:
    """A link with its ports, its clock, and everything it ever said."""

    def __init__(self, *ports: str, named: bool = True, board: StandIn | None = None, trace: int = 0) -> None:
        self.now_s = 0.0
        self._named = named
        self.present: list[str] = list(ports)
        self.boards = {ports[0]: board or StandIn()} if ports else {}
        self.troubles: dict[str, OSError] = {}
        self.opened: list[str] = []
        self.port = FakePort(StandIn(deaf=True))
        self.events: list[SensorEvent] = []
        self.link = Link(self._list, self._open, lambda: self.now_s, named=named, trace_every=trace)

    def _list(self) -> Sequence[str]:
        return [*self.boards] if self._named else self.present

    def _open(self, name: str) -> FakePort:
        self.opened.append(name)
        if name in self.troubles:
            raise troubles.opening_error(self.troubles[name], name, "linux")
        if name not in self.present:
            raise troubles.opening_error(OSError(errno.ENOENT, "none"), name, "linux")
        self.port = FakePort(self.boards.get(name, StandIn(deaf=True)))
        return self.port

    def pass_s(self, seconds: float, *, beats: bool = True) -> list[SensorEvent]:
        events: list[SensorEvent] = []
        for tick in range(round(seconds * 10)):
            self.now_s += 0.1
            if beats and tick % 10 == 9 and not self.port.board.deaf:
                self.port.waiting += self.port.board.beat()
            events += self.link.step()
        self.events += events
        return [event for event in events if type(event).__name__ != "Beat"]

    @property
    def board(self) -> StandIn:
        return self.port.board


def _is_down(name: str, events: list[SensorEvent]) -> bool:
    return [event.name for event in events if isinstance(event, LinkDown)] == [name]


def test_a_board_that_answers_is_up_and_its_words_become_events() -> None:
    desk = Desk("/dev/ttyACM0")
    assert desk.pass_s(1) == [LinkUp("/dev/ttyACM0", PROGRAM)]
    begin = desk.board.now_ms
    desk.port.waiting += desk.board.drop(361)
    assert desk.pass_s(0.1) == [Motion(begin), Drop(begin, 361), Settled(begin + 460, 361, 6)]


def test_the_reset_that_opening_causes_is_waited_for() -> None:
    board = StandIn(deaf=True)
    desk = Desk("/dev/ttyACM0", board=board)
    assert desk.pass_s(2.0) == []
    board.deaf = False
    desk.port.waiting += board.line(Kind.BEAT, 0, 1, "still", 80, 0, 0)[5:] + board.boot()
    assert desk.pass_s(0.2) == [LinkUp("/dev/ttyACM0", PROGRAM)]


def test_a_board_that_is_there_already_is_asked_again_until_it_answers() -> None:
    board = StandIn(deaf=True)
    desk = Desk("/dev/ttyACM0", board=board)
    desk.pass_s(2.0)
    assert board.heard == ["HELLO"] * 3
    board.deaf = False
    assert desk.pass_s(1.0) == [LinkUp("/dev/ttyACM0", PROGRAM)]


def test_the_cable_pulled_and_put_back() -> None:
    desk = Desk("/dev/ttyACM0")
    desk.pass_s(1)
    desk.port.dead, desk.present = True, []
    assert _is_down("gone", desk.pass_s(30))
    assert desk.port.closed
    assert len(desk.opened) < 15  # with back-off
    desk.present = ["/dev/ttyACM0"]
    assert [type(event) for event in desk.pass_s(5)] == [LinkUp]


def test_a_port_that_is_not_there_is_told_once_with_its_remedy() -> None:
    desk = Desk("/dev/ttyACM0")
    desk.present = []
    [down] = desk.pass_s(60)
    assert isinstance(down, LinkDown)
    assert "/dev/ttyACM0" in down.sentence
    assert "tenshu doctor" in down.remedy


@pytest.mark.parametrize(
    ("error", "platform", "name"),
    [
        (OSError(errno.ENOENT, "none"), "linux", "missing"),
        (OSError(errno.EACCES, "denied"), "linux", "not_permitted"),
        (OSError(errno.EBUSY, "busy"), "darwin", "busy"),
        (OSError("Could not exclusively lock port x: Resource temporarily unavailable"), "linux", "busy"),
        (OSError("could not open port 'COM4': PermissionError(13, 'Access is denied.')"), "win32", "busy"),
        (OSError("could not open port 'COM4': FileNotFoundError(2, 'not found')"), "win32", "missing"),
        (OSError(errno.EISDIR, "is a directory"), "linux", "missing"),
        (OSError("Could not configure port: (25, 'Inappropriate ioctl for device')"), "linux", "missing"),
        (OSError(errno.EIO, "input/output"), "linux", "broken"),
    ],
)
def test_each_way_in_which_a_port_does_not_open(error: OSError, platform: str, name: str) -> None:
    port_error = troubles.opening_error(error, "/dev/ttyACM0", platform)
    assert isinstance(port_error, PortError)
    assert port_error.name == name
    assert port_error.remedy


@pytest.mark.parametrize(
    ("group", "joined"), [("dialout", True), ("uucp", True), ("root", False), ("kmem", False)]
)
def test_who_may_not_open_a_port_is_told_the_group_of_ports_and_no_other(
    group: str, joined: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a device owned by root, people were advised to join the group root."""
    monkeypatch.setattr("pathlib.Path.group", lambda _: group)
    monkeypatch.setattr("sys.platform", "linux")
    remedy = troubles.port_error("not_permitted", "/dev/null").remedy
    advice = f"Run `sudo usermod -aG {group} $USER`" if joined else "Give your user the right"
    assert remedy.startswith(advice)


def test_a_file_that_may_not_be_opened_is_no_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """People were advised to join the file's group, which could be root."""
    monkeypatch.setattr("pathlib.Path.group", lambda _: "dialout")
    (tmp_path / "notes").write_text("of somebody else")
    refusal = troubles.opening_error(OSError(errno.EACCES, "denied"), str(tmp_path / "notes"), "linux")
    assert refusal.name == "missing"
    assert "usermod" not in troubles.port_error("not_permitted", str(tmp_path)).remedy


def test_a_busy_port_is_tried_until_it_is_free() -> None:
    desk = Desk("/dev/ttyACM0")
    desk.troubles["/dev/ttyACM0"] = OSError(errno.EBUSY, "busy")
    assert _is_down("busy", desk.pass_s(20))
    desk.troubles = {}
    assert [type(event) for event in desk.pass_s(6)] == [LinkUp]


def test_auto_finds_the_board_among_others_and_leaves_those_alone() -> None:
    desk = Desk("/dev/ttyUSB1", named=False)
    desk.present = ["/dev/ttyUSB0", "/dev/ttyUSB1"]
    assert desk.pass_s(GREET_S + 1) == [LinkUp("/dev/ttyUSB1", PROGRAM)]
    assert desk.opened == ["/dev/ttyUSB0", "/dev/ttyUSB1"]


def test_auto_with_something_else_on_the_port_is_silent_and_opens_it_seldom() -> None:
    desk = Desk("/dev/ttyUSB0", named=False, board=StandIn(deaf=True))
    assert desk.pass_s(LEAVE_ALONE_S) == []
    assert len(desk.opened) == 1


def test_auto_without_any_port_is_silent_and_finds_one_that_comes_later() -> None:
    desk = Desk("/dev/ttyUSB0", named=False)
    desk.present = []
    assert desk.pass_s(60) == []
    desk.present = ["/dev/ttyUSB0"]
    assert [type(event) for event in desk.pass_s(6)] == [LinkUp]


def test_a_named_port_where_nothing_answers_is_told() -> None:
    assert _is_down("no_answer", Desk("/dev/ttyUSB0", board=StandIn(deaf=True)).pass_s(GREET_S + 1))


def test_a_named_port_that_babbles_is_another_device() -> None:
    desk = Desk("/dev/ttyUSB0", board=StandIn(deaf=True))
    desk.pass_s(0.3)
    desk.port.waiting += b"\n\x00\xff\xfe\nok T:20.1 /0.0\n"
    assert _is_down("other_device", desk.pass_s(GREET_S + 1))


def test_another_version_is_told() -> None:
    assert _is_down("version", Desk("/dev/ttyUSB0", board=StandIn(protocol=2)).pass_s(GREET_S + 1))


def test_a_board_that_falls_silent_is_told_and_taken_up_again() -> None:
    desk = Desk("/dev/ttyUSB0")
    desk.pass_s(1)
    assert _is_down("silence", desk.pass_s(3.2, beats=False))
    assert [type(event) for event in desk.pass_s(2)] == [LinkUp]


def test_a_reset_board_is_told_greeted_again_and_streams_again() -> None:
    desk = Desk("/dev/ttyUSB0", trace=4)
    desk.pass_s(3)
    desk.board.heard.clear()
    desk.port.waiting += desk.board.boot("watchdog")
    events = desk.pass_s(1)
    assert [type(event) for event in events] == [LinkDown, LinkUp]
    assert _is_down("restarted", events)
    assert "STREAM,4" in desk.board.heard


@pytest.mark.parametrize("pulled", [True, False])
@pytest.mark.parametrize("named", [True, False])
def test_a_board_that_does_not_come_back_from_a_reset_is_told(named: bool, pulled: bool) -> None:
    """If the board had been found automatically, the page kept saying that it had just restarted."""
    desk = Desk("/dev/ttyACM0", named=named)
    desk.pass_s(2)
    desk.board.boot("brownout")
    desk.port.waiting += desk.board.beat()  # its HELLO did not arrive
    desk.board.deaf = True
    assert _is_down("restarted", desk.pass_s(0.5))
    if pulled:
        desk.port.dead, desk.present = True, []
    assert _is_down("gone" if pulled else "silence", desk.pass_s(GREET_S + 1))


@pytest.mark.parametrize("restarts", [True, False])
def test_settings_that_were_lost_on_the_way_are_asked_for_again(restarts: bool) -> None:
    """The board was never calibrated; nobody was told, and its weight counted."""
    desk = Desk("/dev/ttyUSB0", board=StandIn(calibrated=0, deaf=not restarts))
    desk.pass_s(1)
    desk.board.deaf = False
    hello = desk.board.boot("brownout").splitlines(keepends=True)[0]
    desk.port.waiting += hello + b"$001,4,SETTXNGS,80\r\n"
    events = desk.pass_s(2)
    assert "uncalibrated" in {event.name for event in events if isinstance(event, Fault)}
    assert [type(event) for event in events].count(LinkUp) == 1
    asked = desk.board.heard.count("HELLO")
    desk.pass_s(5)
    assert desk.board.heard.count("HELLO") == asked, "no more once it is known"


def test_lost_lines_and_garbage_are_faults_that_end() -> None:
    desk = Desk("/dev/ttyUSB0")
    desk.pass_s(1)
    desk.board.sequence += 5
    desk.port.waiting += desk.board.beat() + b"$garbage\n" * 5
    events = desk.pass_s(15)
    assert [event.name for event in events if isinstance(event, Fault)] == ["lost", "garbage"]
    assert {event.name for event in events if isinstance(event, Recovered)} == {"lost", "garbage"}


def test_the_boards_own_faults_come_with_a_sentence() -> None:
    desk = Desk("/dev/ttyUSB0")
    desk.pass_s(1)
    desk.port.waiting += desk.board.line(Kind.FAULT, "silent", 1) + desk.board.line(Kind.FAULT, "silent", 0)
    [fault, over] = desk.pass_s(0.1)
    assert isinstance(fault, Fault)
    assert "HX711" in fault.sentence
    assert over == Recovered("silent")


def test_commands_are_answered_one_after_the_other() -> None:
    desk = Desk("/dev/ttyUSB0")
    desk.pass_s(1)
    desk.board.refuse = {"TARE": "moving"}
    desk.link.ask(Command.TARE)
    desk.link.ask(Command.THRESHOLD, 150)
    desk.pass_s(0.5)
    assert list(desk.link.answers) == [
        Answer(Command.TARE, 0, "moving"),
        Answer(Command.THRESHOLD, 150, None, (150,)),
    ]


def test_a_board_that_was_reset_has_nothing_to_keep_any_more() -> None:
    """The reset came before the answer to SAVE, and the old scale was then saved as if it were the new
    one."""
    desk = Desk("/dev/ttyUSB0")
    desk.pass_s(1)
    desk.board.deaf = True
    desk.link.ask(Command.SAVE)
    desk.pass_s(0.5)
    desk.board.deaf = False
    desk.port.waiting += desk.board.boot("brownout")
    desk.pass_s(2)
    assert list(desk.link.answers) == [Answer(Command.SAVE, 0, "restarted")]
    assert desk.board.heard.count("SAVE") == 1


def test_a_command_without_answer_is_sent_again_and_then_given_up() -> None:
    desk = Desk("/dev/ttyUSB0")
    desk.pass_s(1)
    desk.board.deaf = True
    desk.link.ask(Command.SAVE)
    for _ in range(10):
        desk.port.waiting += desk.board.beat()
        desk.pass_s(1)
    assert desk.board.heard.count("SAVE") == 3
    assert list(desk.link.answers) == [Answer(Command.SAVE, 0, "unanswered")]


def test_a_board_that_answers_again_is_in_no_trouble_any_more() -> None:
    """Its weight used to be ignored until it was unplugged."""
    desk = Desk("/dev/ttyUSB0")
    desk.pass_s(1)
    desk.board.deaf = True
    desk.link.ask(Command.SAVE)
    for _ in range(10):
        desk.port.waiting += desk.board.beat()
        desk.pass_s(1)
    assert [event.name for event in desk.events if isinstance(event, Fault)] == ["unanswered"]
    desk.board.deaf = False
    desk.link.ask(Command.SAVE)
    assert desk.pass_s(1) == [Recovered("unanswered")]
    desk.link.ask(Command.SAVE)
    assert desk.pass_s(1) == []


def test_commands_under_way_are_answered_when_the_cable_is_pulled() -> None:
    desk = Desk("/dev/ttyUSB0")
    desk.pass_s(1)
    desk.board.deaf = True
    desk.link.ask(Command.SAVE)
    desk.port.dead = True
    desk.pass_s(0.2)
    assert list(desk.link.answers) == [Answer(Command.SAVE, 0, "gone")]


class _Listed:
    def __init__(
        self, device: str, description: str = "n/a", hwid: str = "n/a", vid: int | None = None
    ) -> None:
        self.device, self.description, self.hwid, self.vid = device, description, hwid, vid


@pytest.mark.parametrize(
    ("platform", "ports", "worth"),
    [
        (
            "linux",
            [
                _Listed("/dev/ttyS0"),
                _Listed("/dev/rfcomm0"),
                _Listed("/dev/ttyUSB7"),
                _Listed("/dev/ttyACM0", "Arduino Uno", "USB VID:PID=2341:0043", 0x2341),
            ],
            ["/dev/ttyACM0", "/dev/ttyUSB7"],
        ),
        (
            "darwin",
            [
                _Listed("/dev/cu.Bluetooth-Incoming-Port"),
                _Listed("/dev/cu.wlan-debug"),
                _Listed("/dev/tty.usbmodem1101", vid=0x2341),
                _Listed("/dev/cu.usbmodem1101", vid=0x2341),
                _Listed("/dev/cu.wchusbserial10"),
            ],
            ["/dev/cu.usbmodem1101", "/dev/cu.wchusbserial10"],
        ),
        (
            "win32",
            [
                _Listed("COM1", "Communications Port", "ACPI\\PNP0501"),
                _Listed("COM5", "Standard Serial over Bluetooth link", "BTHENUM\\{0001}"),
                _Listed("COM9", "USB-SERIAL CH340 (COM9)", "USB VID:PID=1A86:7523", 0x1A86),
                _Listed("COM4", "USB Serial Device (COM4)", "USB VID:PID=1234:0001", 0x1234),
            ],
            ["COM9", "COM4"],
        ),
    ],
)
def test_only_ports_that_may_be_a_board_are_opened(
    platform: str, ports: list[_Listed], worth: list[str]
) -> None:
    assert likely_ports(ports, platform) == worth


def test_a_board_that_was_never_calibrated_is_told_until_it_is() -> None:
    board = StandIn(calibrated=0)
    desk = Desk("/dev/ttyACM0", board=board)
    assert [event.name for event in desk.pass_s(1) if isinstance(event, Fault)] == ["uncalibrated"]
    board.calibrated = 1
    desk.port.waiting += board.boot()
    events = desk.pass_s(2)
    assert [type(event) for event in events] == [LinkDown, LinkUp]


def test_a_command_to_a_board_that_is_given_up_is_answered_and_never_carried_out() -> None:
    """Minutes later, when the board was back, it set its zero though nobody had asked any more."""
    desk = Desk("/dev/ttyACM0", named=False)
    desk.pass_s(1)
    desk.board.deaf = True
    desk.link.ask(Command.TARE)
    desk.pass_s(0.1, beats=False)
    restarted = StandIn()
    desk.port.waiting += restarted.line(Kind.BEAT, 0, 1, "starting", 80, 0, 0)  # its HELLO was lost
    desk.pass_s(GREET_S + 2, beats=False)
    assert [answer.reason for answer in desk.link.answers] == ["gone"]
    desk.boards["/dev/ttyACM0"] = StandIn()
    desk.pass_s(LEAVE_ALONE_S + 120)
    assert desk.link.ready
    assert "TARE" not in desk.board.heard
