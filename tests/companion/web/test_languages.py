"""Every message exists in every language, with its plurals and parameters."""

import json
import re
from pathlib import Path

import pytest

import companion.games.shogun
import companion.games.shogun.able as able_rules
import companion.web
from companion.games.registry import find, games
from companion.web.phrases import LANGUAGES
from tests.companion.web.catalogue import STATIC, Message, messages

PLURALS = {
    "en": {"one", "other"},
    "ru": {"one", "few", "many", "other"},
    "ro": {"one", "few", "other"},
    "fr": {"one", "other"},
    "de": {"one", "other"},
}
"""Plural categories of the Unicode CLDR for whole numbers below a million."""


def _parameters(message: Message) -> set[str]:
    forms = [message] if isinstance(message, str) else list(message.values())
    return set().union(*(re.findall(r"\{(\w+)\}", form) for form in forms))


def test_the_pages_offer_these_languages() -> None:
    offered = re.search(r"LANGUAGES = \{(.*?)\}", (STATIC / "i18n.js").read_text(encoding="utf-8"), re.DOTALL)
    assert offered is not None
    named = dict(re.findall(r'(\w\w): "([^"]+)"', offered.group(1)))
    assert list(named) == list(PLURALS)
    assert named == LANGUAGES  # the server's languages, with their names on its own page


@pytest.mark.parametrize("language", PLURALS)
def test_no_message_is_missing_and_none_is_too_many(language: str) -> None:
    assert set(messages(language)) == set(messages("en"))


@pytest.mark.parametrize("language", PLURALS)
def test_parameters_and_plurals_are_whole(language: str) -> None:
    english, translated = messages("en"), messages(language)
    for key, message in translated.items():
        assert _parameters(message) == _parameters(english[key]), key
        assert isinstance(message, dict) == isinstance(english[key], dict), key
        if isinstance(message, dict):
            assert set(message) == PLURALS[language], key
            assert all(message.values()), key
        else:
            assert message, key


def test_every_message_that_a_page_asks_for_is_there() -> None:
    """Composed keys (phase, colour …) are recognised by their beginning."""
    known = set(messages("en"))
    for script in STATIC.glob("*.js"):
        text = script.read_text(encoding="utf-8")
        for key in re.findall(r'\bt\(\s*"([\w.]+)"', text):
            assert key in known, f"{script.name}: {key}"
        for beginning in re.findall(r"\bt\(\s*`([\w.]+)\.\$\{", text):
            assert any(key.startswith(f"{beginning}.") for key in known), f"{script.name}: {beginning}"


def test_why_an_action_cannot_be_done_is_said_in_words() -> None:
    source = Path(able_rules.__file__).read_text(encoding="utf-8")
    keys = re.findall(r'\bBar\(\s*[\w"-]+, "(\w+)"', source)
    assert len(keys) == source.count("Bar(")
    assert {f"barred.{key}" for key in keys} <= set(messages("en"))


@pytest.mark.parametrize("page", sorted((STATIC.parent / "pages").glob("*.html")), ids=lambda page: page.stem)
def test_a_page_with_a_title_writes_it_in_the_devices_language(page: Path) -> None:
    """A tab's title is read out first; those of load cell, camera and calibration stayed English."""
    title, script = _title_and_script(page.read_text(encoding="utf-8"))
    if title:
        assert "document.title = " in (STATIC / f"{script}.js").read_text(encoding="utf-8")


def _title_and_script(page: str) -> tuple[str, str]:
    found = re.search(r'set title, skip, script(?:, styles)? = "([^"]*)", "[^"]*", "(\w+)"', page)
    return (found[1], found[2]) if found else ("", "")


OTHERS_WORDS = {
    "ru": {"битв": "сражение", "област": "регион", "порядок хода": "очерёдность хода", "постройк": "здание"},
    "ro": {"bătăli": "luptă", "ofert": "licitație", "țăran": "fermier"},
    "fr": {"paysan": "fermier", "impôt": "taxe", "rébellion": "révolte"},
    "de": {"aufstand": "Revolte", "schlacht": "Kampf", "revoltenmarker": "Unruhemarker"},
}
"""Words to avoid, and the rulebook's word instead: pages use the words that a player reads in the rules."""


