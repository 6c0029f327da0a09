"""Laws of resume tokens: what is put in comes out, and nothing else is let in."""

import base64
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.server.errors import Refusal
from shoal.server.store import new_id
from shoal.server.streams.poll import HEARD, HEARD_VOID
from shoal.server.streams.resume import MOST_MATCHES, make_token, read_token

IDS = st.integers(0, 63).map(new_id)
TOLD = st.dictionaries(
    IDS, st.one_of(st.integers(0, 5_000), st.sampled_from([HEARD, HEARD_VOID])), max_size=20
)


@given(TOLD)
def test_a_token_says_what_was_told(told: dict[str, int]) -> None:
    """Each match with its version, or that its end was heard of; a token is never empty."""
    token = make_token(told)
    assert token
    assert read_token(token) == told


def test_no_token_says_nothing() -> None:
    """Which is something else than that nothing was told."""
    assert read_token("") is None
    assert read_token(make_token({})) == {}


@given(TOLD, st.data())
def test_what_is_cut_or_changed_is_read_or_refused(
    told: dict[str, int], data: st.DataObject
) -> None:
    """Any text is either a token or malformed, and never a bug."""
    token = make_token(told)
    at = data.draw(st.integers(0, len(token)))
    put = data.draw(st.text(max_size=4))
    for text in (token[:at], token[:at] + put + token[at:]):
        with contextlib.suppress(Refusal):
            read_token(text)


def test_a_token_has_an_end() -> None:
    """Of more matches than fit those made first are left out, and what is made can be read."""
    told = {new_id(0): 1 for _ in range(MOST_MATCHES + 5)}
    token = make_token(told)
    assert len(token) < 64 * 1024
    assert len(read_token(token) or ()) == MOST_MATCHES
    longer = base64.urlsafe_b64encode(b"\x01" + bytes(19 * MOST_MATCHES)).decode()
    assert len(read_token(longer.rstrip("=")) or ()) == 1


def test_a_token_of_too_many_matches_is_refused() -> None:
    """Nobody makes a server look at more than it would tell of."""
    ids = [f"00{number:028x}" for number in range(MOST_MATCHES + 1)]
    packed = b"".join(bytes.fromhex(each) + bytes(4) for each in ids)
    with pytest.raises(Refusal):
        read_token(base64.urlsafe_b64encode(b"\x01" + packed).decode().rstrip("="))
