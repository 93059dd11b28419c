"""Every member of a closed set has its message: a new doubt, card or trouble without one fails here.

Its page would fall back on the English sentence, or show the bare key.
"""

import re
from collections.abc import Iterable
from typing import get_args

import pytest

from calibration.profiles.drift import Change
from companion.games.just_the_tower.events import Event as TowerEvent
from companion.games.protocol import TowerShown
from companion.games.registry import games
from companion.games.shogun.commands import Fact
from companion.games.shogun.events import Event
from companion.games.shogun.setup import Start
from companion.games.shogun.words import (
    ACTIONS,
    Building,
    Effect,
    Fight,
    Outcome,
    Season,
    Side,
    Special,
)
from companion.games.shogun.words import Phase as GamePhase
from companion.games.snake import snake
from companion.table.people.handover import Answer
from companion.table.throw.live import Phase
from companion.web.app import SENTENCES
from firmware.link.troubles import FAULTS, LINK, REFUSALS
from tests.companion.web.catalogue import STATIC, messages
from vision.reading import Doubt
from vision.scene.trouble import Trouble
from vision.sources.lightlock import LockState

PLAIN = {Fight.ATTACK, Fight.WINTER_REVOLT}
"""The message `attacks` covers the first; the second is worded like any revolt."""
EVENTS = {snake(kind.__name__) for kind in (*get_args(Event), *get_args(TowerEvent))}
HEADED = {"round_ended", "year_ended", "turn_ended"}
"""The history is grouped by season, and the next turn shows by what is done in it."""
STEPS = {"phase_begun", "card_turned", "card_placed", "row_laid", "specials_laid", "year_laid"}
"""Routine steps of the table; shown only if one is the newest event and nothing else was done."""
IN_OTHER_WORDS = {"throw_settled": "verdict.", "game_ended": "end.wins", "warned": "warn."}
MEMBERS: dict[str, Iterable[str]] = {
    "game.": games(),
    "event.": EVENTS - HEADED - set(IN_OTHER_WORDS),
    "doubt.": Doubt,
    "trouble.": [kind_member.name.lower() for kind in (Trouble, Change) for kind_member in kind],
    "camera.light.": LockState,
    "cell.trouble.": [*FAULTS, *LINK],
    "cell.refused.": REFUSALS,
    "phase.": Phase,
    "now.": GamePhase,
    "season.": Season,
    "action.": ACTIONS,
    "building.": Building,
    "special.": Special,
    "effect.": Effect,
    "fact.": Fact,
    "verdict.": Outcome,
    "fight.": set(Fight) - PLAIN,
    "host.side_": Side,
    "host.start_": set(Start) - {Start.BOARD},
    "host.tower_": TowerShown,
    "seat.asked.": Answer,
    "error.http_": map(str, SENTENCES),
}
WHOLE = ("building.", "special.", "effect.", "season.", "fact.", "action.", "camera.light.", "seat.asked.")
"""Prefixes used for members only: a member removed from its set must leave the messages too."""


@pytest.mark.parametrize("prefix", MEMBERS)
def test_every_member_of_a_closed_set_has_its_words(prefix: str) -> None:
    """In English; `test_languages.py` checks that no other language lacks one."""
    keys = {key for key in messages("en") if key.startswith(prefix)}
    wanted = {f"{prefix}{member}" for member in MEMBERS[prefix]}
    assert wanted
    assert wanted - keys == set()
    if prefix in WHOLE:
        assert keys - wanted == set()


def test_the_history_leaves_out_what_goes_without_saying_and_nothing_else() -> None:
    """Revolt markers and the turn order were missing from it."""
    script = (STATIC / "told.js").read_text(encoding="utf-8")
    quiet = re.search(r"QUIET = new Set\(\[(.*?)\]\)", script, re.DOTALL)
    assert quiet is not None
    assert set(re.findall(r"\w+", quiet.group(1))) == HEADED | STEPS
    assert HEADED | STEPS | set(IN_OTHER_WORDS) <= EVENTS
    for prefix in IN_OTHER_WORDS.values():
        assert any(key.startswith(prefix) for key in messages("en"))


def test_what_is_said_where_a_place_is_not_circled_is_of_a_doubt_that_there_is() -> None:
    doubts = {key for key in messages("en") if key.startswith("doubt.")}
    assert doubts <= {f"doubt.{doubt}{ending}" for doubt in Doubt for ending in ("", "_all")}
