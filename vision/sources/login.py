"""User and password as a camera wants them: Basic (RFC 7617) or Digest (RFC 7616). No network, no clock.

A password is sent only to who asked for it, and in no other form than was asked: with Digest nobody who
listens learns it.
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
    """As they stand in an address."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Challenge:
    """One way in which a camera lets itself be asked; names of parameters are small."""

    scheme: str
    parameters: Mapping[str, str]

    @property
    def algorithm(self) -> str:
        """Of a digest."""
        return self.parameters.get("algorithm", "MD5").upper()

    @property
    def answerable(self) -> bool:
        """Whether an answer can be made; never one that also signs what is sent (`auth-int`) alone."""
        if self.scheme == "basic":
            return True
        qop = self.parameters.get("qop", "auth").replace(" ", "").split(",")
        known = self.algorithm.removesuffix("-SESS") in _HASHES
        return self.scheme == "digest" and known and "auth" in qop and "nonce" in self.parameters


BASIC = Challenge("basic", {})
"""What is tried where a camera refuses and does not say how it wants to be asked."""


def login_of(parts: SplitResult) -> Login | None:
    """From an address, if it holds any."""
    if parts.username is None:
        return None
    return Login(unquote(parts.username), unquote(parts.password or ""))


def chosen(headers: Sequence[str]) -> Challenge | None:
    """The best of the `WWW-Authenticate` headers: a digest, else Basic; None: it wants something else."""
    offered = [one for header in headers for one in _challenges(header)]
    if not offered:
        return BASIC
    known = [one for one in offered if one.answerable]
    return next((one for one in known if one.scheme == "digest"), next(iter(known), None))


def answer(challenge: Challenge, login: Login, path: str, count: int, chance: str) -> str:
    """The `Authorization` header of the `count`-th GET of a path that this challenge is answered for."""
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
    """Headers are Latin-1 on the wire: others' letters go as the bytes of their UTF-8."""
    return re.sub(r'(["\\])', r"\\\1", value).encode().decode("latin-1")
