from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.companion.table.tables import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()
