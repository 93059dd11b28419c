"""The board's core on this computer, with sanitizers. Its tests are in C beside this file, in core/."""

import re
import subprocess
from pathlib import Path

import pytest

from firmware.link.wire import PROTOCOL
from firmware.sim import build
from tests.firmware.vectors import PATH as VECTORS

_LISTED = (Path(__file__).parent / "core" / "tests.h").read_text(encoding="ascii")
NAMES = [name for name in re.findall(r"TEST\((\w+)\)", _LISTED) if name != "TEST"]


@pytest.fixture(scope="module")
def program() -> Path:
    lacking = build.missing("core-tests")
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
    told = (build.SOURCE / "core" / "version.h").read_text(encoding="ascii")
    assert f"#define PROTOCOL_VERSION {PROTOCOL} " in told


@pytest.mark.simavr
def test_flash_and_ram_stay_under_half_of_the_chip() -> None:
    lacking = build.missing("all")
    if lacking:
        pytest.skip(lacking)
    build.build("all")
    assert build.ELF.stat().st_size > 0
    assert build.HEX.read_text(encoding="ascii").endswith(":00000001FF\n")
    if "5.4.0" in subprocess.run(["avr-gcc", "--version"], capture_output=True, text=True, check=True).stdout:
        release = (build.SOURCE / "tenshu.hex").read_bytes()
        assert release == build.HEX.read_bytes(), "make -C firmware release"
    size = subprocess.run(["make", "-C", build.SOURCE, "size"], capture_output=True, text=True, check=False)
    assert size.returncode == 0, size.stdout
    assert re.search(r"flash \d+ of 32768 bytes .*RAM \d+ of 2048", size.stdout)
