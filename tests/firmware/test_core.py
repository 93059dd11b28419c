"""The board's core on this computer, under sanitizers. Its tests are in C beside this file, in core/."""

import re
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from firmware.link.program import PROGRAM, version_to_flash
from firmware.link.wire import FAULTS, NAK_REASONS, PROTOCOL, Command, Kind
from firmware.sim import build
from tests.firmware.vectors import PATH as VECTORS

_LISTED = (Path(__file__).parent / "core" / "tests.h").read_text(encoding="ascii")
NAMES = [name for name in re.findall(r"TEST\((\w+)\)", _LISTED) if name != "TEST"]


@pytest.fixture(scope="module")
def program() -> Path:
    lacking = build.missing_tools("core-tests")
    if lacking:
        pytest.skip(lacking)
    build.build("core-tests")
    return build.CORE_TESTS


@pytest.mark.parametrize("name", NAMES)
def test_core(program: Path, name: str) -> None:
    done = subprocess.run([program, VECTORS, name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_test_in_c_is_listed() -> None:
    written = [
        name
        for path in (Path(__file__).parent / "core").glob("test_*.c")
        for name in re.findall(r"^void (\w+)\(void\)$", path.read_text(encoding="ascii"), re.MULTILINE)
    ]
    assert sorted(written) == sorted(NAMES)


def test_versions_agree() -> None:
    header = (build.SOURCE / "core" / "version.h").read_text(encoding="ascii")
    assert f"#define PROTOCOL_VERSION {PROTOCOL} " in header
    assert f'#define FIRMWARE_VERSION "{PROGRAM}" ' in header


_WORDS = re.compile(r"char (\w+)\[\w*\]\[(\d+)\] = \{([^}]*)\}")
_TABLES = {
    f"{path.stem}.{name}": (int(room), re.findall(r'"(\w*)"', words))
    for path in sorted((build.SOURCE / "core").glob("*.c"))
    for name, room, words in _WORDS.findall(path.read_text(encoding="ascii"))
}
"""Every table of words in the core: the bytes reserved for each word, and the words."""


def test_both_ends_have_the_same_words() -> None:
    """A kind without its own name would be sent as an empty word."""
    same = {
        "say.kinds": {kind.value for kind in Kind},
        "health.names": {*FAULTS},
        "order.command_names": {command.value for command in Command},
        "order.reason_names": {"", *NAK_REASONS},
    }
    assert {name: set(_TABLES[name][1]) for name in same} == same
    assert all(len(set(words)) == len(words) for name, (_, words) in _TABLES.items() if name in same)


def test_every_word_of_the_board_ends_where_its_room_does() -> None:
    """C keeps as many letters as fit and silently drops the terminating zero."""
    assert len(_TABLES) >= 7
    assert {word for room, words in _TABLES.values() for word in words if len(word) >= room} == set()


def test_another_program_has_another_version() -> None:
    """The doctor recognises an older program by its version alone: raise that, then update it here."""
    release = (build.SOURCE / "tenshu.hex").read_bytes()
    assert (PROGRAM, sha256(release).hexdigest()[:16]) == ("0.2.1", "1d48bb146b06acb7")


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("0.1.0", PROGRAM),
        ("0.1.10", PROGRAM),
        (PROGRAM, None),
        ("10.0", None),
        ("simulated", None),
        ("", None),
    ],
)
def test_a_board_with_an_older_program_is_known(version: str, told: str | None) -> None:
    assert version_to_flash(version) == told


@pytest.mark.simavr
def test_flash_and_ram_stay_under_half_of_the_chip() -> None:
    lacking = build.missing_tools("all")
    if lacking:
        pytest.skip(lacking)
    build.build("all")
    assert build.ELF.stat().st_size > 0
    assert build.HEX.read_text(encoding="ascii").endswith(":00000001FF\n")
    compiler = subprocess.run(["avr-gcc", "--version"], capture_output=True, text=True, check=True).stdout
    is_release_compiler = "5.4.0" in compiler
    if is_release_compiler:
        release = (build.SOURCE / "tenshu.hex").read_bytes()
        assert release == build.HEX.read_bytes(), "make -C firmware release"
    size = subprocess.run(["make", "-C", build.SOURCE, "size"], capture_output=True, text=True, check=False)
    assert size.returncode == 0, size.stdout
    used = re.search(r"flash (\d+) of 32768 bytes .*RAM (\d+) of 2048", size.stdout)
    assert used
    if is_release_compiler:
        page = (build.SOURCE.parent / "docs" / "firmware.md").read_text(encoding="utf-8")
        said = "Flash {:,} of 32,768 bytes ({:.1%}), variables {:,} of 2,048 bytes ({:.1%})"
        flash, ram = (int(number) for number in used.groups())
        assert said.format(flash, flash / 32768, ram, ram / 2048).replace("%", " %") in page
