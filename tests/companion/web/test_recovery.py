"""The recovery page: plain HTML for everybody, forms for the host, no scripts."""

import html
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask.testing import FlaskClient

from companion.games.protocol import Colour, Json, TowerShown
from companion.games.registry import find
from companion.store.backup import save
from companion.store.evidence import picture_name
from companion.table.files.backups import keep_under_free_name
from companion.table.messages import CameraSays, SensorSays, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from companion.web.phrases import LANGUAGES, phrases
from firmware.link.troubles import link_down
from vision.scene.trouble import Trouble


@pytest.fixture
def runtime(friday: Runtime) -> Runtime:
    return friday


@pytest.fixture
def laptop(runtime: Runtime) -> FlaskClient:
    return create_app(runtime).test_client()


@pytest.fixture
def phone(laptop: FlaskClient) -> FlaskClient:
    client = laptop.application.test_client()
    client.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    return client


def test_everybody_sees_the_game_as_it_stands_without_a_script(phone: FlaskClient) -> None:
    page = phone.get("/recovery").get_data(as_text=True)
    assert "<script" not in page
    assert "Yamato" in page
    assert "friday" in page
    assert 'action="/recovery/sensors' not in page


def test_no_camera_is_told_in_the_pages_language(tmp_path: Path) -> None:
    """It was shown as "none" in all five languages."""
    runtime = Runtime(
        TableSpec("box", tmp_path, SensorSpec("none", "none"), {"box": {"red": 9}}), find("just_the_tower")
    )
    runtime.session.hear(CameraSays("none"))
    try:
        page = create_app(runtime).test_client().get("/recovery?lang=de").get_data(as_text=True)
    finally:
        runtime.stop()
    assert re.search(r"<dd>\s*Keine Kamera\b", page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_troubles_are_told_in_the_pages_language(language: str, tmp_path: Path) -> None:
    """Camera and load cell were in English in all five languages, the camera under an internal name."""
    runtime = Runtime(
        TableSpec("box", tmp_path, SensorSpec("none", "none"), {"box": {"red": 9}}), find("just_the_tower")
    )
    cap = Trouble.LENS_CAP
    runtime.session.hear(CameraSays("embedded pictures", cap.sentence, cap.remedy, "lens_cap"))
    runtime.session.hear(SensorSays(link_down("gone", "/dev/ttyACM0")))
    try:
        page = create_app(runtime).test_client().get(f"/recovery?lang={language}").get_data(as_text=True)
    finally:
        runtime.stop()
    say = phrases(language)
    for key in ("camera.demo", "trouble.lens_cap", "cell.trouble.gone"):
        assert say(key) in html.unescape(page), key


@pytest.mark.parametrize("shown", TowerShown)
def test_a_table_that_only_counts_shows_its_cubes(shown: TowerShown, tmp_path: Path) -> None:
    """The page had only a heading, although it says that the game can go on by hand."""
    box: Json = {"box": {"red": 9, "green": 4}, "tower": {"red": 2}}
    runtime = Runtime(TableSpec("box", tmp_path, SensorSpec("none", "none"), box), find("just_the_tower"))
    try:
        if shown is not TowerShown.ALL:
            runtime.session.show_tower(shown, "host", runtime.session.view()["expected"])
        page = create_app(runtime).test_client().get("/recovery").get_data(as_text=True)
    finally:
        runtime.stop()
    paper = page[page.index('class="card paper"') :]
    assert [word for word in ("Red", "Green", "Tray") if word not in paper] == []
    numbers = re.search(r"<td>7</td>\s*<td>2</td>\s*<td>0</td>", paper)
    assert (numbers is not None) is (shown is TowerShown.ALL)
    assert ("2 cubes are believed to be inside" in paper) is (shown is TowerShown.TOTALS)
    assert ("This table hides what is in the tower" in paper) is (shown is TowerShown.HIDDEN)


def test_a_seat_is_told_with_the_colon_of_the_language(laptop: FlaskClient) -> None:
    """French has a non-breaking space before it, which was missing."""
    page = laptop.get("/recovery?lang=fr").get_data(as_text=True)
    assert "Rouge\u00a0: " in page
    assert "Rouge: " not in page


@pytest.mark.parametrize(
    ("language", "free", "size"),
    [
        ("en", 20 << 30, "20\u00a0GB"),
        ("fr", 20 << 30, "20\u00a0Go"),
        ("fr", 9 << 30, "9216\u00a0Mo"),
        ("ru", 300 << 20, "300\u00a0МБ"),
        ("ru", 5 << 20, "5120\u00a0КБ"),
    ],
)
def test_sizes_are_in_the_units_of_the_language(
    language: str, free: int, size: str, laptop: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The French and Russian pages said GB."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    page = laptop.get(f"/recovery?lang={language}").get_data(as_text=True)
    assert f"<dd>{size}</dd>" in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_of_the_page_is_there_in_every_language(language: str, laptop: FlaskClient) -> None:
    source = Path(__file__).parents[3] / "companion" / "web" / "pages" / "recovery.html"
    say = phrases(language)
    keys = set(re.findall(r'\bt\("([\w.]+)"\s*[,)]', source.read_text(encoding="utf-8")))
    assert len(keys) > 20
    assert [key for key in keys if say(key) == key] == []
    page = laptop.get("/recovery", headers={"Accept-Language": language}).get_data(as_text=True)
    assert f'<html lang="{language}">' in page
    assert not re.search(r">\s*(recovery|host|colour|stand|season)\.\w+", page)


def test_the_host_comes_in_by_the_key_and_a_stranger_does_not(phone: FlaskClient, runtime: Runtime) -> None:
    wrong = phone.post("/recovery/enter", data={"key": "guess"})
    assert wrong.status_code == 403
    link = f"http://192.168.1.2:8475/host#{runtime.access.host_key}"
    assert phone.post("/recovery/enter", data={"key": link}).status_code == 303
    assert 'action="/recovery/sensors' in phone.get("/recovery").get_data(as_text=True)


@pytest.mark.parametrize("form", ["open", "rescue", "copy", "sensors", "out", "seat"])
def test_only_the_host_changes_anything(form: str, phone: FlaskClient, runtime: Runtime) -> None:
    phone.post("/api/v1/join", json={"code": runtime.access.code()})
    assert phone.post(f"/recovery/{form}", data={"table": "friday"}).status_code == 403


def test_who_may_not_use_a_form_any_more_reads_why_on_a_page(phone: FlaskClient) -> None:
    """After everybody was logged out with the page open, the answer was JSON with the whole game."""
    browser = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"}
    refused = phone.post("/recovery/sensors", data={"again": "1"}, headers=browser)
    assert (refused.status_code, refused.mimetype) == (403, "text/html")
    assert "Dieses Gerät schaut nur zu." in refused.get_data(as_text=True)


def test_a_table_is_rescued_and_opened(laptop: FlaskClient, runtime: Runtime) -> None:
    assert laptop.post("/recovery/rescue", data={"table": "friday"}).status_code == 303
    assert runtime.session.table == "friday-2"
    assert laptop.post("/recovery/open", data={"table": "friday"}).status_code == 303
    assert runtime.session.table == "friday"
    refused = laptop.post("/recovery/open?lang=de", data={"table": "nowhere"})
    assert refused.status_code == 422
    assert "Diesen Tisch gibt es nicht." in refused.get_data(as_text=True)


def test_a_seat_gets_a_link(laptop: FlaskClient, runtime: Runtime) -> None:
    seat_headers = {"X-Seat-Key": laptop.post("/api/v1/seats/red/take").get_json()["key"]}
    page = laptop.post("/recovery/seat", data={"seat": "red"}).get_data(as_text=True)
    link = re.search(r"join#(\w+)\.red\.([\w-]+)", page)
    assert link is not None
    assert laptop.get("/api/v1/seats/red", headers=seat_headers).status_code == 403
    ticket_headers = {"X-Seat-Ticket": link[2]}
    assert laptop.post("/api/v1/seats/red/take", headers=ticket_headers).status_code == 200
    assert runtime.seats.taken() == ["red"]


def test_a_copy_is_taken_up(laptop: FlaskClient, runtime: Runtime) -> None:
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])
    before = runtime.session.view()["game"]
    runtime.copies.keep(runtime.session.events(), 1_795_000_000_000)
    page = laptop.get("/recovery").get_data(as_text=True)
    copy_name = re.search(r'name="copy" value="([^"]+)"', page)
    assert copy_name is not None
    assert laptop.post("/recovery/copy", data={"copy": copy_name[1]}).status_code == 303
    assert (runtime.session.table, runtime.session.view()["game"]) == ("friday-2", before)
    assert laptop.post("/recovery/copy", data={"copy": "../access.json"}).status_code == 422


