"""Self-made certificates, so that a phone's browser lets a page use its camera.

Browsers give the camera to secure pages only, and no public authority certifies addresses of a home network.
So this machine makes an authority at the first start, and a certificate for its present addresses, renewed
before it expires or when an address changes, also while serving. Name constraints restrict the authority to
home networks: a phone that trusts it cannot be deceived about any internet site, even if the key is stolen.
"""

import datetime as dt
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from calibration.written import write_atomically
from companion.errors import TenshuError

AUTHORITY_LASTS = dt.timedelta(days=3650)
LEAF_LASTS = dt.timedelta(days=397)
"""Apple's phones refuse certificates with a longer validity."""
RENEW_BEFORE = dt.timedelta(days=30)
_BACKDATED = dt.timedelta(days=1)
"""A phone's clock may be behind."""
_AUTHORITY_BACKDATED = dt.timedelta(days=3650)
"""This computer's clock may be years ahead when it makes the authority that phones are to trust for good."""
HOME_NETWORKS = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
)
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Key = ec.EllipticCurvePrivateKey


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files for the listener, and the public half of the authority for phones."""

    chain: Path
    key: Path
    authority_pem: bytes
    fingerprint: str
    """SHA-256 of the authority, for comparing by eye."""
    leaf: x509.Certificate
    """What the listener shows to phones."""
    renewed: bool = False
    """It replaces an older certificate, for which users may have accepted the browser's warning."""

    def is_current(self, now: dt.datetime | None = None) -> bool:
        """Whether it is valid now and not due for renewal; it also changes when the clock is set."""
        return _is_current(self.leaf, now or dt.datetime.now(dt.UTC))


