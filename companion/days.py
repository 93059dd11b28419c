"""The day on which something was where this computer stands: by UTC it may be another."""

from datetime import UTC, datetime


def today() -> str:
    """Year first, so that files sort by it."""
    return f"{datetime.now(UTC).astimezone():%Y-%m-%d}"


def day_of(moment: str) -> str:
    """Of a moment in ISO 8601; the letters that stand there where it is none."""
    try:
        return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d}"
    except (ValueError, OverflowError, OSError):
        return moment[:10]