@pytest.mark.parametrize("language", OTHERS_WORDS)
def test_the_words_are_those_of_the_rulebook(language: str) -> None:
    found = {
        (key, word, right)
        for key, message in messages(language).items()
        for word, right in OTHERS_WORDS[language].items()
        if word in str(message).lower()
    }
    assert found == set()


def _sentences(language: str) -> list[tuple[str, str]]:
    """Yield each message with its key, and each plural form separately."""
    return [
        (key, form)
        for key, message in messages(language).items()
        for form in ([message] if isinstance(message, str) else message.values())
    ]


OF_THINGS = {
    *("recovery.lead", "cell.weigh", "statistics.untold", "statistics.rates_few", "towercard.fell_more"),
}
"""German messages that begin a sentence with the pronoun of a thing, whose capital looks formal."""


def test_german_says_du_to_the_friends_at_the_table() -> None:
    polite = re.compile(r"(?P<begins>^|[.!?:] )?\b(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b")
    for key, sentence in _sentences("de"):
        for pronoun in polite.finditer(sentence):
            assert pronoun["begins"] is not None, f"{key} says Sie: {sentence}"
            assert key in OF_THINGS, f"{key} begins with Sie: {sentence}"


@pytest.mark.parametrize("language", PLURALS)
def test_what_takes_back_and_what_leaves_it_are_told_apart(language: str) -> None:
    """« Annuler ? » offered « Annuler l’étape » and « Annuler », which changed nothing."""
    texts = messages(language)
    back, leaves = (
        set(re.findall(r"\w{4,}", " ".join(str(texts[f"undoing.{key}"]) for key in keys).lower()))
        for keys in (("title", "yes", "agreed"), ("no",))
    )
    assert leaves
    assert not any(word[:4] == no_word[:4] for word in back for no_word in leaves)


@pytest.mark.parametrize("language", PLURALS)
def test_calling_off_a_throw_undoing_a_step_and_closing_a_form_have_words_of_their_own(language: str) -> None:
    """« Annuler » did all three."""
    texts = messages(language)
    assert texts["call_off"] not in (texts["cancel"], texts["undo"], texts["undoing.no"])
    assert texts["cancel"] != texts["undo"]


ONE_WORD = {
    "de": {
        "verlauf": "Chronik",
        r"verzeichnis|\b(im|das) buch": "Bestand",
        "demo": "Vorführung",
        "film": "Video",
        "berichtig": "korrigieren",
        "telefon": "Handy",
        r"\btafeln?\b(?! zum)": "Tableau",
        r"\b(neues|kein) spiel\b|spiel ist aus": "Partie",
        r"\bplatte|datenträger": "Speicherplatz, Rechner",
        "seite (kamera|kalibrieren)": "„Kamera“, „Kalibrieren“",
    },
    "fr": {
        "étalon": "calibrer",
        r"\bdémo\b": "démonstration",
        "la calibration": "le calibrage",
        r"\bjets?\b": "lancer",
        "pioch": "tirer",
        r"cartes? (action|coffre|événement|province)\b": "carte d’action, de coffre",
        r"cartes?\b[^.;:]* ouverte": "carte visible",
        r"était sauvé|est sauvé|\bbacs? gardé": "enregistré",
        "tirets": "pointillés, traits d’union",
        r"\bun fait\b": "une donnée",
        r"\w\s…": "no space before …",
    },
    "ro": {
        "de mână": "manual",
        "spațiu": "loc",
        "violet": "mov",
        r"(cărți|cărții|cartea|carte|evenimentele)\b[^.;:]* deschis": "cu fața în sus",
        r"foai\w* deschis": "foaie de culoare deschisă",
        "plănui": "planificat",
        r"planș\w* real|real al": "adevărat",
    },
    "ru": {
        r"картин|фотограф": "снимок",
        r"поправ(ить|ьте) учёт": "исправить учёт",
        "имя стола": "название стола",
        r"настро(ить|йте|йка|йке|йкой)\b|настраивают\b": "калибровка",
        "персональн": "планшет",
        "тайл": "жетон",
        r"(другом|(?<!в )другой|эт(ому|от)) tenshu": "Tenshu is she",
        r"tenshu (запущен|сделал|узнал)\b": "Tenshu is she",
        r"tenshu[^.:;]*\. [^.:;]*\bон\b": "Tenshu is she",
        " – ": " — ",
    },
}
"""Synonyms that once were used side by side, and the one word for all pages."""


