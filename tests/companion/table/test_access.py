"""The secrets of the place: the host's link and the code of six letters."""

from errno import ENOSPC
from os import strerror
from pathlib import Path

import pytest

from companion.table.people.access import (
    CODE_LASTS_MS,
    LETTERS,
    WRONG_A_MINUTE,
    WRONG_EACH,
    Access,
    TooManyTries,
    WrongCode,
)
from tests.companion.table.tables import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def access(tmp_path: Path, clock: Clock) -> Access:
    return Access(tmp_path / "access.json", clock.wall_ms)


def test_the_host_is_known_by_the_secret_alone(access: Access) -> None:
    assert access.is_host(access.host_key)
    assert not access.is_host("")
    assert not access.is_host(access.host_key[:-1])
    assert len(access.host_key) >= 32


def test_a_new_link_makes_the_old_one_dead(access: Access) -> None:
    old = access.host_key
    assert access.is_host(access.new_host_key())
    assert not access.is_host(old)


def test_a_restart_changes_nothing_and_nobody_else_reads_the_file(
    access: Access, tmp_path: Path, clock: Clock
) -> None:
    token = access.join(access.code(), "a")
    reopened = Access(tmp_path / "access.json", clock.wall_ms)
    assert (reopened.host_key, reopened.code()) == (access.host_key, access.code())
    assert reopened.has_joined(token)
    assert (tmp_path / "access.json").stat().st_mode & 0o077 == 0


def test_the_code_is_read_aloud_and_typed_without_mistakes(access: Access) -> None:
    assert len(access.code()) == 6
    assert set(access.code()) <= set(LETTERS)
    assert not set(LETTERS) & set("0O1ILQB8S5Z2UVG6")
    typed = f" {access.code()[:3].lower()}-{access.code()[3:]} "
    assert access.has_joined(access.join(typed, "a"))


@pytest.mark.parametrize("token", ["", ".", "x", "x.", "x.0000", "ä.ö"])
def test_what_was_not_given_out_lets_nobody_in(access: Access, token: str) -> None:
    assert not access.has_joined(token)


def test_guessing_is_slowed_down_for_one_address_and_for_all(access: Access, clock: Clock) -> None:
    def guess(address: str) -> None:
        with pytest.raises(WrongCode):
            access.join("AAAAAA" if access.code() != "AAAAAA" else "CCCCCC", address)

    for _ in range(WRONG_EACH):
        guess("a")
    with pytest.raises(TooManyTries):
        access.join(access.code(), "a")
    assert access.join(access.code(), "b")
    for number in range(WRONG_A_MINUTE - WRONG_EACH):
        guess(f"c{number}")
    with pytest.raises(TooManyTries):
        access.join(access.code(), "b")
    clock.now_s += 61
    assert access.join(access.code(), "a")


def test_a_code_is_renewed_and_grows_old(access: Access, clock: Clock) -> None:
    first_code = access.code()
    token = access.join(first_code, "a")
    second_code = access.new_code()
    assert second_code != first_code
    with pytest.raises(WrongCode):
        access.join(first_code, "a")
    assert access.has_joined(token)
    clock.now_s += CODE_LASTS_MS / 1000 + 1
    assert access.code() != second_code


def test_a_clock_that_is_set_back_keeps_nobody_waiting_for_hours(access: Access, clock: Clock) -> None:
    """Someone who had mistyped the code six times had to wait until the clock had caught up."""
    clock.now_s += 5 * 3600
    for _ in range(WRONG_EACH):
        with pytest.raises(WrongCode):
            access.join("-", "a")
    clock.now_s -= 4 * 3600
    assert access.join(access.code(), "a")


def test_a_code_that_was_made_while_the_clock_was_years_ahead_grows_old(access: Access, clock: Clock) -> None:
    clock.now_s += 3 * 365 * 86400
    ahead = access.new_code()
    clock.now_s -= 3 * 365 * 86400
    assert access.code() != ahead


def test_what_is_revoked_in_one_of_two_that_share_a_folder_is_revoked_in_both_and_stays_so(
    access: Access, tmp_path: Path, clock: Clock
) -> None:
    """The other went on with the old link and tokens, and its next code wrote them back into the file."""
    other = Access(tmp_path / "access.json", clock.wall_ms)
    link, token = access.host_key, access.join(access.code(), "a")
    access.new_host_key()
    access.send_all_out()
    assert not other.is_host(link)
    assert not other.has_joined(token)
    clock.now_s += CODE_LASTS_MS / 1000 + 1
    assert other.code() == access.code()
    reopened = Access(tmp_path / "access.json", clock.wall_ms)
    assert not reopened.is_host(link)
    assert not reopened.has_joined(token)


def test_a_file_that_is_damaged_or_gone_while_the_table_is_open_signs_nobody_out(
    access: Access, tmp_path: Path
) -> None:
    token, code = access.join(access.code(), "a"), access.code()
    (tmp_path / "access.json").write_text("[")
    assert access.has_joined(token)
    (tmp_path / "access.json").unlink()
    assert access.has_joined(token)
    assert access.code() == code


def test_what_is_revoked_while_the_disk_is_full_stays_so_after_it_has_room_again(
    access: Access, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lasted until the next start: then the old link and tokens were good again."""

    def refuse(*_: object) -> None:
        raise OSError(ENOSPC, strerror(ENOSPC))

    link, token = access.host_key, access.join(access.code(), "a")
    with monkeypatch.context() as full:
        full.setattr("companion.table.people.access.keep_private", refuse)
        access.new_host_key()
        access.send_all_out()
        clock.now_s += 60
        assert not access.has_joined(token)
    clock.now_s += 60
    assert not access.has_joined(token)
    reopened = Access(tmp_path / "access.json", clock.wall_ms)
    assert not reopened.is_host(link)
    assert not reopened.has_joined(token)


def test_all_are_sent_out_at_once(access: Access) -> None:
    token = access.join(access.code(), "a")
    access.send_all_out()
    assert not access.has_joined(token)


def test_a_folder_that_takes_nothing_does_not_stop_the_table(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "file").write_text("in the way")
    access = Access(tmp_path / "file" / "access.json", clock.wall_ms)
    assert access.has_joined(access.join(access.code(), "a"))
