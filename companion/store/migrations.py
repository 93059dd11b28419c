"""Schema migrations; which are applied or pending can be queried without writing."""

import sqlite3

MIGRATIONS: tuple[tuple[str, str], ...] = (
    (
        "0001 events",
        """CREATE TABLE events (
            game   TEXT    NOT NULL,
            seq    INTEGER NOT NULL,
            batch  INTEGER NOT NULL,
            kind   TEXT    NOT NULL,
            author TEXT    NOT NULL,
            ts_ms  INTEGER NOT NULL,
            body   TEXT    NOT NULL,
            PRIMARY KEY (game, seq)
        ) STRICT, WITHOUT ROWID""",
    ),
)


def applied_migrations(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the migrations applied to this file."""
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone()
    if known is None:
        return []
    return [str(name) for (name,) in connection.execute("SELECT name FROM migrations ORDER BY name")]


def pending_migrations(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the migrations this file still needs."""
    done = set(applied_migrations(connection))
    return [name for name, _ in MIGRATIONS if name not in done]


def is_newer(connection: sqlite3.Connection) -> bool:
    """Return whether a newer Tenshu has migrated this file, so that what is written now may not fit it."""
    return not set(applied_migrations(connection)) <= {name for name, _ in MIGRATIONS}


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file up to date; a migration and its record share one transaction."""
    todo = set(pending_migrations(connection))
    if not todo:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) STRICT")
        for name, statement in MIGRATIONS:
            if name in todo:
                connection.execute(statement)
                connection.execute("INSERT INTO migrations VALUES (?)", (name,))
    except sqlite3.Error:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
