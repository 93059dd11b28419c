"""The steps in weight since it was last known for sure what lay in the tray."""

from dataclasses import dataclass, field

_MOST_STEPS = 250
"""More come from no tower: where a cell tells of cubes without end, the table counts."""


@dataclass(slots=True)
class Steps:
    """From what is known to what is felt; drift of zero is in the first alone."""

    cubes: int
    """That lay there then."""
    base_mg: float
    """What all weighed then, drift added."""
    felt_mg: list[int] = field(default_factory=list)
    """Each against the level just before it."""
    slow_mg: float = 0.0
    """What lay there before this motion and had come without a step: mostly a hand that leans on it."""

    @property
    def too_many(self) -> bool:
        """What lies there is no longer known."""
        return len(self.felt_mg) > _MOST_STEPS

    def missed_mg(self, now_mg: float) -> float:
        """What lies there now and was not felt coming."""
        return now_mg - self.base_mg - sum(self.felt_mg)

    def step(self, mass_mg: int, same_mg: float) -> None:
        """Something came, or left; two levels nearer than `same_mg` are the same."""
        if mass_mg < 0 and self.slow_mg:
            self.felt_mg.append(round(self.slow_mg))
            self.slow_mg = 0.0
        self.felt_mg.append(mass_mg)
        if not self.too_many:
            self._take_off(same_mg)

    def _take_off(self, same_mg: float) -> None:
        """What leaves is taken off what came last: a hand that leans on the tray and goes was no cubes."""
        while len(self.felt_mg) > 1 and self.felt_mg[-1] < 0:
            left_mg = self.felt_mg.pop()
            self.felt_mg[-1] += left_mg
            if abs(self.felt_mg[-1]) < same_mg:  # no hand leaves quite as it came
                self.felt_mg.pop()
                return
