"""What the history says of an event is what happened, in words of the reader's language."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.games.shogun import events as e
from companion.games.shogun.commands import Place
from companion.games.shogun.game import GAME
from companion.games.shogun.state import Result, Throw
from companion.games.shogun.titles import title
from companion.games.shogun.told import told
from companion.games.shogun.words import BLUE, FARMERS, RED, YELLOW, Fight, Outcome, Phase, Space
from tests.e2e import stages
from tests.e2e.place import LAPTOP, WORDED, Hands

pytestmark = pytest.mark.browser

_EQUAL = e.ThrowSettled(
    Throw(Fight.ATTACK, "omi", BLUE, None, "mino", moved=2, farmers=1),
    {BLUE: 2, FARMERS: 1},
    {BLUE: 1, FARMERS: 1},
    Result(Outcome.UNDECIDED, None, 0, {BLUE: 1, FARMERS: 1}, {}),
)
_BATTLE = Throw(Fight.ATTACK, "omi", BLUE, RED, "mino", moved=2)
_REVOLT = Throw(Fight.REVOLT, "omi", FARMERS, RED, None, farmers=2)
SAID: list[tuple[e.Event, str, str]] = [
    (e.ThrowDeclared(_BATTLE), "Blue attacks Omi", "Blau greift Omi an"),
    (e.ThrowCalledOff(_BATTLE), "The battle for Omi was called off", "Der Kampf um Omi wurde abgesagt"),
    (e.ThrowDeclared(_REVOLT), "Revolt in Omi against Red", "Revolte in Omi gegen Rot"),
    (e.ThrowCalledOff(_REVOLT), "The revolt in Omi was called off", "Die Revolte in Omi wurde abgesagt"),
    (
        e.RiceLost({BLUE: 3, RED: 0}, {}, {}),
        "Rice was lost to the winter|Blue: 3 rice left|Red: 0 rice left",
        "Der Winter kostete Reis|Blau: noch 3 Reis|Rot: noch 0 Reis",
    ),
    (e.SeatReady(RED, ready=True, by_cards=False), "Red: A plan is ready", "Rot: Ein Plan steht"),
    (
        e.SeatReady(RED, ready=False, by_cards=False),
        "Red: A plan is being changed",
        "Rot: Ein Plan wird geändert",
    ),
    (
        e.ArmiesFound("omi", 1),
        "The table had a different number of armies there|Omi|1 army",
        "Dort lagen mehr oder weniger Armeen als vermutet|Omi|1 Armee",
    ),
    (
        e.DefenceAnswered(1),
        "The defender has answered|Throw one more army in defence",
        "Der Verteidiger hat geantwortet|Eine Armee mehr zur Verteidigung einwerfen",
    ),
    (
        e.DefenceAnswered(0),
        "The defender has answered|Throw no more",
        "Der Verteidiger hat geantwortet|Keine Armee mehr einwerfen",
    ),
    (
        e.BidsRevealed({BLUE: "chest_2", RED: "omi", YELLOW: None}, {BLUE: 2}, (BLUE, RED, YELLOW)),
        "The bids were turned up and paid|Blue: Chests 2|Red: Omi|Yellow: no card",
        "Die Gebote wurden aufgedeckt und bezahlt|Blau: Truhen 2|Rot: Omi|Gelb: keine Karte",
    ),
    (
        e.ActionOpened(6, Space.TAXES),
        "An action card was turned up|Collect taxes",
        "Eine Aktionskarte wurde aufgedeckt|Steuern eintreiben",
    ),
    (
        e.IncomeForfeited(RED, 0, 5),
        "Red: The income was given back|5 chests",
        "Rot: Die Einnahme wurde zurückgegeben|5 Truhen",
    ),
    (
        e.Skipped(BLUE, Space.CASTLE, "A-4", "omi", "no_space"),
        "Blue: An action was not carried out|Omi|Build castle|"
        "Omi has no free building space (rule A\u20114).",
        "Blau: Eine Aktion entfiel|Omi|Burg bauen|Omi hat keinen freien Bauplatz (Regel A\u20114).",
    ),
    (
        e.Skipped(RED, Space.TAXES, "A-15", key="no_card"),
        "Red: An action was not carried out|Collect taxes|There was no province card on it (rule A\u201115).",
        "Rot: Eine Aktion entfiel|Steuern eintreiben|Darauf lag keine Provinzkarte (Regel A\u201115).",
    ),
    (  # an older log names the rule alone
        e.Skipped(RED, Space.CASTLE, "A-2", "omi"),
        "Red: An action was not carried out|Omi|Build castle|"
        "There are not enough chests for it (rule A\u20112).",
        "Rot: Eine Aktion entfiel|Omi|Burg bauen|Dafür reichen die Truhen nicht (Regel A\u20112).",
    ),
    (e.MarkerAdded("omi"), "A revolt marker was placed|Omi", "Ein Unruhemarker wurde gelegt|Omi"),
    (
        e.OrderSet((RED, BLUE, YELLOW)),
        "The turn order was set|Red, Blue, Yellow",
        "Die Zugreihenfolge steht fest|Rot, Blau, Gelb",
    ),
    (e.PhaseBegun(Phase.BIDS), "", ""),
    (e.TurnEnded(2, 1), "", ""),
    (e.GameEnded((BLUE,)), "Blue wins the game", "Blau gewinnt die Partie"),
    (
        e.GameEnded((BLUE, RED)),
        "Blue, Red win the game together",
        "Blau, Rot gewinnen gemeinsam",
    ),
    (
        e.Warned("X-2", "Omi has an owner but no army."),
        "⚠ A province has an owner but no army (X\u20112).",
        "⚠ Eine Provinz hat einen Besitzer und keine Armee (X\u20112).",
    ),
    (_EQUAL, "Omi holds out and stays neutral|B 1G 1", "Omi hält stand und bleibt neutral|B 1G 1"),
    (e.TowerFilled({BLUE: 2}), "The tower has its first cubes|B 2", "Der Turm hat seine ersten Würfel|B 2"),
]
READ = """async (facts) => {
  const { eventLine, notableEvents } = await WORDED("told.js");
  const inside = (one) => (one.className === "facts" ? [...one.children] : [one]);
  const pieces = (parts) => [parts].flat(Infinity).filter(Boolean).flatMap(inside);
  const text = (parts) => pieces(parts).map((one) => one.textContent ?? one);
  const words = (fact) => text(eventLine(fact, { omi: "Omi" })).join("|");
  return facts.map((fact) => (notableEvents({ told: [fact] }).length ? words(fact) : ""));
}""".replace("WORDED", WORDED)


NEWEST = """async (facts) => {
  const { entryLine } = await WORDED("told.js");
  return facts.map(([title, body]) => entryLine({ title, body, kind: body.kind }, { omi: "Omi" }));
}""".replace("WORDED", WORDED)


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_the_history_says_is_what_happened(chromium: Browser, tmp_path: Path, language: str) -> None:
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP, locale=language)
        hands.open("/history")
        sentences = hands.page.evaluate(READ, [told(event) for event, *_ in SAID])
        for sentence, (event, *wanted) in zip(sentences, SAID, strict=True):
            assert sentence == wanted[language == "de"], event
        alone: list[e.Event] = [e.Warned("T-5", "No event card lies open."), e.PhaseBegun(Phase.BIDS)]
        off: list[e.Event] = [e.ThrowCalledOff(_BATTLE), e.ThrowCalledOff(_REVOLT)]
        newest = hands.page.evaluate(NEWEST, [[title(event), told(event)] for event in alone + off])
        assert newest[2:] == [said[language == "de"] for event, *said in SAID if event in off]
        if language == "de":  # beside the battle they stood in English
            noticed = "⚠ Es liegt keine Ereigniskarte mehr offen: Diese Runde wird ohne Ereignis gespielt"
            assert newest[:2] == [f"{noticed} (T\u20115).", "Die Runde geht weiter"]
        hands.context.close()


def test_cards_laid_in_secret_do_not_drive_the_rest_out_of_what_happened(
    chromium: Browser, tmp_path: Path
) -> None:
    """Six lines are shown beside the battle, and a plan has eleven cards."""
    runtime = stages.played(tmp_path, stages.second_year)
    provinces = runtime.session.view()["game"]["provinces"]
    cards = iter(province["id"] for province in provinces if province["owner"] == RED)
    for space in (Space.CASTLE, Space.TEMPLE, Space.THEATRE, Space.RICE, Space.TAXES, Space.DEPLOY_5):
        command = GAME.encode_command(Place(RED, space, next(cards)))
        runtime.session.seat_command("red", command, "seat", runtime.session.view()["expected"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open()
        lines = hands.page.locator("#side .past li .what")
        assert [line.startswith("Red: Planning") for line in lines.all_inner_texts()] == [True, *[False] * 5]
