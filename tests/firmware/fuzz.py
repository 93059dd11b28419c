"""Mutated lines for the host's parser: nothing may crash it, and what it believes must be what was sent.

`python -m tests.firmware.fuzz 10000000` is the long run; a bounded one is in test_fuzz.py.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from companion.measures import from_one
from firmware.link.ear import Splitter
from firmware.link.wire import Line, WireError, compose, parse
from tests.firmware.vectors import vectors

GOOD = [row.line for row in vectors("device", good=True)]
_MARKS = b"$>*,-\r\n0123456789ABCDEF"


@dataclass
class Tally:
    """Counts of one run."""

    lines: int = 0
    refused: int = 0
    same: int = 0
    """Believed, and identical to what was sent: the mutation undid itself or hit the line end."""
    other: int = 0
    """Believed although never sent."""


def _flip_burst(rng: random.Random, line: bytearray) -> bool:
    """Damage up to 16 consecutive bits on the wire: every such burst must be caught."""
    width = rng.randint(1, 16)
    start = rng.randrange(8 * len(line) - width + 1)
    pattern = rng.getrandbits(width) | 1 | 1 << width - 1
    for bit in range(width):
        if pattern >> bit & 1:
            line[(start + bit) // 8] ^= 1 << (start + bit) % 8
    return True


def _flip_some(rng: random.Random, line: bytearray) -> bool:
    bits = rng.sample(range(8 * len(line)), rng.randint(1, 3))
    for bit in bits:
        line[bit // 8] ^= 1 << bit % 8
    return True  # at most three flips: the polynomial's distance is 4 up to 32,751 bits


def _cut(rng: random.Random, line: bytearray) -> bool:
    """Remove a part."""
    start = rng.randrange(len(line))
    del line[start : start + rng.randint(1, len(line))]
    return False


def _insert(rng: random.Random, line: bytearray) -> bool:
    at = rng.randint(0, len(line))
    line[at:at] = bytes(rng.choice(_MARKS) for _ in range(rng.randint(1, 4)))
    return False


def _swap(rng: random.Random, line: bytearray) -> bool:
    at = rng.randrange(len(line) - 1)
    line[at], line[at + 1] = line[at + 1], line[at]
    return True  # a burst of 16 bits


def _splice(rng: random.Random, line: bytearray) -> bool:
    """Continue with the end of another line, as if the bytes between had been lost."""
    other_line = rng.choice(GOOD)
    line[rng.randrange(len(line)) :] = other_line[rng.randrange(len(other_line)) :]
    return False


def _noise(rng: random.Random, line: bytearray) -> bool:
    line[:] = rng.randbytes(rng.randint(0, 100))
    return False


MUTATIONS: tuple[Callable[[random.Random, bytearray], bool], ...] = (
    _flip_burst,
    _flip_burst,
    _flip_some,
    _cut,
    _insert,
    _swap,
    _splice,
    _noise,
)


def run(count: int, seed: int) -> Tally:
    """Parse this many mutated lines. Raises `AssertionError` if a promise is broken."""
    rng, tally = random.Random(seed), Tally()
    known = set(GOOD)
    for _ in range(count):
        sent = rng.choice(GOOD)
        line = bytearray(sent)
        promised = rng.choice(MUTATIONS)(rng, line)
        tally.lines += 1
        for part in bytes(line).split(b"\n"):
            _judge(part.removesuffix(b"\r"), known, tally, promised)
    return tally


def _judge(line: bytes, known: set[bytes], tally: Tally, promised: bool) -> None:
    try:
        believed = parse(line)
    except WireError:
        tally.refused += 1
        return
    assert compose(believed).rstrip() == line
    if line in known:
        tally.same += 1
        return
    tally.other += 1
    assert not promised, line


def through_splitter(count: int, seed: int) -> int:
    """Streams of good lines and noise, split anywhere: every undamaged line between line ends is heard."""
    rng = random.Random(seed)
    for _ in range(count):
        sent = [rng.choice(GOOD) for _ in range(rng.randint(1, 5))]
        stream = b"\n".join([rng.randbytes(9).replace(b"\n", b"x"), *sent, b""])
        splitter, heard = Splitter(), list[Line]()
        while stream:
            size = rng.randint(1, len(stream))
            heard += [item for item in splitter.feed(stream[:size]) if isinstance(item, Line)]
            stream = stream[size:]
        assert [compose(line).rstrip() for line in heard] == sent
    return count


def main() -> int:
    """Print the tally."""
    parser = argparse.ArgumentParser(prog="python -m tests.firmware.fuzz", description=__doc__)
    parser.add_argument("lines", type=from_one, nargs="?", default=1_000_000, help="default 1,000,000")
    count = parser.parse_args().lines
    begin = time.monotonic()
    tally = run(count, seed=1)
    through_splitter(count // 50, seed=2)
    sys.stdout.write(f"{tally} in {time.monotonic() - begin:.0f} s\n")
    return 1 if tally.other else 0


if __name__ == "__main__":
    sys.exit(main())
