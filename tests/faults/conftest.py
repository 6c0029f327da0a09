"""A journal for checks to look at."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from shoal.server.chaos.journal import Journal
from tests.faults.cases import BOT


@pytest.fixture
def journal(tmp_path: Path) -> Iterable[Journal]:
    """The journal of the bot at seat 0."""
    made = Journal("raw-0", BOT, tmp_path / "journal")
    yield made
    made.close()
