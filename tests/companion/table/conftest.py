from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.companion.table.tables import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    new_table = Table(tmp_path)
    yield new_table
    new_table.close()
