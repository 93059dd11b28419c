"""How a camera at an address is named in messages, logs and pages: without anything that grants access."""

import re

_USER_AND_PASSWORD = re.compile(r"(?<=//)(?:[^/]*@)?(?:[^?#;]*@)?")
"""Up to the last @ before the path, and before the query: a password may hold these signs, not encoded."""
_QUERY = re.compile(r"[?#;]\S*|(?<=/)[^/\s?#;]*=\S*")
"""Many cameras take `snap.cgi?user=anna&pwd=secret`, some `/user=anna&password=secret&channel=1`."""


def lower_scheme(spec: str) -> str:
    """Return `HTTP://…` with its scheme in lower case; anything else unchanged."""
    scheme, separator, rest = spec.partition("://")
    return f"{scheme.lower()}{separator}{rest}" if separator else spec


def url_name(url: str) -> str:
    """Return the URL without user and password, wherever cameras put them; what is left out shows as `…`."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    bare = _USER_AND_PASSWORD.sub("", f"//{rest}")[2:]
    return f"{scheme}{separator}{_QUERY.sub('…', bare, count=1)}"
