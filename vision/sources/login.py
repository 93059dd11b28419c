"""User and password as a camera wants them: Basic (RFC 7617) or Digest (RFC 7616). No network, no clock.

A password is sent only to a camera that asked for it, and only in the form it asked for: with Digest an
eavesdropper does not learn it.
"""

import base64
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote

_SCHEME = re.compile(r"(?:^|,)\s*(basic|digest|bearer|negotiate|ntlm)\b", re.IGNORECASE)
"""One header may hold several challenges."""
_PARAMETER = re.compile(r'([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))')
_HASHES: Mapping[str, Callable[[bytes], "hashlib._Hash"]] = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}


@dataclass(frozen=True, slots=True)
class Login:
    """User and password as given in an address."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Challenge:
    """One way in which a camera asks for a login; parameter names are in lower case."""

    scheme: str
    parameters: Mapping[str, str]

    @property
    def algorithm(self) -> str:
        """Hash algorithm of a digest."""
        return self.parameters.get("algorithm", "MD5").upper()

    @property
    def answerable(self) -> bool:
        """Whether we can answer it; not if only `auth-int`, which also signs the body, is offered."""
        if self.scheme == "basic":
            return True
        qop = self.parameters.get("qop", "auth").replace(" ", "").split(",")
        known = self.algorithm.removesuffix("-SESS") in _HASHES
        return self.scheme == "digest" and known and "auth" in qop and "nonce" in self.parameters


BASIC = Challenge("basic", {})
"""Tried if a camera refuses without saying how it wants the login."""


def login_of(parts: SplitResult) -> Login | None:
    """Return the login in an address, if there is one."""
    if parts.username is None:
        return None
    return Login(unquote(parts.username), unquote(parts.password or ""))


def chosen(headers: Sequence[str]) -> Challenge | None:
    """Return the best of the `WWW-Authenticate` headers: a digest, else Basic; None if we can answer
    neither."""
    offered = [one for header in headers for one in _challenges(header)]
    if not offered:
        return BASIC
    known = [one for one in offered if one.answerable]
    return next((one for one in known if one.scheme == "digest"), next(iter(known), None))


def answer(challenge: Challenge, login: Login, path: str, count: int, chance: str) -> str:
    """Return the `Authorization` header for the `count`-th GET, of `path`, that answers this challenge."""
    if challenge.scheme == "basic":
        return f"Basic {base64.b64encode(f'{login.user}:{login.password}'.encode()).decode()}"
    asked = challenge.parameters
    realm, nonce = asked.get("realm", ""), asked["nonce"]
    who = _hashed(challenge, f"{login.user}:{realm}:{login.password}")
    if challenge.algorithm.endswith("-SESS"):
        who = _hashed(challenge, f"{who}:{nonce}:{chance}")
    what = _hashed(challenge, f"GET:{path}")
    counted = f"{nonce}:{count:08x}:{chance}:auth" if "qop" in asked else nonce
    quoted = {"username": login.user, "realm": realm, "nonce": nonce, "uri": path}
    quoted["response"] = _hashed(challenge, f"{who}:{counted}:{what}")
    plain = {name: asked[name] for name in ("algorithm",) if name in asked}
    if "opaque" in asked:
        quoted["opaque"] = asked["opaque"]
    if "qop" in asked:
        quoted["cnonce"] = chance
        plain |= {"qop": "auth", "nc": f"{count:08x}"}
    said = [f'{name}="{_escaped(value)}"' for name, value in quoted.items()]
    return "Digest " + ", ".join(said + [f"{name}={value}" for name, value in plain.items()])


def _challenges(header: str) -> list[Challenge]:
    starts = list(_SCHEME.finditer(header))
    ends = [start.start() for start in starts[1:]] + [len(header)]
    return [
        Challenge(start[1].lower(), _parameters(header[start.end() : end]))
        for start, end in zip(starts, ends, strict=True)
    ]


def _parameters(text: str) -> dict[str, str]:
    found = _PARAMETER.finditer(text)
    return {one[1].lower(): re.sub(r"\\(.)", r"\1", one[2]) if one[3] is None else one[3] for one in found}


def _hashed(challenge: Challenge, text: str) -> str:
    return _HASHES[challenge.algorithm.removesuffix("-SESS")](text.encode()).hexdigest()


def _escaped(value: str) -> str:
    """Headers are Latin-1 on the wire: other letters are sent as the bytes of their UTF-8."""
    return re.sub(r'(["\\])', r"\\\1", value).encode().decode("latin-1")
