"""The file's own history: pending and applied can be asked without writing."""

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


def applied(connection: sqlite3.Connection) -> list[str]:
    """Names of the migrations this file has seen."""
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone()
    if known is None:
        return []
    return [str(name) for (name,) in connection.execute("SELECT name FROM migrations ORDER BY name")]


def pending(connection: sqlite3.Connection) -> list[str]:
    """Names of those it still needs."""
    done = set(applied(connection))
    return [name for name, _ in MIGRATIONS if name not in done]


def is_newer(connection: sqlite3.Connection) -> bool:
    """Whether a Tenshu that knows more migrations has seen this file: what is written now may not fit it."""
    return not set(applied(connection)) <= {name for name, _ in MIGRATIONS}


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file up to date; a change and the note that it was made share one transaction."""
    todo = set(pending(connection))
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
