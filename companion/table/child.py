"""Where the sensor process begins; everything heavy is imported there and not in the web process."""

from multiprocessing.connection import Connection

from companion.table.messages import SensorSpec


def main(pipe: Connection, spec: SensorSpec) -> None:
    """Run until told to stop, or until the web process is gone."""
    from companion.table.sensing import run  # noqa: PLC0415 - OpenCV and the reader: 100 MB

    run(pipe, spec)