class NoCertificate(TenshuError):
    """The folder cannot be written; the table is still served without HTTPS."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(
            f"No certificate can be kept in {folder} ({why}); phones cannot be the camera.",
            "Free some disk space, or name another folder with --data.",
        )


def certificates(folder: Path, addresses: Sequence[str], now: dt.datetime | None = None) -> Certificates:
    """Return the certificates kept in this folder, made or renewed as needed. Raises `NoCertificate`."""
    moment = now or dt.datetime.now(dt.UTC)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        authority, authority_key = _authority(folder, moment)
        names = _subject_names(addresses, authority)
        required = (x509.SubjectAlternativeName, x509.AuthorityKeyIdentifier)
        existing = _load_pair(folder / "server.crt", folder / "server.key", *required)
        if existing and _is_still_good(existing[0], authority, names, moment):
            leaf, renewed = existing[0], False
        else:
            key = (
                existing[1]
                if existing and _is_current(existing[0], moment)
                else ec.generate_private_key(ec.SECP256R1())
            )
            leaf = _write_leaf(folder, key, (authority, authority_key), names, moment)
            renewed = existing is not None
    except OSError as error:
        raise NoCertificate(folder, error.strerror or str(error)) from None
    pem = authority.public_bytes(serialization.Encoding.PEM)
    chain, private = folder / "server.crt", folder / "server.key"
    return Certificates(chain, private, pem, fingerprint(authority), leaf, renewed)


def fingerprint(certificate: x509.Certificate) -> str:
    """Return the SHA-256 fingerprint as phones show it: pairs of hexadecimal digits."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _authority(folder: Path, moment: dt.datetime) -> tuple[x509.Certificate, _Key]:
    existing = _load_pair(folder / "authority.crt", folder / "authority.key", x509.NameConstraints)
    if existing is not None and existing[0].not_valid_after_utc - RENEW_BEFORE > moment:
        return existing
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Tenshu on {socket.gethostname()}"[:64])])
    networks = [x509.IPAddress(ipaddress.ip_network(network)) for network in HOME_NETWORKS]
    domains = [x509.DNSName(domain) for domain in ("localhost", "local", *_host_names())]
    certificate = (
        _begin_certificate(name, name, key, (moment - _AUTHORITY_BACKDATED, moment + AUTHORITY_LASTS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(authority=True), critical=True)
        .add_extension(x509.NameConstraints([*domains, *networks], None), critical=True)
        .sign(key, hashes.SHA256())
    )
    _write_private(folder / "authority.key", _private_pem(key))
    _write_private(folder / "authority.crt", certificate.public_bytes(serialization.Encoding.PEM))
    return certificate, key


def _write_leaf(
    folder: Path,
    key: _Key,
    issuer: tuple[x509.Certificate, _Key],
    names: list[x509.GeneralName],
    moment: dt.datetime,
) -> x509.Certificate:
    authority, authority_key = issuer
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tenshu")])
    authority_id = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    leaf = (
        _begin_certificate(
            name, authority.subject, key, (moment - _BACKDATED, moment - _BACKDATED + LEAF_LASTS)
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(authority_id, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    _write_private(folder / "server.key", _private_pem(key))
    _write_private(folder / "server.crt", leaf.public_bytes(pem) + authority.public_bytes(pem))
    return leaf


def _begin_certificate(
    subject: x509.Name, issuer: x509.Name, key: _Key, validity: tuple[dt.datetime, dt.datetime]
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(validity[0])
        .not_valid_after(validity[1])
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _key_usage(*, authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not authority,
        key_cert_sign=authority,
        crl_sign=authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _subject_names(addresses: Sequence[str], authority: x509.Certificate) -> list[x509.GeneralName]:
    permitted = _permitted_domains(authority)
    host_names = _host_names()
    candidates = dict.fromkeys(("localhost", *host_names, *(f"{name}.local" for name in host_names)))
    domains = [name for name in candidates if any(f".{name}".endswith(f".{domain}") for domain in permitted)]
    addresses_found = dict.fromkeys(ipaddress.ip_address(text) for text in ("127.0.0.1", "::1", *addresses))
    return [
        *(x509.DNSName(name) for name in domains),
        *(x509.IPAddress(a) for a in addresses_found if _is_home(a)),
    ]


def _host_names() -> list[str]:
    """Return this computer's name if a certificate can contain it: Windows lets people use any letters."""
    host_name = socket.gethostname().lower()
    return [host_name] if host_name and host_name.isascii() else []


def _permitted_domains(authority: x509.Certificate) -> list[str]:
    """Return the domains the authority may certify; a host name that changed later is not among them."""
    allowed = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees
    return [name.value for name in allowed or () if isinstance(name, x509.DNSName)]


def _is_home(address: Address) -> bool:
    """Whether the authority may certify the address; any other would invalidate the whole certificate."""
    networks = (ipaddress.ip_network(network) for network in HOME_NETWORKS)
    return any(address in network for network in networks if network.version == address.version)


def _is_still_good(
    leaf: x509.Certificate, authority: x509.Certificate, names: list[x509.GeneralName], moment: dt.datetime
) -> bool:
    listed = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    is_ours = leaf.issuer == authority.subject and _is_signed_by(leaf, authority)
    return _is_current(leaf, moment) and is_ours and set(names) <= set(listed)


def _is_current(leaf: x509.Certificate, moment: dt.datetime) -> bool:
    """Whether it is valid now and not due for renewal; made with a clock ahead, it may not be valid yet."""
    return leaf.not_valid_before_utc <= moment <= leaf.not_valid_after_utc - RENEW_BEFORE


def _is_signed_by(leaf: x509.Certificate, authority: x509.Certificate) -> bool:
    """Whether the key identifiers match; names do not suffice, as authorities of one machine share a name."""
    expected = x509.SubjectKeyIdentifier.from_public_key(authority.public_key()).digest
    stated = leaf.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value.key_identifier
    return stated == expected


def _load_pair(
    path: Path, key: Path, *required: type[x509.ExtensionType]
) -> tuple[x509.Certificate, _Key] | None:
    """Load certificate and key; None if they are missing, broken, or lack an extension that ours all have."""
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        private = serialization.load_pem_private_key(key.read_bytes(), None)
        for kind in required:
            certificate.extensions.get_extension_for_class(kind)
    except (FileNotFoundError, ValueError, TypeError, x509.ExtensionNotFound):
        return None  # a broken file is replaced
    if not isinstance(private, _Key) or private.public_key() != certificate.public_key():
        return None
    return certificate, private


def _private_pem(key: _Key) -> bytes:
    form = serialization.PrivateFormat.PKCS8
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def _write_private(path: Path, content: bytes) -> None:
    write_atomically(path, content, private=True)
