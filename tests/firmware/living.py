"""A stand-in board in virtual time: each read of its port takes a tenth of a second."""

from collections.abc import Callable

from firmware.link.link import Link
from firmware.link.talk import Board
from tests.firmware.standin import StandIn


class LivingPort:
    """Beats once a second; `later` holds what to say at the next reads with nothing else to say."""

    def __init__(self, board: StandIn) -> None:
        self.board = board
        self.now_s = 0.0
        self.later: list[Callable[[StandIn], bytes]] = []
        self.dead = False
        self._waiting = board.boot()
        self._reads = 0

    def read(self) -> bytes:
        self.now_s += 0.1
        self._reads += 1
        if self.dead:
            raise OSError
        if not self._waiting and self.later:
            self._waiting = self.later.pop(0)(self.board)
        elif self._reads % 10 == 0:
            self._waiting += self.board.beat()
        data, self._waiting = self._waiting, b""
        return data

    def write(self, data: bytes) -> None:
        self._waiting += self.board.answer(data)

    def close(self) -> None:
        self.dead = True


def living_board(standin: StandIn) -> tuple[Board, LivingPort]:
    """Return a board that has already been greeted, and its port."""
    port = LivingPort(standin)
    link = Link(lambda: ["board"], lambda _: port, lambda: port.now_s, named=True)

    def sleep(seconds: float) -> None:
        port.now_s += seconds

    board = Board(link, lambda: port.now_s, sleep)
    board.greet()
    return board, port
