"""The live table: what happens between the throw and the log."""

import threading
from pathlib import Path

import pytest

from companion.games.protocol import Colour, TowerShown
from companion.store.errors import StoreError
from companion.table.errors import LookedAnew, Outdated, TableRefusal
from companion.table.messages import CameraSays, Moving, SensorSays
from companion.table.past.undoing import Wish
from firmware.link.events import Drop, LinkDown, LinkUp
from tests.companion.table.tables import JPEG, Table, looked
from vision.reading import Doubt

RED, BLUE, GREEN = Colour("red"), Colour("blue"), Colour("green")


def test_a_certain_reading_is_accepted_when_nobody_holds_it(table: Table) -> None:
    table.attack()
    assert table.phase == "waiting"
    table.falls(red=4, blue=1, green=1)
    assert (table.phase, table.session.view()["left_ms"]) == ("countdown", 4000)
    table.pass_s(3.9)
    assert table.phase == "countdown"
    table.pass_s(0.2)
    assert (table.phase, table.province()) == ("idle", ("red", 2))
    [throw] = table.session.throws()
    assert (throw["by"], throw["corrected"], throw["author"]) == ("countdown", False, "camera")
    assert table.evidence.read(throw["evidence"]) is not None


def test_a_doubtful_reading_asks_for_ever(table: Table) -> None:
    table.attack()
    table.falls(Doubt.STACKED, red=4, blue=1)
    table.pass_s(3600)
    assert table.phase == "asking"
    assert table.session.view()["look"]["doubts"][0]["key"] == "stacked"


def test_a_held_countdown_waits_for_the_person_and_takes_the_correction(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1)
    table.session.hold(table.expected, table.look)
    table.pass_s(60)
    assert table.phase == "asking"
    table.session.settle({RED: 4, BLUE: 2}, "anna", table.expected, table.look)
    [throw] = table.session.throws()
    assert (throw["by"], throw["corrected"], throw["seen"]["blue"]) == ("person", True, 1)
    assert table.province() == ("red", 2)


def test_a_slow_browser_still_gets_the_picture_of_the_look_that_was_settled(table: Table) -> None:
    """It got a 404; older looks still do, and those that never existed."""
    table.attack()
    numbers = []
    for _ in range(2):
        table.session.hear(Moving())
        table.falls(red=4, blue=1)
        numbers.append(table.look)
    table.pass_s(5)
    assert table.session.view()["look"] is None
    older, settled = numbers
    assert table.session.picture(settled) == JPEG
    assert table.session.picture(older) is None
    assert table.session.picture(settled + 1) is None


def test_motion_during_the_countdown_starts_over(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1)
    table.session.hear(Moving())
    table.pass_s(60)
    assert table.phase == "falling"
    table.session.hear(looked(red=5, blue=1))
    table.pass_s(5)
    assert table.province() == ("red", 4)


def test_a_countdown_that_never_ends_becomes_a_question(table: Table) -> None:
    """A network camera writes the time into its picture, and no mat shows where the tray is: the countdown
    restarted every second, forever, and each tap on it came too late."""
    table.attack()
    for _ in range(5):
        table.falls(red=4, blue=1)
        assert table.phase == "countdown"
        table.pass_s(1)
    table.falls(red=4, blue=1)
    number = table.look
    for _ in range(5):
        table.falls(red=4, blue=1)
        table.pass_s(1)
    assert (table.phase, table.look) == ("asking", number)
    table.falls(red=4, blue=2)  # a late cube
    assert (table.phase, table.look) == ("countdown", number + 1)
    table.falls(Doubt.STACKED, red=4, blue=2)
    table.falls(red=4, blue=1)
    assert table.session.view()["look"]["counts"]["blue"] == 1
    table.session.settle({Colour("red"): 4, Colour("blue"): 1}, "anna", table.expected, look=table.look)
    assert table.province() == ("red", 3)


def test_hands_over_the_tray_take_no_question_away(table: Table) -> None:
    table.attack()
    table.falls(Doubt.STACKED, red=4, blue=1)
    number = table.look
    table.session.hear(Moving())
    assert (table.phase, table.look) == ("asking", number)


