"""Places in files that appear while training runs: written beside and renamed, so none is met half written.

The name says where they come from: `traced-…`, `rendered-…`, `labelled-…`; `check-…` are measured on alone.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from calibration.training.peaks import Peaks

CHECK = "check"


def write_shard(folder: Path, name: str, places: Peaks) -> None:
    """NAME.npz, not packed: it is read once, at once."""
    beside = folder / f"{name}.tmp"
    with beside.open("wb") as file:
        np.savez(file, patches=places.patches, truth=places.truth.astype(np.int8), scores=places.scores)
    beside.replace(folder / f"{name}.npz")


def new_shards(folder: Path, known: set[str]) -> Iterator[tuple[str, Peaks]]:
    """Where each comes from, and its places; those in `known` are passed over, and the new ones added.

    One that cannot be read is left out: a run goes on without it.
    """
    for path in sorted(folder.glob("*.npz")):
        if path.name in known:
            continue
        known.add(path.name)
        try:
            with np.load(path) as file:
                places = Peaks(file["patches"], file["truth"].astype(np.int64), file["scores"])
        except (OSError, ValueError, KeyError, EOFError):
            continue
        yield source_of(path.name), places


def source_of(name: str) -> str:
    """The first word of a shard's name; of a check what it checks too."""
    words = name.removesuffix(".npz").split("-")
    return "-".join(words[:2]) if words[0] == CHECK else words[0]
