"""The command that serves, without a process of its own."""

import json
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import main
from companion.table.desks.host import SensorHost
from companion.web.shares import FairServer
from tests.patience import PATIENCE_S

Played = Callable[..., str]
SERVE = ["serve", "--camera", "none", "--port-serial", "none", "--host", "127.0.0.1", "--port", "0"]


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Played:
    """Each start serves until it was asked for its table, as if Ctrl-C came then; no camera is opened."""
    tables: list[str] = []

    def until_asked(server: FairServer) -> None:
        threading.Thread(target=server.serve, daemon=True).start()
        url = f"http://127.0.0.1:{server.bind_addr[1]}/api/v1/table"
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
            tables.append(json.load(answer)["table"])

    monkeypatch.setattr("companion.web.server.serve_until_told", until_asked)
    monkeypatch.setattr(SensorHost, "start", lambda host: None)

    def serve_once(*command: str) -> str:
        assert main([*command, "--data", str(tmp_path)]) == 0
        return tables.pop()

    return serve_once