def test_pictures_that_a_copy_is_taken_up_without_are_told(laptop: FlaskClient, runtime: Runtime) -> None:
    """A saved game placed among the copies: only the host page said what was left out."""
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])
    runtime.copies.keep(runtime.session.events(), 1)
    events = list(runtime.session.events())
    index = next(index for index, event in enumerate(events) if event.kind == "throw")
    events[index] = replace(
        events[index], body={**events[index].body, "evidence": picture_name(b"as it was taken")}
    )
    [copy] = runtime.copies.all()
    path = runtime.copies.path(copy.name)
    assert path is not None
    with path.open("wb") as file:
        save(file, events, lambda _: b"other bytes")
    answer = laptop.post("/recovery/copy?lang=de", data={"copy": copy.name})
    assert (answer.status_code, runtime.session.table) == (303, "friday-2")
    page = laptop.get(answer.headers["Location"]).get_data(as_text=True)
    assert "1 Bild in der Datei war beschädigt und fehlt." in page
    [in_french] = re.findall(r'href="(/recovery[?]lang=fr[^"]*)"', page)  # it was lost in another language
    assert "1 image" in laptop.get(html.unescape(in_french)).get_data(as_text=True)
    plain_page = laptop.get("/recovery?damaged=0&unkept=some").get_data(as_text=True)
    assert (plain_page.count("alert"), plain_page.count("unkept")) == (0, 0)


