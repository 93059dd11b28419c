"""A colour that the reader was not taught: the table asks if it may lie there; the log leaves it out."""

from dataclasses import replace

import pytest

from companion.games.protocol import Colour, ThrowPlan
from companion.table.log import throwlog
from companion.table.messages import Looked
from companion.table.throw.looking import judge_look
from tests.companion.table.tables import looked
from vision.finding.detector import COLOURS
from vision.palette import SHOGUN_SRGB
from vision.reading import KNOWN_UNTAUGHT, Doubt


def plan_of(**possible: int) -> ThrowPlan:
    """A throw after which up to so many cubes may lie there."""
    counts = {Colour(colour): number for colour, number in possible.items()}
    return ThrowPlan(counts, {}, counts)


def seen_by(colours: tuple[str, ...], **counts: int) -> Looked:
    """A certain reading by a reader of these colours."""
    full = looked()
    return replace(full, reading=replace(full.reading, counts={c: counts.get(c, 0) for c in colours}))


def doubts_of(seen: Looked, plan: ThrowPlan) -> tuple[Doubt, ...]:
    return judge_look(1, seen, plan, None, lay_there=False).doubts


def test_a_colour_that_was_not_taught_and_may_lie_there_is_asked_about() -> None:
    """An orange cube is counted as a red or a yellow one, however sure the reader is."""
    seen = seen_by(tuple(SHOGUN_SRGB), red=2, blue=1)
    assert doubts_of(seen, plan_of(red=2, blue=1, orange=2)) == (Doubt.UNTAUGHT_COLOUR,)
    assert doubts_of(seen, plan_of(red=1, blue=1, orange=2)) == (Doubt.NOT_IN_TOWER, Doubt.UNTAUGHT_COLOUR)


def test_a_colour_of_which_none_can_lie_there_raises_no_doubt() -> None:
    assert doubts_of(seen_by(tuple(SHOGUN_SRGB), red=2), plan_of(red=2, orange=0)) == ()
    assert doubts_of(seen_by(("red", "orange"), red=2), plan_of(red=2, orange=3)) == ()


def test_an_empty_tray_is_called_empty_only() -> None:
    assert doubts_of(seen_by(tuple(SHOGUN_SRGB)), plan_of(red=2, orange=2)) == (Doubt.EMPTY,)


@pytest.mark.parametrize(("taught", "asks"), [(("red", "blue"), False), (("red", "white"), True)])
def test_a_reader_of_some_of_shoguns_colours_knows_the_others(taught: tuple[str, ...], asks: bool) -> None:
    """It asks about them by itself; a reader of any other colours takes them for its own."""
    seen = doubts_of(seen_by(taught, red=2), plan_of(red=2, black=1))
    assert seen == ((Doubt.UNTAUGHT_COLOUR,) if asks else ())


def test_the_log_tells_none_seen_from_not_known() -> None:
    throw = {
        **dict.fromkeys(("game", "batch", "by", "author", "corrected", "undone", "evidence", "possible")),
        "ts_ms": 0,
        "result": {},
        "from_table": {"red": 1},
        "from_tray": {},
        "accepted": {"red": 1},
        "seen": {"red": 1, "blue": 0},
    }
    row = throwlog._row(throw, known=True)
    assert [row[f"seen_{colour}"] for colour in ("red", "blue", "orange")] == [1, 0, None]
    assert [row[f"out_{colour}"] for colour in ("red", "blue", "orange")] == [1, 0, 0]


def test_the_colours_known_untaught_are_those_of_the_networks() -> None:
    assert set(COLOURS) == KNOWN_UNTAUGHT
