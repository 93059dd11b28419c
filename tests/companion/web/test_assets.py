"""Static files are requested once, and again as soon as one of them changes."""

import gzip
import re
from pathlib import Path

import pytest
from flask import Flask, render_template
from flask.testing import FlaskClient

import companion.web
from companion.web.assets import edition, serve
from companion.web.pages import PAGES

STATIC = Path(companion.web.__file__).parent / "static"
NAMED = re.compile(r'(?:href|src)="(/static/of/[^"]+)"')


@pytest.mark.parametrize("page", [*PAGES, "/recovery", "/join"])
def test_what_a_page_names_is_there_and_kept_for_good(client: FlaskClient, page: str) -> None:
    named = NAMED.findall(client.get(page).get_data(as_text=True))
    assert any(address.endswith("/style.css") for address in named)
    for address in named:
        with client.get(address) as answer:
            assert answer.status_code == 200
            assert "immutable" in answer.headers["Cache-Control"]
            assert (answer.cache_control.max_age or 0) > 30_000_000  # most of a year
            assert answer.get_data() == (STATIC / address.rpartition("/")[2]).read_bytes()


@pytest.mark.parametrize(
    "file", [f for f in sorted(STATIC.rglob("*")) if f.suffix in {".js", ".css", ".json"}]
)
def test_texts_are_packed_for_who_takes_them_so(client: FlaskClient, file: Path) -> None:
    address = f"/static/of/{edition(STATIC)}/{file.relative_to(STATIC).as_posix()}"
    packed = client.get(address, headers={"Accept-Encoding": "gzip, deflate, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.get_data()) == file.read_bytes()
    for accepted in ("", "br", "gzip;q=0"):
        with client.get(address, headers={"Accept-Encoding": accepted}) as plain:
            assert (plain.headers.get("Content-Encoding"), plain.get_data()) == (None, file.read_bytes())
            for header in ("Content-Type", "Vary"):
                assert plain.headers[header] == packed.headers[header]
            assert plain.cache_control.max_age == packed.cache_control.max_age
            assert packed.cache_control.immutable


@pytest.mark.parametrize("accepted", ["gzip", ""])
def test_a_module_is_told_as_one_whatever_the_computer_calls_such_files(
    client: FlaskClient, accepted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The registry of some Windows systems maps them to plain text, and browsers then refuse to run them."""
    monkeypatch.setattr("mimetypes.guess_type", lambda *_, **__: ("text/plain", None))
    address = f"/static/of/{edition(STATIC)}/dom.js"
    with client.get(address, headers={"Accept-Encoding": accepted}) as answer:
        assert answer.mimetype == "text/javascript"


@pytest.mark.parametrize("address", ["/static/of/0123456789ab/dom.js", "/static/dom.js"])
def test_a_page_that_is_open_since_another_edition_gets_what_is_there_now(
    client: FlaskClient, address: str
) -> None:
    with client.get(address) as answer:
        assert answer.status_code == 200
        assert answer.get_data() == (STATIC / "dom.js").read_bytes()
        assert "immutable" not in answer.headers["Cache-Control"]
        assert answer.cache_control.no_cache


def test_a_new_version_put_over_one_that_runs_is_told_by_the_next_start(tmp_path: Path) -> None:
    """Otherwise a page mixed modules of two versions, and browsers cached them under the wrong edition."""
    site = _write_folder(tmp_path / "static", **{"a.js": "old", "mark.png": "old", "deep_b.json": "{}"})
    (frames := tmp_path / "pages").mkdir()
    (frames / "one.html").write_text("old {{ asset('a.js') }}")
    app = Flask("site", root_path=str(tmp_path), static_folder=str(site), template_folder="pages")
    serve(app)
    for path in (*(p for p in site.rglob("*") if p.is_file()), frames / "one.html"):
        path.write_text("new")
    client = app.test_client()
    for name, old_content in (("a.js", b"old"), ("mark.png", b"old"), ("deep/b.json", b"{}")):
        for asked_edition in (edition(site), "0123456789ab"):
            packed = client.get(f"/static/of/{asked_edition}/{name}", headers={"Accept-Encoding": "gzip"})
            body = packed.get_data()
            assert (gzip.decompress(body) if packed.content_encoding else body) == old_content
    with app.test_request_context():
        assert render_template("one.html") == f"old /static/of/{edition(site)}/a.js"


@pytest.mark.parametrize("name", ["nothing.js", "../app.py", "%2e%2e/app.py", "i18n", ""])
def test_nothing_else_is_given(client: FlaskClient, name: str) -> None:
    with client.get(f"/static/of/{edition(STATIC)}/{name}") as answer:
        assert answer.status_code == 404
        assert "immutable" not in answer.headers.get("Cache-Control", "")


def _write_folder(path: Path, **files: str) -> Path:
    (path / "deep").mkdir(parents=True)
    for name, text in files.items():
        (path / name.replace("_", "/")).write_text(text)
    return path


def test_an_edition_is_of_names_and_contents_and_of_no_place(tmp_path: Path) -> None:
    first = edition(_write_folder(tmp_path / "a", x="1", deep_y="2"))
    assert first == edition(_write_folder(tmp_path / "b", x="1", deep_y="2"))
    others = [
        edition(_write_folder(tmp_path / "c", x="1", deep_y="3")),
        edition(_write_folder(tmp_path / "d", x="1", deep_z="2")),
        edition(_write_folder(tmp_path / "e", x="12", deep_y="")),
        edition(_write_folder(tmp_path / "f", x="1")),
    ]
    assert len({first, *others}) == 5


@pytest.mark.parametrize("file", sorted(STATIC.glob("*.js")), ids=lambda file: file.name)
def test_a_module_names_files_relative_to_itself(file: Path) -> None:
    """One imported by absolute URL would be requested by every page, and a module would be loaded twice."""
    assert "/static/" not in file.read_text("utf-8")


WIDTH = 112
"""Characters: as wide as Prettier makes them (110), with a comma behind a text that ends there."""
TOO_NEW = re.compile(
    r"\.(?:toSorted|toReversed|toSpliced|with|groupBy|union|difference|intersection|isSubsetOf)\("
    r"|Array\.fromAsync|Promise\.(?:try|withResolvers)|AbortSignal\.(?:any|timeout)|Intl\.DurationFormat|\(\?<[=!]"
)
"""Missing in Safari 15.4, Chrome 97 or Firefox 104 (MDN's tables), which `oldbrowser.js` accepts."""


def test_scripts_ask_for_nothing_that_the_oldest_browsers_lack() -> None:
    used = {path.name: TOO_NEW.findall(path.read_text(encoding="utf-8")) for path in STATIC.glob("*.js")}
    assert {name: names for name, names in used.items() if names} == {}


def test_one_script_alone_knows_that_browsers_may_keep_nothing() -> None:
    """All others store through it: if storage is blocked, even access throws, and pages stay empty."""
    scripts = [
        path.name for path in STATIC.glob("*.js") if re.search("(?:local|session)Storage", path.read_text())
    ]
    assert scripts == ["kept.js"]


@pytest.mark.parametrize(
    "file",
    sorted([*STATIC.glob("*.js"), *STATIC.glob("*.css"), *(STATIC.parent / "pages").glob("*.html")]),
    ids=lambda file: file.name,
)
def test_what_pages_are_made_of_is_laid_out_to_be_read(file: Path) -> None:
    """Style sheets had hundreds of rules in lines of 900 characters; one long text alone cannot be broken."""
    lines = file.read_text(encoding="utf-8").splitlines()
    wide = [number for number, line in enumerate(lines, 1) if len(line) > WIDTH]
    assert [number for number in wide if not lines[number - 1].lstrip().startswith(('"', "`"))] == []
