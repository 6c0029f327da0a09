"""What all tests share."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# A machine that stands still for a moment has not made a law slow, nor its examples hard to find.
settings.register_profile(
    "any machine",
    parent=settings.default,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("any machine")

# A shell lets what it starts in the background ignore Ctrl-C, and so would what these tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _logs_of_no_command() -> Iterator[None]:
    """Let commands that a test runs in this process leave the logs alone.

    A command sends them to standard error, which under pytest is one test's own; a logger that is first used
    by that test would write to a closed file for the rest of the process.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.server.cli.set_up_logs", lambda _: None)
        yield
