"""What a camera at an address is called in sentences, logs and pages: by nothing that lets anybody in."""

import re

_USER_AND_PASSWORD = re.compile(r"(?<=//)[^/\s]*@")
"""To the last @ before the path: a password may hold one."""
_QUERY = re.compile(r"[?#;]\S*|(?<=/)[^/\s?#;]*=\S*")
"""Many cameras take `snap.cgi?user=anna&pwd=secret`, some `/user=anna&password=secret&channel=1`."""


def scheme_lowered(spec: str) -> str:
    """`HTTP://…` as everybody else writes it; anything else as it is."""
    scheme, there, rest = spec.partition("://")
    return f"{scheme.lower()}{there}{rest}" if there else spec


def url_name(url: str) -> str:
    """The URL without user and password, wherever cameras want them; what is left out shows as `…`."""
    scheme, there, rest = url.partition("://")
    if not there:
        return url
    bare = _USER_AND_PASSWORD.sub("", f"//{rest}")[2:]
    return f"{scheme}{there}{_QUERY.sub('…', bare, count=1)}"
