"""Stand-ins for the sensor process, in a file that imports little, since each process imports it anew."""

import os
import struct
import threading
from multiprocessing.connection import Connection

from companion.table.messages import (
    Alive,
    CalibrationSays,
    CameraSays,
    LookNow,
    SensorSays,
    SensorSpec,
    TellBoard,
)
from firmware.link.events import Answered


def stops_amid_a_word(pipe: Connection, spec: SensorSpec) -> None:
    """Lives, then hangs for good with half a report in the pipe."""
    del spec
    pipe.send(CameraSays("0"))
    pipe.send(Alive())
    os.write(pipe.fileno(), struct.pack("!i", 1_000_000) + b"half")
    threading.Event().wait()


def dies_of_a_command(pipe: Connection, spec: SensorSpec) -> None:
    """Answers the first command, and ends before it answers the second."""
    del spec
    pipe.send(CameraSays("0"))
    n_commands = 0
    while n_commands < 2:
        if isinstance(order := pipe.recv(), TellBoard):
            n_commands += 1
            if n_commands == 1:
                pipe.send(SensorSays(Answered(order.command, order.arguments, 0, None)))


def dies_young(pipe: Connection, spec: SensorSpec) -> None:
    """Says that all is well, and ends."""
    del spec
    pipe.send(CameraSays("0"))


def says_whether_taught(pipe: Connection, spec: SensorSpec) -> None:
    """Calibrates at once, keeping the profile or not, and dies when asked for a look."""
    pipe.send(CameraSays("taught" if spec.taught else "untaught"))
    pipe.send(CalibrationSays({"phase": "walking"}))
    pipe.send(CalibrationSays({"phase": "done", "verdict": {"kept": spec.profile == "kept"}}))
    while not isinstance(pipe.recv(), LookNow):
        pass
