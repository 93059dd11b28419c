"""Whatever a closed set can say has its words: a reason to ask, a card or a trouble that is new fails here.

Its page would fall back on the English sentence, or show the bare key.
"""

from collections.abc import Iterable

import pytest

from calibration.profiles.drift import Change
from companion.games.protocol import TowerShown
from companion.games.shogun.commands import Fact
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
from companion.table.people.handover import Answer
from companion.table.throw.live import Phase
from firmware.link.troubles import FAULTS, LINK, REFUSALS
from tests.companion.web.catalogue import messages
from vision.reading import Doubt
from vision.scene.trouble import Trouble
from vision.sources.lightlock import LockState

PLAIN = {Fight.ATTACK, Fight.WINTER_REVOLT}
"""`attacks` tells the first; the second is told as any revolt."""
SAID: dict[str, Iterable[str]] = {
    "doubt.": Doubt,
    "trouble.": [one.name.lower() for kind in (Trouble, Change) for one in kind],
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
}
WHOLE = ("building.", "special.", "effect.", "season.", "fact.", "action.", "camera.light.", "seat.asked.")
"""Under these stands nothing else: what has left the set leaves the messages too."""


@pytest.mark.parametrize("beginning", SAID)
def test_every_member_of_a_closed_set_has_its_words(beginning: str) -> None:
    """In English; that no other language lacks one `test_languages.py` sees."""
    told = {key for key in messages("en") if key.startswith(beginning)}
    wanted = {f"{beginning}{one}" for one in SAID[beginning]}
    assert wanted
    assert wanted - told == set()
    if beginning in WHOLE:
        assert told - wanted == set()


def test_what_is_said_where_a_place_is_not_circled_is_of_a_doubt_that_there_is() -> None:
    doubts = {key for key in messages("en") if key.startswith("doubt.")}
    assert doubts <= {f"doubt.{one}{more}" for one in Doubt for more in ("", "_all")}
