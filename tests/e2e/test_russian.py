"""Refusals in Russian: what the server refuses, the page tells without an English word."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from companion.games.shogun.commands import Fact
from companion.table.runtime import Runtime
from tests.e2e import stages
from tests.e2e.place import MODULE, PHONE, Hands

pytestmark = pytest.mark.browser
LATIN = re.compile(r"[A-Za-z]{2,}")
KNOWN = {"Tenshu", "JSON"}
WRONG: list[tuple[str, dict[str, Any]]] = [
    *(
        ("commands", {"command": {"kind": "correct", "fact": fact.value, "where": where, "value": value}})
        for fact in Fact
        for where, value in (("nowhere", 1), ("omi", -1), ("red", "nothing"), ("", ["nonsense"]))
    ),
    ("commands", {"command": {"kind": "no such thing"}}),
    ("commands", {"command": {"kind": "declare", "attacker": "red"}}),
    ("commands", {"command": {"kind": "place", "seat": "red", "space": "castle", "card": "omi"}}),
    *(
        ("commands", {"command": command})
        for command in (
            {"kind": "lay"},
            {"kind": "reveal"},
            {"kind": "score"},
            {"kind": "lose_rice"},
            {"kind": "empty_tower"},
            {"kind": "call_off"},
            {"kind": "settle", "tray": {}},
            {"kind": "draw_revolts", "player": "red"},
            {"kind": "fight_revolt", "seat": "red", "province": "omi"},
            {"kind": "choose", "seat": "red", "special": "plus_rice"},
            {"kind": "act", "seat": "red"},
            {"kind": "accident", "fell": {"red": 60}},
            {"kind": "accident", "fell": {"white": 1}},
            {"kind": "count_tower", "inside": {"red": 63}},
            {"kind": "ready", "seat": "red"},
        )
    ),
    ("settle", {"counts": {"red": 1}}),
    ("settle", {"counts": {"red": -1}}),
    ("correct", {"batch": 1, "counts": {}}),
    ("undo", {"batch": 1}),
    ("look", {}),
    ("demo/fall", {}),
    ("host/tables", {"name": "НЕТ", "options": {}}),
    ("host/tables", {"name": "odd", "options": {"players": ["red"]}}),
    ("host/tables", {"name": "odd", "options": {"players": ["red", "blue", "yellow"], "side": "west"}}),
    ("host/tables", {"name": "odd", "game": "no-such", "options": {}}),
    (
        "host/tables",
        {
            "name": "odd",
            "options": {
                "players": ["red", "blue", "yellow"],
                "start": "board",
                "provinces": {"omi": {"owner": "red"}},
            },
        },
    ),
    ("host/tables", {"name": "odd", "game": "just_the_tower", "options": {"box": {"mauve": 3}}}),
    ("host/tables/none/open", {}),
]


@pytest.fixture
def table(tmp_path: Path) -> Runtime:
    return stages.fresh(tmp_path)


def test_what_is_refused_is_said_in_russian_without_an_english_word(
    chromium: Browser, table: Runtime, tmp_path: Path
) -> None:
    with stages.served(table, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale="ru-RU")
        hands.open("/history")
        hands.page.get_by_role("heading", name=re.compile("[А-Я]")).first.wait_for()  # messages are loaded
        refusals: list[tuple[str, str]] = []
        for path, body in WRONG:
            is_for_host = path.startswith("host/")
            command = body if is_for_host else {"expected": table.session.view()["expected"], **body}
            refusal = hands.page.evaluate(
                """async ([path, body]) => {
                  const { send, refusalText } = await MODULE("api.js");
                  const answer = await send(path, body);
                  return answer.ok ? null : [answer.body.error.key, refusalText(answer.body.error)];
                }""".replace("MODULE", MODULE),
                [path, command],
            )
            if refusal is not None:
                refusals.append((refusal[0], refusal[1]))
        english = {
            (key, words) for key, words in refusals for word in LATIN.findall(words) if word not in KNOWN
        }
        names = {province["name"] for province in table.session.view()["game"]["provinces"]}
        english = {(key, words) for key, words in english if not any(name in words for name in names)}
        assert english == set(), json.dumps(sorted(english), ensure_ascii=False, indent=1)
        assert len({key for key, _ in refusals}) >= 30, sorted({key for key, _ in refusals})
        hands.context.close()
