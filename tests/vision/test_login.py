"""How a camera's `WWW-Authenticate` headers are parsed: usual ones in full, far too long ones not at all."""

import pytest

from vision.sources.login import BASIC, Challenge, choose_challenge

LONG = "a" * 5000


@pytest.mark.parametrize(
    "long", [f"Digest {LONG}", f'Digest realm="camera", nonce="{LONG}"', f"Other {LONG}"]
)
def test_a_header_that_is_far_too_long_is_ignored(long: str) -> None:
    """One of 16,000 letters without `=` stopped the whole program for four seconds. The password is not sent
    in the clear instead, which was not asked for."""
    assert choose_challenge([long]) is None
    usual = 'Digest realm="camera", nonce="n1"'
    assert choose_challenge([long, usual]) == Challenge("digest", {"realm": "camera", "nonce": "n1"})
    assert choose_challenge([]) == BASIC


@pytest.mark.parametrize("header", ["Other realm=x", "Hawk"])
def test_a_way_that_is_unknown_is_not_answered_with_a_password(header: str) -> None:
    """It ended in a traceback."""
    assert choose_challenge([header]) is None
    assert choose_challenge([header, "Basic realm=x"]) == Challenge("basic", {"realm": "x"})
    assert choose_challenge([""]) == BASIC


def test_usual_headers_are_parsed_in_full() -> None:
    """Spaces, quoted commas and escapes, names with a dash, and two challenges in one header."""
    header = (
        'Basic realm="a=b, c", Digest  Realm = "the \\"yard\\"",nonce="n=1==", qop="auth,auth-int" , '
        'algorithm=SHA-256,x-own=7, stale=FALSE, opaque=""'
    )
    challenge = choose_challenge([header])
    assert challenge is not None
    assert challenge.scheme == "digest"
    assert challenge.parameters == {
        "realm": 'the "yard"',
        "nonce": "n=1==",
        "qop": "auth,auth-int",
        "algorithm": "SHA-256",
        "x-own": "7",
        "stale": "FALSE",
        "opaque": "",
    }
