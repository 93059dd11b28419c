"""Where the sensor process starts; everything heavy is imported there and not in the web process."""

import os
import signal
from multiprocessing.connection import Connection

from companion.table.messages import SensorSpec

MOST_PIXELS = 1 << 26
"""64 million, more than any phone's photo: a file of few kilobytes can claim to be a picture of gigabytes."""


def main(pipe: Connection, spec: SensorSpec) -> None:
    """Run until told to stop, or until the web process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the web process stops us
    os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = str(MOST_PIXELS)  # read by OpenCV when it is loaded
    from companion.table.sensing.process import run  # noqa: PLC0415 - OpenCV and the reader: 100 MB

    run(pipe, spec)
