"""What all tests share."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _logs_of_no_command() -> Iterator[None]:
    """Let commands that a test runs in this process leave the logs alone.

    A command sends them to standard error, which under pytest is one test's own; a logger that is first used
    by that test would write to a closed file for the rest of the process.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.server.cli.set_up_logs", lambda _: None)
        yield
