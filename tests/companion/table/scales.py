"""What a board reports as cubes fall, and what is made of it."""

from calibration.scale import CubeMass
from companion.table.messages import SensorSays
from companion.table.throw.weigher import Weighed, Weigher
from firmware.link.events import Beat, Drop, LinkUp, Motion, SensorEvent, Settled
from tests.companion.table.tables import Table

CUBE_MG = 360
CUBE = CubeMass(360.0, 1.5, 18.0, 62)
UP = LinkUp("/dev/ttyACM0", "1.0")


def hear_board(table: Table, *events: SensorEvent) -> None:
    """Have a table hear what its board sends."""
    for event in events:
        table.session.hear(SensorSays(event))


def beat(mass_mg: int) -> Beat:
    return Beat(0, mass_mg, 20, 80, False)


def weigher_that_heard(*events: SensorEvent, cube: CubeMass = CUBE) -> Weigher:
    weigher = Weigher(cube)
    for event in (UP, beat(3), *events):
        weigher.hear(event)
    return weigher


def fall_events(*steps: int, begin: int = 3, missed: int = 0) -> list[SensorEvent]:
    moved: list[SensorEvent] = [Motion(0), *(Drop(0, 360 * step) for step in steps)]
    return [*moved, Settled(0, begin + 360 * (sum(steps) + missed), 6)]


def weighed_by(weigher: Weigher) -> Weighed:
    weighed = weigher.weighed()
    assert weighed is not None
    return weighed
