"""If tools are missing, a sentence says which."""

from pathlib import Path

import pytest

from firmware.sim import build
from firmware.sim.board import SimulatedBoard


def test_missing_tools_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    lacking = build.missing_tools()
    assert lacking is not None
    assert "avr-gcc" in lacking
    with pytest.raises(build.BuildError) as refusal:
        SimulatedBoard()
    assert refusal.value.sentence == lacking
    assert "apt-get install" in refusal.value.remedy


def test_a_missing_simulator_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_HEADERS", (Path("/nonexistent/sim_avr.h"),))
    lacking = build.missing_tools()
    assert lacking is not None
    assert "libsimavr" in lacking


@pytest.mark.skipif(build.missing_tools("core-tests") is not None, reason="needs make and a C compiler")
def test_a_folder_that_cannot_be_written_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(build, "OUTPUT", tmp_path / "file" / "firmware")
    with pytest.raises(build.BuildError, match="Nothing can be written"):
        build.build("core-tests")


def test_an_installed_tenshu_builds_in_the_users_own_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The install folder may belong to somebody else, and is no place for build output."""
    assert build.output_folder() == Path(__file__).parents[2] / "build" / "firmware"
    monkeypatch.setattr(build, "SOURCE", tmp_path / "firmware")
    assert tmp_path not in build.output_folder().parents
    assert build.output_folder().parts[-2:] == ("tenshu", "firmware")
