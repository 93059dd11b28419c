"""The steps in weight since it was last known for sure what lay in the tray."""

from dataclasses import dataclass, field

_MOST_STEPS = 250
"""More than any tower drops: if a cell reports cubes without end, people count instead."""


@dataclass(slots=True)
class Steps:
    """Steps in weight from a known state to now; only the base contains drift of zero."""

    cubes: int
    """Number of cubes that lay there then."""
    base_mg: float
    """Weight of everything then, plus drift since."""
    felt_mg: list[int] = field(default_factory=list)
    """Each step, measured against the level just before it."""
    slow_mg: float = 0.0
    """Weight that was there before this motion but came without a step: mostly a hand leaning on it."""

    @property
    def too_many(self) -> bool:
        """Whether there are so many steps that what lies there is no longer known."""
        return len(self.felt_mg) > _MOST_STEPS

    def missed_mg(self, now_mg: float) -> float:
        """Return the weight that lies there now and was not felt coming."""
        return now_mg - self.base_mg - sum(self.felt_mg)

    def step(self, mass_mg: int, same_mg: float) -> None:
        """Add a step: something came or left. Levels closer together than `same_mg` count as equal."""
        if mass_mg < 0 and self.slow_mg:
            self.felt_mg.append(round(self.slow_mg))
            self.slow_mg = 0.0
        self.felt_mg.append(mass_mg)
        if not self.too_many:
            self._subtract_loss(same_mg)

    def _subtract_loss(self, same_mg: float) -> None:
        """Subtract what leaves from what came last: a hand that leans on the tray and goes was no cubes."""
        while len(self.felt_mg) > 1 and self.felt_mg[-1] < 0:
            loss_mg = self.felt_mg.pop()
            self.felt_mg[-1] += loss_mg
            if abs(self.felt_mg[-1]) < same_mg:  # a hand never takes away exactly what it put on
                self.felt_mg.pop()
                return