def test_an_empty_tray_is_never_settled_in_silence(table: Table) -> None:
    table.attack()
    table.falls()
    table.pass_s(60)
    assert table.phase == "waiting"
    table.session.look_again()
    table.session.hear(looked())
    table.pass_s(60)
    assert table.phase == "asking"


def test_an_empty_tray_that_somebody_asks_to_be_read_waits_for_the_throw(table: Table) -> None:
    """The page said that "this" may have lain there before the throw."""
    table.attack()
    table.session.look_again()
    table.session.hear(looked())
    doubts = table.session.view()["look"]["doubts"]
    assert [(doubt["key"], doubt["sentence"]) for doubt in doubts] == [("empty", "The tray is empty.")]
    table.falls(red=4, blue=1)
    assert table.phase == "countdown"


def test_a_tray_that_cannot_be_seen_is_not_called_empty(table: Table) -> None:
    table.attack()
    table.session.look_again()
    table.session.hear(looked(Doubt.NO_TRAY))
    assert [doubt["key"] for doubt in table.session.view()["look"]["doubts"]] == [Doubt.NO_TRAY]


@pytest.mark.parametrize("doubt", [Doubt.FALSE_COLOURS, Doubt.VEILED])
def test_a_colourless_picture_of_an_empty_tray_is_called_empty_first(table: Table, doubt: Doubt) -> None:
    """With a black tray on a grey table, someone who has not thrown yet has nothing to count by eye."""
    table.attack()
    table.session.look_again()
    table.session.hear(looked(doubt))
    assert [doubt_json["key"] for doubt_json in table.session.view()["look"]["doubts"]] == [
        Doubt.EMPTY,
        doubt,
    ]
    table.session.look_again()
    table.session.hear(looked(doubt, Doubt.HAND))
    assert Doubt.EMPTY not in [doubt_json["key"] for doubt_json in table.session.view()["look"]["doubts"]]
    table.falls(doubt, red=1)
    assert [doubt_json["key"] for doubt_json in table.session.view()["look"]["doubts"]] == [doubt]
    assert table.phase == "asking"


def test_a_colour_that_cannot_come_out_is_asked_about(table: Table) -> None:
    table.attack()
    table.falls(red=4, yellow=9)
    assert table.phase == "asking"
    assert [d["key"] for d in table.session.view()["look"]["doubts"]] == ["not_in_tower"]
    counts = {RED: 4, Colour("yellow"): 9}
    with pytest.raises(TableRefusal) as refused:
        table.session.settle(counts, "anna", table.expected, table.look)
    assert refused.value.key == "not_in_tower"
    table.session.settle(counts, "anna", table.expected, table.look, insist=True)
    assert table.session.view()["game"]["cubes"]["tray"]["yellow"] == 9


def test_when_two_phones_confirm_at_once_one_wins_and_the_other_hears_it(table: Table) -> None:
    table.attack()
    table.falls(Doubt.STACKED, red=4, blue=1)
    expected, look = table.expected, table.look
    barrier = threading.Barrier(2)
    outcomes: list[str] = []

    def confirm(name: str, counts: dict[Colour, int]) -> None:
        barrier.wait()
        try:
            table.session.settle(counts, name, expected, look)
            outcomes.append("saved")
        except Outdated as refused:
            outcomes.append(refused.key)

    phones = [
        threading.Thread(target=confirm, args=("anna", {RED: 4, BLUE: 1})),
        threading.Thread(target=confirm, args=("ben", {RED: 1, BLUE: 4})),
    ]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert sorted(outcomes) == ["outdated", "saved"]
    assert len(table.session.throws()) == 1


def test_an_answer_to_yesterdays_picture_is_refused(table: Table) -> None:
    """And not as if somebody had been faster: it was the camera."""
    table.attack()
    table.falls(Doubt.STACKED, red=4, blue=1)
    number = table.look
    table.falls(Doubt.STACKED, red=4, blue=2)
    for _ in ("read anew", "moved"):
        with pytest.raises(LookedAnew):
            table.session.settle({RED: 4}, "anna", table.expected, number)
        table.falls(red=4, blue=3)
        table.session.hear(Moving())


