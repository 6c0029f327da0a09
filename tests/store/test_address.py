"""Laws of Redis URLs."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.server.store import StoreRefused
from shoal.server.store.address import Address


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://", (None, "localhost", 6379, 0, None, None)),
        ("redis://db", (None, "db", 6379, 0, None, None)),
        ("redis://db:1/5", (None, "db", 1, 5, None, None)),
        ("redis://:p%40ss@db/", (None, "db", 6379, 0, None, "p@ss")),
        ("rediss://u:p@[::1]:1", (None, "::1", 1, 0, "u", "p")),
        ("unix:///a/b.sock?db=2", ("/a/b.sock", "localhost", 6379, 2, None, None)),
        ("unix:///a%20b", ("/a b", "localhost", 6379, 0, None, None)),
    ],
)
def test_urls_are_read(url: str, expected: tuple[object, ...]) -> None:
    """Each form of URL leads where it says."""
    found = Address.parse(url)
    assert found.tls == url.startswith("rediss:")
    assert expected == (
        *(found.path, found.host, found.port),
        *(found.database, found.user, found.password),
    )


@pytest.mark.parametrize(
    "url", ["", "db:6379", "http://db", "redis://db:x", "redis://db/x", "unix://", "redis://[db"]
)
def test_other_urls_are_refused(url: str) -> None:
    """The message says what to write instead."""
    with pytest.raises(StoreRefused, match="redis://host:6379/0"):
        Address.parse(url)


@given(st.text())
def test_no_text_makes_reading_fail_otherwise(url: str) -> None:
    """Any text is an address or refused."""
    with suppress(StoreRefused):
        Address.parse(url)


def test_a_password_is_not_shown() -> None:
    """Neither in logs nor in messages."""
    address = Address.parse("redis://u:hunter2@db:1/2")
    assert "hunter2" not in f"{address} {address!r}"
    with pytest.raises(StoreRefused) as refused:
        Address.parse("redis://u:hunter2@db:x")
    assert "hunter2" not in str(refused.value)
