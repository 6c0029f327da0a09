"""Addresses and what a call says of its sender."""

import pytest

from shoal.client.channel import _OPTIONS, Address, metadata
from shoal.server.app import CHANNEL_OPTIONS


@pytest.mark.parametrize(
    ("text", "target", "tls"),
    [
        ("localhost:7430", "localhost:7430", False),
        ("localhost", "localhost:7430", False),
        ("http://10.0.0.1:80/", "10.0.0.1:80", False),
        ("grpc://arena:7430", "arena:7430", False),
        ("https://arena.example", "arena.example:443", True),
        ("grpcs://arena.example:8443", "arena.example:8443", True),
        ("[::1]:7430", "[::1]:7430", False),
        ("[::1]", "[::1]:7430", False),
    ],
)
def test_addresses_are_read(text: str, target: str, tls: bool) -> None:  # noqa: FBT001
    """The scheme says whether to speak TLS; a missing port has a default."""
    assert Address.parse(text) == Address(target, tls)


@pytest.mark.parametrize(
    "text", ["", "ftp://arena", "arena:0", "arena:99999", "arena:x", ":7430", "a b", "http://a/b"]
)
def test_nonsense_is_no_address(text: str) -> None:
    """What is no address is said before anything is opened."""
    with pytest.raises(ValueError, match=r"address|scheme"):
        Address.parse(text)


def test_tls_can_be_asked_for() -> None:
    """A flag does what https:// does."""
    assert Address.parse("arena:7430", tls=True).tls


def test_every_call_says_who_speaks() -> None:
    """The kit is named always, the token only when there is one."""
    assert [key for key, _ in metadata(None)] == ["shoal-client"]
    assert dict(metadata("secret"))["authorization"] == "Bearer secret"


def test_a_server_bears_the_pings_of_the_kit() -> None:
    """Whoever keeps a quiet connection alive is not thrown out for it (T100)."""
    kept, borne = (dict(options) for options in (_OPTIONS, CHANNEL_OPTIONS))
    least = borne["grpc.http2.min_recv_ping_interval_without_data_ms"]
    assert isinstance(kept["grpc.keepalive_time_ms"], int)
    assert kept["grpc.keepalive_time_ms"] >= 3 * least
    assert borne["grpc.keepalive_permit_without_calls"]
