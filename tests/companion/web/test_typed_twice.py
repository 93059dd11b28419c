"""Facts that pages and rules both need and cannot share are the same on both sides."""

import json
import re
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter

from calibration.sheets.drawing import INLAYS
from companion.games.registry import games
from companion.games.shogun.state import House
from companion.games.shogun.words import PLAYERS
from companion.table.past.book import TABLE_SAYS
from companion.web.requests import PAGE_AT_MOST, Count
from companion.web.streams import HEARTBEAT_S
from tests.companion.web.catalogue import STATIC


def _script_constant(script: str, name: str) -> Any:
    """A script's constant, if JSON can represent it."""
    text = (STATIC / script).read_text(encoding="utf-8")
    declaration = re.search(rf"^(?:export )?const {name} = (.*?);", text, re.MULTILINE | re.DOTALL)
    assert declaration is not None, f"{script}: {name}"
    quoted = re.sub(r"(\w+):", r'"\1":', declaration.group(1))
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", quoted))


def test_a_page_asks_for_no_more_at_once_than_is_told() -> None:
    assert _script_constant("pastloader.js", "AT_MOST") == PAGE_AT_MOST


def test_a_new_game_is_offered_with_the_rulings_that_hold_where_nobody_chooses() -> None:
    assert _script_constant("hostgame.js", "RULES") == asdict(House())


def test_the_seats_that_the_host_offers_are_those_of_the_rules() -> None:
    assert set(_script_constant("hostgame.js", "COLOURS")) == set(PLAYERS)


def test_who_insists_in_the_app_s_words_is_told_in_those_of_the_reader() -> None:
    assert _script_constant("words.js", "TABLE_SAYS") == TABLE_SAYS


def test_the_usual_inlays_of_the_page_are_those_of_the_sheets() -> None:
    sizes = {inlay.shape.value: [inlay.width_mm, inlay.depth_mm] for inlay in INLAYS}
    assert _script_constant("matcard.js", "SHAPES") == sizes


def test_a_page_takes_the_table_for_gone_only_after_two_words_of_it_have_not_come() -> None:
    assert _script_constant("api.js", "SILENT_MS") > 2000 * HEARTBEAT_S


def test_every_colour_of_every_game_may_be_counted_at_once() -> None:
    """The limit was twelve: with a thirteenth colour a throw of all of them could not be settled."""
    one_of_each = {str(colour): 1 for game in games().values() for colour in game.colours}
    assert TypeAdapter(Count).validate_python(one_of_each) == one_of_each
