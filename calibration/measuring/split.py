"""The fixed split of labelled pictures: one half to tune and train on, one half to measure on only."""

import hashlib
from posixpath import normpath
from typing import Literal

Half = Literal["tune", "holdout"]


def half(file: str) -> Half:
    """Return a picture's half from its file name alone, so that it never changes: odd SHA-1 is held out.

    However a path is written, it is the same file: `./a.jpg` is in the half of `a.jpg`.
    """
    name = normpath(file.replace("\\", "/"))
    # Lone surrogates occur in no real file name, but must not raise here.
    digest = hashlib.sha1(name.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()
    return "holdout" if int(digest, 16) % 2 else "tune"