def test_what_cannot_be_read_takes_neither_the_page_nor_the_other_copies_along(
    laptop: FlaskClient, runtime: Runtime, tmp_path: Path
) -> None:
    """A dangling or unreadable copy, and a table file that cannot be examined: this page is the last resort,
    and it failed."""
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])
    runtime.copies.keep(runtime.session.events(), 1)
    [good_copy] = runtime.copies.all()
    folder = next(tmp_path.rglob(good_copy.name)).parent
    (folder / "gone.tenshu").symlink_to(tmp_path / "nowhere")
    (folder / "shut.tenshu").mkdir()
    (tmp_path / "loop.sqlite3").symlink_to(tmp_path / "loop.sqlite3")
    page = laptop.get("/recovery")
    assert (page.status_code, good_copy.name in page.get_data(as_text=True)) == (200, True)
    assert laptop.get("/api/v1/host").status_code == 200
    assert laptop.post("/recovery/copy", data={"copy": "gone.tenshu"}).status_code == 422
    refused = laptop.post("/recovery/copy?lang=en", data={"copy": "shut.tenshu"})
    assert refused.status_code == 422
    assert phrases("en")("error.bad_backup") in refused.get_data(as_text=True)


@pytest.mark.parametrize("form", ["rescue", "copy"])
def test_T1_who_sat_before_the_trouble_sits_after_it(
    form: str, laptop: FlaskClient, runtime: Runtime
) -> None:
    """All seats were free after a restore: any phone could take one, read the plan and lock out its owner."""
    seat_headers = {"X-Seat-Key": laptop.post("/api/v1/seats/red/take").get_json()["key"]}
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])
    runtime.copies.keep(runtime.session.events(), 1_795_000_000_000)
    [copy] = runtime.copies.all()
    assert laptop.post(f"/recovery/{form}", data={"table": "friday", "copy": copy.name}).status_code == 303
    assert (runtime.session.table, runtime.seats.taken()) == ("friday-2", ["red"])
    assert laptop.post("/api/v1/seats/red/take").status_code == 403
    assert laptop.get("/api/v1/seats/red", headers=seat_headers).status_code == 200


def test_another_game_of_the_same_name_does_not_get_the_seats_of_this_one(
    laptop: FlaskClient, runtime: Runtime
) -> None:
    laptop.post("/api/v1/seats/red/take")
    [first, *others] = runtime.session.events()
    name = keep_under_free_name(runtime.tables, "friday", [replace(first, ts_ms=first.ts_ms - 1), *others])
    runtime.open_table(name)
    assert runtime.seats.taken() == []
