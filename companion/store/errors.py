"""What can go wrong with the table's memory: one sentence each, with a remedy."""

from pathlib import Path

from companion.errors import TenshuError


class StoreError(TenshuError):
    """The memory cannot be opened or written; nothing that was confirmed is lost."""

    def __init__(self, sentence: str, remedy: str, key: str = "not_saved") -> None:
        """`key`: of what pages say of it in every language."""
        super().__init__(sentence, remedy)
        self.key = key

    @property
    def status(self) -> int:
        """As HTTP has it, as `TableRefusal` says it too: 503 as all is being ended, else 507."""
        return 503 if self.key == "ended" else 507


def not_saved(error: Exception) -> StoreError:
    """The disk is full, or gone."""
    why = getattr(error, "strerror", None) or error
    return StoreError(
        f"This could not be saved ({why}).",
        "Nothing that was saved is lost: free some disk space and try again.",
    )


def damaged(why: object) -> StoreError:
    """A file that was cut off or written over."""
    return StoreError(
        f"This table's file is damaged ({why}).",
        "Open the recovery page to save what can be read and go on from there.",
        "store_damaged",
    )


def of_newer(path: Path) -> StoreError:
    """What is kept in it, and how, this program does not know."""
    return StoreError(f"{path} was written by a newer Tenshu.", "Update Tenshu.", "unknown_events")


def gone() -> StoreError:
    """What would be written now ends with the program: the file is still open, and nobody will find it."""
    return StoreError(
        "This table's file is gone, so nothing new is saved.",
        "Put its folder back; if you cannot, start Tenshu again and restore the newest copy on the "
        "recovery page.",
        "store_gone",
    )


def ended() -> StoreError:
    """What comes in the last moment, when the file is let go of already."""
    return StoreError(
        "Tenshu is shutting down, so nothing has changed.",
        "Start it again: what was saved is not lost.",
        "ended",
    )


class Stale(Exception):
    """Someone wrote before: the events were meant for another state. `present` is the last number now."""

    def __init__(self, expected: int, present: int) -> None:
        super().__init__(f"expected {expected}, present {present}")
        self.expected = expected
        self.present = present
