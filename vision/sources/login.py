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
_PARAMETER = re.compile(r'(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))')
"""The lookbehind keeps a long word without `=` from being tried from each of its letters."""
_LONGEST_HEADER = 4096
"""A usual one has 200 characters; while a longer one is parsed, no other thread runs."""
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


def choose_challenge(headers: Sequence[str]) -> Challenge | None:
    """Return the best of the `WWW-Authenticate` headers: a digest, else Basic; None if we can answer
    neither. Headers that are far too long are ignored."""
    parsed = [header for header in headers if len(header) <= _LONGEST_HEADER]
    offered = [challenge for header in parsed for challenge in _parse_challenges(header)]
    if not offered:
        return None if any(header.strip() for header in headers) else BASIC
    answerable = [challenge for challenge in offered if challenge.answerable]
    return next(
        (challenge for challenge in answerable if challenge.scheme == "digest"), next(iter(answerable), None)
    )


def answer(challenge: Challenge, login: Login, path: str, count: int, cnonce: str) -> str:
    """Return the `Authorization` header for the `count`-th GET, of `path`, that answers this challenge."""
    if challenge.scheme == "basic":
        return f"Basic {base64.b64encode(f'{login.user}:{login.password}'.encode()).decode()}"
    parameters = challenge.parameters
    realm, nonce = parameters.get("realm", ""), parameters["nonce"]
    user_hash = _hash(challenge, f"{login.user}:{realm}:{login.password}")
    if challenge.algorithm.endswith("-SESS"):
        user_hash = _hash(challenge, f"{user_hash}:{nonce}:{cnonce}")
    path_hash = _hash(challenge, f"GET:{path}")
    nonce_part = f"{nonce}:{count:08x}:{cnonce}:auth" if "qop" in parameters else nonce
    quoted = {"username": login.user, "realm": realm, "nonce": nonce, "uri": path}
    quoted["response"] = _hash(challenge, f"{user_hash}:{nonce_part}:{path_hash}")
    plain = {name: parameters[name] for name in ("algorithm",) if name in parameters}
    if "opaque" in parameters:
        quoted["opaque"] = parameters["opaque"]
    if "qop" in parameters:
        quoted["cnonce"] = cnonce
        plain |= {"qop": "auth", "nc": f"{count:08x}"}
    fields = [f'{name}="{_escape(value)}"' for name, value in quoted.items()]
    return "Digest " + ", ".join(fields + [f"{name}={value}" for name, value in plain.items()])


def _parse_challenges(header: str) -> list[Challenge]:
    starts = list(_SCHEME.finditer(header))
    ends = [*(start.start() for start in starts[1:]), len(header)][: len(starts)]
    return [
        Challenge(start[1].lower(), _parse_parameters(header[start.end() : end]))
        for start, end in zip(starts, ends, strict=True)
    ]


def _parse_parameters(text: str) -> dict[str, str]:
    matches = _PARAMETER.finditer(text)
    return {
        match[1].lower(): re.sub(r"\\(.)", r"\1", match[2]) if match[3] is None else match[3]
        for match in matches
    }


def _hash(challenge: Challenge, text: str) -> str:
    return _HASHES[challenge.algorithm.removesuffix("-SESS")](text.encode()).hexdigest()


def _escape(value: str) -> str:
    """Headers are Latin-1 on the wire: other letters are sent as the bytes of their UTF-8."""
    return re.sub(r'(["\\])', r"\\\1", value).encode().decode("latin-1")