@pytest.mark.parametrize("language", ONE_WORD)
def test_one_thing_has_one_name(language: str) -> None:
    found = {
        (key, right)
        for key, sentence in _sentences(language)
        for word, right in ONE_WORD[language].items()
        if re.search(word, sentence.lower())
    }
    assert found == set()


def test_russian_one_is_also_twenty_one() -> None:
    """«21 кубик взвешен … Уберите его»: the form that holds the number is said of 21 and 31 things too."""
    of_one_thing = re.compile(r"\b(он|его|ему|него)\b")
    found = {
        key
        for key, message in messages("ru").items()
        if isinstance(message, dict) and "{n}" in message["one"] and of_one_thing.search(message["one"])
    }
    assert found == {"statistics.rates_unknown"}  # of fewer than 12 throws


def test_russian_armies_lose_in_the_plural() -> None:
    """«Синие теряет Awa-Boso»: colours are plural, and so are their verbs."""
    for key, sentence in _sentences("ru"):
        assert not re.search(r"\{(attacker|defender|by)\} \w+[её]т\b", sentence), f"{key}: {sentence}"


def test_two_to_four_russian_armies_remain_in_the_plural() -> None:
    """«Остаётся 3 армии» and «остаются 3 армии» were both in use."""
    few = {key: message["few"] for key, message in messages("ru").items() if isinstance(message, dict)}
    assert any("остаются {n} армии" in message for message in few.values())
    assert [key for key, message in few.items() if "остаётся {n} арми" in message] == []


def test_romanian_colours_stand_where_their_case_is_right() -> None:
    """„Revoltă împotriva Roșu”: these words govern a case that colour names do not have here."""
    governs_case = re.compile(
        r"\b(împotriva|asupra|deasupra|în fața|datorită|al|a|ai|ale|lui) \{(?!n\b)\w+\}"
    )
    assert [key for key, sentence in _sentences("ro") if governs_case.search(sentence.lower())] == []


@pytest.mark.parametrize("language", PLURALS)
def test_a_number_and_its_per_cent_stay_on_one_line(language: str) -> None:
    for key, sentence in _sentences(language):
        assert not re.search(r"[\d}] %|± \{", sentence), key


STRANGERS = {
    "fr": r"(?<!s’est )\b(tu|toi|ton|ta|tes|te|t’\w+)\b",
    "ru": r"\b(ты|теб[яе]|тобой|тво(й|я|ё|и|его|ей|ему|им|их|ими|ю|ём))\b",
    "ro": r"\b(dumneavoastră|dvs)\b|\bvoastr|\bvostru\b|\bvoștri\b",
}
"""French uses vous, Russian вы; Romanian tu for one person, the plural for the table, never formal."""


@pytest.mark.parametrize("language", STRANGERS)
def test_a_language_addresses_everyone_in_one_way(language: str) -> None:
    for key, sentence in _sentences(language):
        assert not re.search(STRANGERS[language], sentence.lower()), f"{key}: {sentence}"


def test_romanian_says_tu_on_the_phone_of_one_player() -> None:
    plural_verb = re.compile(r"(?<!te )\b(?!toți|cărți|mulți|câți)\w+[aei]ți\b(?!\.)")
    for key, sentence in _sentences("ro"):
        if key.startswith(("seat.", "you.", "draws.", "join.", "order.")):
            assert not plural_verb.search(sentence.lower()), f"{key}: {sentence}"


@pytest.mark.parametrize("language", PLURALS)
def test_W1_the_rice_of_winter_is_taken_by_its_own_card(language: str) -> None:
    """The pages named autumn's card, which may have another number; the remaining card is winter's (T-5)."""
    autumn = re.compile("autumn|herbst|automne|toamn|осен", re.IGNORECASE)
    texts = messages(language)
    assert not autumn.search(json.dumps([texts["winter.card"], texts["rule.W-1"]], ensure_ascii=False))


def test_french_marks_never_begin_a_line() -> None:
    """The space before them is non-breaking, as is the one inside quotation marks."""
    text = (STATIC / "i18n" / "fr.json").read_text(encoding="utf-8")
    assert re.findall(r"\S+ [:;?!»]|« \S+", text) == []
    assert "\u00a0:" in text