def test_without_a_camera_a_person_counts(table: Table) -> None:
    table.attack()
    table.session.settle({RED: 1, BLUE: 3}, "anna", table.expected)
    assert table.province() == ("blue", 2)
    assert table.session.throws()[0]["by"] == "hand"


def test_undo_brings_the_throw_back_and_can_be_undone(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    thrown = table.session.view()["undo"]["batch"]
    table.session.undo(Wish(thrown, "anna"), table.expected, agreed=["anna"])
    assert table.phase == "waiting"
    assert table.session.throws()[0]["undone"]
    newest = table.session.past.history()[0]
    assert newest["kind"] == "undone"
    table.session.undo(Wish(newest["batch"], "ben"), table.expected)
    assert (table.phase, table.province()) == ("idle", ("red", 3))


def test_the_table_being_set_cannot_be_undone(table: Table) -> None:
    with pytest.raises(TableRefusal):
        table.session.undo(Wish(1, "anna"), table.expected)


def test_a_correction_is_one_step_with_a_reason_and_can_be_undone(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    batch = table.session.throws()[0]["batch"]
    table.session.correct(batch, {RED: 2, BLUE: 3}, "one lay under another", "anna", table.expected)
    assert table.province() == ("blue", 1)
    new, old = table.session.throws()
    assert (new["corrected"], new["reason"], old["undone"]) == (True, "one lay under another", True)
    table.session.undo(Wish(new["batch"], "anna"), table.expected, agreed=["anna", "ben"])
    assert table.province() == ("red", 3)


def test_a_correction_is_corrected_again_and_taken_back_alone(table: Table) -> None:
    """What it had replaced came back, and there was no throw left to settle: "No throw is awaited"."""
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    for red in (2, 5):
        batch = table.session.throws()[0]["batch"]
        assert table.session.preview({RED: red, BLUE: 3}, table.expected, batch)["error"] is None
        table.session.correct(batch, {RED: red, BLUE: 3}, "", "anna", table.expected)
    assert [(throw["accepted"]["red"], throw["undone"]) for throw in table.session.throws()] == [
        (5, False), (2, True), (4, True),
    ]  # fmt: skip
    assert table.province() == ("red", 2)
    newest = table.session.throws()[0]["batch"]
    table.session.undo(Wish(newest, "anna"), table.expected, agreed=["anna", "ben"])
    assert [throw["accepted"]["red"] for throw in table.session.throws() if not throw["undone"]] == [2]
    assert table.province() == ("blue", 1)


def test_a_throw_with_battles_after_it_is_not_corrected(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    batch = table.session.throws()[0]["batch"]
    table.attack("ise")
    with pytest.raises(TableRefusal) as refused:
        table.session.correct(batch, {RED: 2}, "", "anna", table.expected)
    assert refused.value.key == "built_upon"


def test_after_a_restart_the_table_is_where_it_was(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    table.attack("ise", attackers=4)
    view_before = table.session.view()
    view_after = table.opened().view()
    assert (view_after["game"], view_after["phase"], view_after["history"]) == (
        view_before["game"],
        "waiting",
        view_before["history"],
    )
    assert view_after["expected"] == view_before["expected"]


def test_a_full_disk_is_told_and_nothing_is_settled(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("The disk did not take it.", "Free some disk space and do it again.")

    table.attack()
    expected_before = table.expected
    table.falls(red=4, blue=1)
    with monkeypatch.context() as patched:
        patched.setattr(table.store, "append", refuse)
        table.pass_s(5)
    assert (table.phase, table.expected) == ("asking", expected_before)
    assert "Free some disk space" in table.session.view()["notice"]["sentence"]
    table.session.settle({RED: 4, BLUE: 1}, "anna", table.expected, table.look)
    assert table.province() == ("red", 3)


def test_a_picture_that_cannot_be_kept_does_not_stop_the_game(table: Table, tmp_path: Path) -> None:
    (tmp_path / "pictures").write_text("a file in the way")
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    assert table.province() == ("red", 3)
    assert table.session.throws()[0]["evidence"] is None


def test_a_drop_felt_by_the_sensor_starts_the_watch(table: Table) -> None:
    table.attack()
    table.session.hear(SensorSays(Drop(10, 330)))
    assert table.phase == "falling"


def test_trouble_of_camera_and_sensor_is_on_the_page(table: Table) -> None:
    table.session.hear(CameraSays("USB camera 0", "It was unplugged.", "Plug it in."))
    table.session.hear(SensorSays(LinkUp("/dev/ttyUSB0", "1.0")))
    table.session.hear(SensorSays(LinkDown("/dev/ttyUSB0", "The board is gone.", "Check the cable.")))
    health = table.session.view()["health"]
    assert health["camera"]["remedy"] == "Plug it in."
    assert health["sensor"] == {
        "up": False,
        "name": "gone",
        "sentence": "The board is gone.",
        "remedy": "Check the cable.",
        "port": "/dev/ttyUSB0",
    }


def test_trouble_that_is_told_again_wakes_no_page(table: Table) -> None:
    """Every page drew itself anew every two seconds for as long as a camera could not be opened."""
    table.session.hear(CameraSays("USB camera 0", "It was unplugged.", "Plug it in."))
    view = table.session.view()
    table.session.hear(CameraSays("USB camera 0", "It was unplugged.", "Plug it in."))
    assert table.session.view()["rev"] == view["rev"]
    table.session.hear(CameraSays("USB camera 0"))
    assert table.session.view()["rev"] > view["rev"]


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ({"kind": "declare", "attacker": "red", "province": "mino", "armies": 2}, "own_province"),
        ({"kind": "declare", "attacker": "pink", "province": "omi", "armies": 2}, "no_such_player"),
        ({"kind": "declare", "attacker": "red", "province": "omi", "armies": -2}, "no_attackers"),
        ({"kind": "settle", "tray": {"red": 1}}, "no_throw"),
        ({"kind": "dance"}, "bad_request"),
        ({}, "bad_request"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(
    table: Table, command: dict[str, object], key: str
) -> None:
    before = table.expected
    with pytest.raises(TableRefusal) as refused:
        table.session.command(command, "anna", before)
    assert (refused.value.key, table.expected) == (key, before)
    assert refused.value.sentence.endswith(".")


def test_a_camera_in_trouble_ends_the_countdown(table: Table) -> None:
    """The last picture may be from the middle of the fall."""
    table.attack()
    table.falls(red=4, blue=1)
    table.session.hear(
        CameraSays("camera", "It shows the same picture again and again.", "Wake it.", "frozen")
    )
    table.pass_s(60)
    assert table.phase == "asking"


def test_a_camera_that_is_switched_off_ends_the_countdown(table: Table) -> None:
    """A person chose it, so there is no trouble to report, and the throw was accepted all the same."""
    table.attack()
    table.falls(red=4, blue=1)
    table.session.hear(CameraSays("none"))
    table.pass_s(60)
    assert table.phase == "asking"


def test_what_the_tower_tells_may_change_while_a_look_is_on_the_page(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1)
    number = table.look
    table.session.show_tower(TowerShown.HIDDEN, "anna", table.expected)
    assert (table.phase, table.look) == ("countdown", number)


def test_a_look_that_nobody_answered_does_not_make_a_question_of_the_next_hand(table: Table) -> None:
    table.attack()
    table.session.look_again()
    table.falls()
    assert table.phase == "waiting"


@pytest.mark.parametrize("key", ["unplugged", "camera_moved"])
def test_a_camera_that_goes_amid_a_fall_is_told_and_no_cubes_fall_any_more(table: Table, key: str) -> None:
    """The light said that cubes fall for as long as the camera was away; one that still sees lets them
    fall."""
    table.attack()
    table.session.hear(Moving())
    table.session.hear(CameraSays("0", "Something ails it.", "Help it.", key))
    assert table.phase == ("unseen" if key == "unplugged" else "falling")
    table.session.hear(CameraSays("0"))
    assert table.phase == "falling"
    table.session.hear(looked(red=4, blue=1))
    assert table.phase == "countdown"
