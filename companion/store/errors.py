"""What can go wrong with the table's file, each with a sentence and a remedy."""

from pathlib import Path

from companion.errors import TenshuError


class StoreError(TenshuError):
    """The table's file cannot be opened or written; nothing that was confirmed is lost."""

    def __init__(self, sentence: str, remedy: str, key: str = "not_saved") -> None:
        """`key` is the translation key that pages use."""
        super().__init__(sentence, remedy)
        self.key = key

    @property
    def status(self) -> int:
        """The HTTP status, named as in `TableRefusal`: 503 during shutdown, otherwise 507."""
        return 503 if self.key == "ended" else 507


def not_saved_error(error: Exception) -> StoreError:
    """Return the error for a disk that is full or gone."""
    why = getattr(error, "strerror", None) or error
    return StoreError(
        f"This could not be saved ({why}).",
        "Nothing that was saved is lost: free some disk space and try again.",
    )


def damaged_error(why: object) -> StoreError:
    """Return the error for a file that was truncated or overwritten."""
    return StoreError(
        f"This table's file is damaged ({why}).",
        "Open the recovery page to save what can be read and go on from there.",
        "store_damaged",
    )


def newer_file_error(path: Path) -> StoreError:
    """Return the error for a file whose format this version does not know."""
    return StoreError(f"{path} was written by a newer Tenshu.", "Update Tenshu.", "unknown_events")


def file_gone_error() -> StoreError:
    """Return the error for a deleted or replaced file: it is still open, but what is written ends with the
    program."""
    return StoreError(
        "This table's file is gone or was replaced, so nothing new is saved.",
        "Put its folder back; if you cannot, start Tenshu again and restore the newest copy on the "
        "recovery page.",
        "store_gone",
    )


def too_long_error() -> StoreError:
    """Return the error for a table with more events than are restored from a file."""
    return StoreError(
        "This table is too long to be saved as one file.",
        "Stop Tenshu and copy its folder, and begin a new table for the next games.",
        "too_long_to_save",
    )


def shutdown_error() -> StoreError:
    """Return the error for a command that comes after the file was closed at shutdown."""
    return StoreError(
        "Tenshu is shutting down, so nothing has changed.",
        "Start it again: what was saved is not lost.",
        "ended",
    )


class Stale(Exception):
    """Somebody else wrote first, so the events belong to an older state. `present` is the last number now."""

    def __init__(self, expected: int, present: int) -> None:
        super().__init__(f"expected {expected}, present {present}")
        self.expected = expected
        self.present = present
