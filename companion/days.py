"""Local dates: the day in UTC may be a different one."""

from datetime import UTC, datetime


def today() -> str:
    """Return today's date, year first so that files sort by it."""
    return f"{datetime.now(UTC).astimezone():%Y-%m-%d}"


def day_of(moment: str) -> str:
    """Return the local date of an ISO 8601 time, or the text's first ten characters if it is not one."""
    try:
        return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d}"
    except (ValueError, OverflowError, OSError):
        return moment[:10]
