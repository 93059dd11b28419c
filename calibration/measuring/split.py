"""The fixed split of labelled pictures: one half to tune and train on, one half only ever to measure on."""

import hashlib
from typing import Literal

Half = Literal["tune", "holdout"]


def half(file: str) -> Half:
    """Of a picture by its file name alone, so that it never moves: odd SHA-1 is held out."""
    # Half a character, which no file's name holds, is nobody's to trip over here.
    digest = hashlib.sha1(file.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()
    return "holdout" if int(digest, 16) % 2 else "tune"