@pytest.mark.parametrize("language", PLURALS)
def test_apostrophes_are_printed_ones(language: str) -> None:
    assert [key for key, sentence in _sentences(language) if "'" in sentence] == []


def test_every_notice_of_the_rules_is_said_in_words() -> None:
    """Things done with a notice (sections L and X) appear in the history."""
    folder = Path(companion.games.shogun.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))
    rules = re.findall(r'(?:\.warn\(|Fault\(\s*|Bar\(\s*)"([A-Z]-\d+)"', source)
    noticed = {rule for rule in rules if not rule.startswith("A-")}  # A-2: reported as skipped
    assert {f"warn.{rule}" for rule in noticed} == {key for key in messages("en") if key.startswith("warn.")}


def test_every_colour_of_every_game_is_drawn_and_named() -> None:
    """Also under the name used for calibrating a tray; otherwise the reading has no colour of the game."""
    wanted = {str(colour) for game in games().values() for colour in game.colours}
    cubes, tokens = ((STATIC / name).read_text(encoding="utf-8") for name in ("cubes.js", "tokens.css"))
    drawn = re.search(r"SHAPES = \{(.*?)\}", cubes, re.DOTALL)
    offered = re.search(r"BOX = \[(.*?)\]", (STATIC / "counter.js").read_text(encoding="utf-8"), re.DOTALL)
    assert drawn is not None
    assert offered is not None
    assert set(re.findall(r"^  (\w+): ", drawn.group(1), re.MULTILINE)) == wanted
    assert "DYES = Object.keys(SHAPES)" in (STATIC / "calibrateform.js").read_text(encoding="utf-8")
    assert set(re.findall(r"\w+", offered.group(1))) == set(find("just_the_tower").colours)
    for colour in wanted:
        assert f"--c-{colour}: " in tokens, colour
        for language in PLURALS:
            assert {f"{what}.{colour}" for what in ("colour", "letter", "dye")} <= set(messages(language))
    for language in PLURALS:
        letters = [messages(language)[f"letter.{colour}"] for colour in wanted]
        assert len(set(map(str, letters))) == len(letters), language


@pytest.mark.parametrize("language", PLURALS)
def test_colours_are_named_by_examples_in_the_readers_own_language(language: str) -> None:
    """The field accepts them, but German and French pages gave "red, blue, green" as examples."""
    texts = messages(language)
    red, blue, green = (texts[f"dye.{colour}"] for colour in ("red", "blue", "green"))
    assert str(texts["calibrate.name_them"]).endswith(f" {red}, {blue}, {green}.")
    assert str(texts["calibrate.colours_wrong"]).rpartition(", ")[0].endswith(f" {red}")
    assert re.search(r", \w+-\w+\.$", str(texts["calibrate.colours_wrong"]))


def test_the_letter_on_each_colour_can_be_read() -> None:
    """White, except on pale colours, which must be in `INK_ON` (WCAG 2.2, 1.4.3)."""
    cubes, tokens = ((STATIC / name).read_text(encoding="utf-8") for name in ("cubes.js", "tokens.css"))
    named = re.search(r"INK_ON = \{(.*?)\}", cubes, re.DOTALL)
    assert named is not None
    inks = dict(re.findall(r'(\w+): "(#\w{6})"', named.group(1)))
    colours = dict(re.findall(r"--c-(\w+): (#\w{6})", tokens))
    assert set(inks) < set(colours)
    illegible = {
        colour for colour, ground in colours.items() if _contrast(ground, inks.get(colour, "#ffffff")) < 4.5
    }
    assert illegible == set()


def _contrast(first: str, second: str) -> float:
    dark, light = sorted(_luminance(colour) for colour in (first, second))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    levels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_no_page_writes_a_colon_of_its_own() -> None:
    """French has a space before it, which `lead` adds."""
    own_colon = re.compile(r"`[^`\n]*\}: [^`\n]*`|,\s*\": \"")
    snippets = [
        f"{script.name}: {snippet}"
        for script in sorted(STATIC.glob("*.js"))
        for snippet in own_colon.findall(script.read_text(encoding="utf-8"))
    ]
    assert snippets == []
