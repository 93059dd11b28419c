"""The doctor's findings."""

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How much a finding matters."""

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; the remedy is empty if all is well."""

    what: str
    level: Level
    sentence: str
    remedy: str = ""
