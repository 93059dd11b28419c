"""When the sensor process is considered dead: judged by looks, and not by the clock."""

import pytest

from companion.table.desks.pulse import HANGS_S, LOOK_S, MOST_S, Pulse

_LOOKS = round(HANGS_S / LOOK_S)


def _count_looks_until_hung(pulse: Pulse) -> int:
    number = 1
    while not pulse.count_look():
        number += 1
    return number


def _living_pulse() -> Pulse:
    pulse = Pulse()
    pulse.note_start()
    pulse.note_beat()
    return pulse


def test_a_process_that_beats_never_hangs() -> None:
    pulse = _living_pulse()
    for _ in range(10 * _LOOKS):
        assert not pulse.count_look()
        assert not pulse.is_silent
        pulse.note_beat()


def test_silence_is_told_long_before_it_is_ended_for_it() -> None:
    """And a sign of life ends the silence."""
    pulse = _living_pulse()
    for _ in range(_LOOKS - 1):
        assert not pulse.count_look()
    assert pulse.is_silent
    pulse.note_beat()
    assert not pulse.is_silent
    assert _count_looks_until_hung(pulse) == _LOOKS
    assert pulse.has_hung
    assert not pulse.count_look(), "it is ended once"


def test_a_process_that_only_starts_is_believed_longer() -> None:
    """OpenCV and the networks are loaded, on a small computer from a slow card."""
    pulse = Pulse()
    pulse.note_start()
    assert _count_looks_until_hung(pulse) == 4 * _LOOKS
    assert not pulse.is_silent, "it has never said anything"


def test_nobody_is_silent_while_it_is_not_listened_to() -> None:
    """Handling what the process said last may take a while: a full disk, a lock."""
    pulse = _living_pulse()
    with pulse.handling():
        for _ in range(2 * _LOOKS):
            assert not pulse.count_look()
    assert not pulse.is_silent
    assert not pulse.count_look()


def test_what_ended_young_is_told_from_what_lived_for_a_while() -> None:
    pulse = _living_pulse()
    for _ in range(round(30 / LOOK_S)):
        assert not pulse.lived_well
        pulse.note_beat()
        pulse.count_look()
    assert pulse.lived_well
    pulse.note_end()
    assert pulse.lived_well, "asked when it is over"
    pulse.note_start()
    assert not pulse.lived_well


def test_none_hangs_where_none_runs() -> None:
    pulse = _living_pulse()
    pulse.note_end()
    for _ in range(2 * _LOOKS):
        assert not pulse.count_look()


@pytest.mark.parametrize("lives_well", [False, True])
def test_what_hangs_again_and_again_is_believed_longer_each_time(lives_well: bool) -> None:
    """A machine that is only slow is left alone in the end; one that hangs once an hour is ended as fast as
    ever."""
    pulse = _living_pulse()
    waited = []
    for _ in range(5):
        for _ in range(20 * _LOOKS * 2 if lives_well else 0):
            pulse.count_look()
            pulse.note_beat()
        waited.append(_count_looks_until_hung(pulse) * LOOK_S)
        pulse.note_end()
        pulse.note_start()
        pulse.note_beat()
        assert not pulse.has_hung
    assert waited == ([HANGS_S] * 5 if lives_well else [HANGS_S, 60.0, 120.0, MOST_S, MOST_S])
