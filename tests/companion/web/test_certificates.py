"""Certificates made by this machine: trusted where they should be, and nowhere else."""

import datetime as dt
import http.client
import os
import shutil
import socket
import ssl
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509

from companion.table.runtime import Runtime
from companion.web.addresses import _host_name_addresses
from companion.web.app import create_app
from companion.web.certificates import AUTHORITY_LASTS, LEAF_LASTS, NoCertificate, certificates
from companion.web.secure import SecureListener, make_secure, own_addresses
from tests.patience import PATIENCE_S, until

NOW = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
HOME = ["192.168.1.7", "fd00::7"]


def leaf(folder: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificates((folder / "server.crt").read_bytes())[0]


def authority(folder: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate((folder / "authority.crt").read_bytes())


def names(folder: Path) -> set[str]:
    extension = leaf(folder).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    return {str(name.value) for name in extension.value}


def test_it_names_the_addresses_where_phones_find_this_machine(tmp_path: Path) -> None:
    certificates(tmp_path, HOME, NOW)
    host_name = f"{socket.gethostname().lower()}.local"
    assert {*HOME, "127.0.0.1", "::1", "localhost", host_name} <= names(tmp_path)
    certificate = leaf(tmp_path)
    assert (
        certificate.not_valid_after_utc - certificate.not_valid_before_utc == LEAF_LASTS <= dt.timedelta(398)
    )


def test_it_stays_until_an_address_changes_or_it_ends(tmp_path: Path) -> None:
    first = certificates(tmp_path, HOME, NOW)
    first_serial = leaf(tmp_path).serial_number
    certificates(tmp_path, HOME, NOW + dt.timedelta(days=300))
    assert leaf(tmp_path).serial_number == first_serial
    certificates(tmp_path, ["192.168.1.9"], NOW)
    second_serial = leaf(tmp_path).serial_number
    assert second_serial != first_serial
    later = certificates(tmp_path, ["192.168.1.9"], NOW + LEAF_LASTS)
    assert leaf(tmp_path).serial_number != second_serial
    assert later.fingerprint == first.fingerprint  # phones that trusted it need not do so again
    last = certificates(tmp_path, HOME, NOW + AUTHORITY_LASTS)
    assert last.fingerprint != first.fingerprint


def test_what_was_made_while_the_clock_was_ahead_is_good_once_it_is_right(tmp_path: Path) -> None:
    """A clock without a battery: phones with the right time refuse certificates that are not valid yet."""
    ahead = certificates(tmp_path, HOME, NOW + dt.timedelta(days=2000))
    right = certificates(tmp_path, HOME, NOW)
    assert right.fingerprint == ahead.fingerprint
    for certificate in (leaf(tmp_path), authority(tmp_path)):
        assert certificate.not_valid_before_utc <= NOW < certificate.not_valid_after_utc


def test_a_clock_that_is_behind_costs_no_phone_its_trust(tmp_path: Path) -> None:
    first = certificates(tmp_path, HOME, NOW)
    assert certificates(tmp_path, HOME, NOW - dt.timedelta(days=200)).fingerprint == first.fingerprint
    assert leaf(tmp_path).not_valid_before_utc <= NOW < leaf(tmp_path).not_valid_after_utc


@pytest.mark.parametrize("name", ["authority.key", "authority.crt", "server.key", "server.crt"])
def test_a_broken_file_is_made_anew(tmp_path: Path, name: str) -> None:
    certificates(tmp_path, HOME, NOW)
    (tmp_path / name).write_bytes(b"broken")
    kept = certificates(tmp_path, HOME, NOW)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(kept.chain, kept.key)
    assert leaf(tmp_path).issuer == authority(tmp_path).subject


@pytest.mark.parametrize(("source", "target"), [("server", "authority"), ("authority", "server")])
def test_a_certificate_of_another_kind_is_made_anew(tmp_path: Path, source: str, target: str) -> None:
    """With one made by another program and placed there, Tenshu no longer started."""
    certificates(tmp_path, HOME, NOW)
    for ending in ("crt", "key"):
        shutil.copy(tmp_path / f"{source}.{ending}", tmp_path / f"{target}.{ending}")
    certificates(tmp_path, HOME, NOW)
    assert set(HOME) <= names(tmp_path)
    assert leaf(tmp_path).issuer == authority(tmp_path).subject
    leaf(tmp_path).verify_directly_issued_by(authority(tmp_path))


def test_keys_are_for_this_user_alone(tmp_path: Path) -> None:
    certificates(tmp_path / "tls", HOME, NOW)
    assert stat.S_IMODE((tmp_path / "tls").stat().st_mode) == 0o700
    for key in ("authority.key", "server.key"):
        assert stat.S_IMODE((tmp_path / "tls" / key).stat().st_mode) == 0o600


def test_the_authority_may_vouch_for_home_networks_only(tmp_path: Path) -> None:
    certificates(tmp_path, [*HOME, "93.184.215.14"], NOW)
    constraints = authority(tmp_path).extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    assert constraints.value.permitted_subtrees is not None
    allowed = {str(name.value) for name in constraints.value.permitted_subtrees}
    assert "192.168.0.0/16" in allowed
    assert not any(name in allowed for name in ("0.0.0.0/0", "", "com"))
    assert "93.184.215.14" not in names(tmp_path)  # it would invalidate the whole certificate


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "tls").write_text("a file", encoding="utf-8")
    with pytest.raises(NoCertificate) as error:
        certificates(tmp_path / "tls", HOME, NOW)
    assert error.value.sentence.endswith(".")


def test_a_computer_whose_name_is_too_long_for_an_address_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux allows 64 characters, of which names in the network may have 63: nothing could be served."""
    monkeypatch.setattr("socket.gethostname", lambda: "a" * 64)
    assert "127.0.0.1" in own_addresses("127.0.0.1")
    assert _host_name_addresses() == []


@pytest.mark.parametrize("name", ["JÜRGEN-PC", "Игорь-ПК", ""])
def test_a_computer_whose_name_no_certificate_can_have_is_served(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows lets people use any letters: Tenshu ended with a traceback."""
    monkeypatch.setattr("socket.gethostname", lambda: name)
    certificates(tmp_path, HOME, NOW)
    assert names(tmp_path) == {*HOME, "127.0.0.1", "::1", "localhost"}
    assert not certificates(tmp_path, HOME, NOW).renewed


def test_own_addresses_are_addresses() -> None:
    assert "" not in own_addresses("0.0.0.0")
    assert "0.0.0.0" not in own_addresses("0.0.0.0")
    assert "127.0.0.1" in own_addresses("127.0.0.1")


@pytest.fixture
def listener(runtime: Runtime, tmp_path: Path) -> Iterator[SecureListener]:
    secure_listener = make_secure(create_app(runtime), "127.0.0.1", 0, tmp_path / "tls")
    secure_listener.start()
    yield secure_listener
    secure_listener.stop()


def _get(listener: SecureListener, path: str, context: ssl.SSLContext) -> tuple[int, bytes]:
    connection = http.client.HTTPSConnection(
        "127.0.0.1", listener.server.bind_addr[1], context=context, timeout=PATIENCE_S
    )
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_a_phone_that_trusts_the_authority_is_served_without_a_warning(listener: SecureListener) -> None:
    context = ssl.create_default_context(cadata=listener.certificates.authority_pem.decode())
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert _get(listener, "/camera", context)[0] == 200
    status, pem = _get(listener, "/tenshu-authority.crt", context)
    assert (status, pem) == (200, listener.certificates.authority_pem)
    assert b"PRIVATE" not in pem
    with pytest.raises(ssl.SSLCertVerificationError):
        _get(listener, "/camera", ssl.create_default_context())


def _is_trusted_at(listener: SecureListener, address: str) -> bool:
    """Whether a client that trusts the authority connects to this address without a warning."""
    context = ssl.create_default_context(cadata=listener.certificates.authority_pem.decode())
    port = listener.server.bind_addr[1]
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as plain:
        try:
            context.wrap_socket(plain, server_hostname=address).close()
        except ssl.SSLCertVerificationError:
            return False
    return True


def test_an_address_that_comes_while_it_serves_is_in_the_certificate(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It named the old one until the next start, and every phone warned; key and authority stay."""
    addresses, renewal_message = [*HOME], list[str]()
    monkeypatch.setattr("companion.web.secure.own_addresses", lambda host: [*addresses])
    monkeypatch.setattr("companion.web.secure.LOOKS_S", 0.02)
    listener = make_secure(create_app(runtime), "127.0.0.1", 0, tmp_path, renewal_message.append)
    listener.start()
    try:
        before = leaf(tmp_path).public_key(), authority(tmp_path)
        assert _is_trusted_at(listener, HOME[0])
        assert not _is_trusted_at(listener, "192.168.7.7")
        addresses[:] = ["192.168.7.7"]
        until(lambda: bool(renewal_message))
        assert _is_trusted_at(listener, "192.168.7.7")
        assert (leaf(tmp_path).public_key(), authority(tmp_path)) == before
        assert renewal_message == [listener.renewal_message]
    finally:
        listener.stop()
    make_secure(create_app(runtime), "127.0.0.1", 0, tmp_path, renewal_message.append).stop()
    assert len(renewal_message) == 1


def test_a_clock_that_is_set_right_while_it_serves_costs_no_day_with_an_expired_certificate(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A computer whose clock has no battery starts years behind, until the network tells it the time."""
    renewal_message, behind = list[str](), dt.datetime.now(dt.UTC) - dt.timedelta(days=3000)
    monkeypatch.setattr("companion.web.secure.LOOKS_S", 0.02)
    with monkeypatch.context() as started:
        started.setattr(
            "companion.web.secure.certificates",
            lambda folder, addresses: certificates(folder, addresses, behind),
        )
        listener = make_secure(create_app(runtime), "127.0.0.1", 0, tmp_path, renewal_message.append)
    listener.start()
    try:
        until(lambda: bool(renewal_message))
        assert leaf(tmp_path).not_valid_after_utc > dt.datetime.now(dt.UTC)
        assert _is_trusted_at(listener, "127.0.0.1")
    finally:
        listener.stop()


def test_a_certificate_that_cannot_be_renewed_is_told_once_and_the_old_one_serves(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewal_message = list[str]()
    listener = make_secure(create_app(runtime), "127.0.0.1", 0, tmp_path / "tls", renewal_message.append)
    monkeypatch.setattr("companion.web.secure.own_addresses", lambda host: [*HOME])
    (tmp_path / "tls").rename(tmp_path / "pulled")
    (tmp_path / "tls").write_text("no folder", encoding="utf-8")
    before = listener.certificates
    listener.renew()
    listener.renew()
    assert [sentence.partition(" (")[0] for sentence in renewal_message] == [
        f"No new certificate: No certificate can be kept in {tmp_path / 'tls'}"
    ]
    (tmp_path / "tls").unlink()
    (tmp_path / "pulled").rename(tmp_path / "tls")
    listener.renew()
    assert renewal_message[1:] == [listener.renewal_message]
    assert listener.certificates.fingerprint == before.fingerprint
    listener.stop()


def test_a_computer_with_another_name_keeps_a_certificate_that_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The network may assign a name; one outside the authority's constraints invalidated the certificate."""
    certificates(tmp_path, HOME, NOW)
    monkeypatch.setattr("socket.gethostname", lambda: "elsewhere")
    certificates(tmp_path, ["192.168.7.7"], NOW)
    assert {"192.168.7.7", "elsewhere.local"} <= names(tmp_path)
    assert "elsewhere" not in names(tmp_path)


def test_a_device_that_says_nothing_holds_up_nobody(listener: SecureListener) -> None:
    """A page is served beside ten connections without a handshake."""
    silent = [socket.create_connection(("127.0.0.1", listener.server.bind_addr[1])) for _ in range(10)]
    context = ssl.create_default_context(cadata=listener.certificates.authority_pem.decode())
    begin = time.monotonic()
    assert _get(listener, "/camera", context)[0] == 200
    assert time.monotonic() - begin < 8  # cheroot's own adapter takes ten seconds for each
    for connection in silent:
        connection.close()


def test_who_leaves_https_away_is_led_to_the_camera(listener: SecureListener) -> None:
    """A browser adds http:// to what is typed: the page was empty, without an explanation."""
    connection = http.client.HTTPConnection("127.0.0.1", listener.server.bind_addr[1], timeout=PATIENCE_S)
    connection.request("GET", "/camera?a=b", headers={"Accept-Language": "de", "User-Agent": "x" * 500})
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Location")) == (302, f"{listener.reached.local_url}camera")
    connection.close()


def test_plain_http_and_noise_are_dropped_in_silence(
    listener: SecureListener, capfd: pytest.CaptureFixture[str]
) -> None:
    usual_s, listener.server.timeout = listener.server.timeout, 0.5
    half_a_handshake = b"\x16\x03\x01\x40\x00" + bytes(30)  # a phone that went out of range
    for noise in (b"GET / HTTP/1.1\r\n\r\n", half_a_handshake, os.urandom(300)):
        with socket.create_connection(
            ("127.0.0.1", listener.server.bind_addr[1]), timeout=PATIENCE_S
        ) as connection:
            connection.sendall(noise)
            while connection.recv(1000):
                pass
    listener.server.timeout = usual_s
    context = ssl.create_default_context(cadata=listener.certificates.authority_pem.decode())
    assert _get(listener, "/camera", context)[0] == 200
    assert "Traceback" not in capfd.readouterr().err
