"""Matches and steps for tests that do not care what is in them."""

import hashlib
from dataclasses import replace

from shoal.match import Asks
from shoal.server.store import (
    Commit,
    Committed,
    Guard,
    MatchStore,
    NewMatch,
    StoredMatch,
    new_id,
)

META = b'{"ruleset":"base"}'
SECRET = b"seed"


async def make_match(
    store: MatchStore, *, limit_ms: int = 60_000, match_id: str = ""
) -> StoredMatch:
    """Make a match and load it."""
    match_id = match_id or new_id()
    assert await store.create(NewMatch(match_id, META, b"seed", b"state 0", "live", limit_ms))
    return await reload(store, match_id)


async def reload(store: MatchStore, match_id: str) -> StoredMatch:
    """Load a match that exists."""
    match = await store.load(match_id)
    assert match is not None
    return match


def step(match: StoredMatch, option: int = 7) -> Commit:
    """Return a step from where the match is, which asks the next decision."""
    return Commit(
        match_id=match.match_id,
        rev=match.rev,
        version=match.version,
        prefix=f'["move",{match.version % 2},{option},"{match.decision_id}"',
        state=f"state {match.version + 1}".encode(),
        status="live",
        asks=Asks.NEW,
        limit_ms=60_000,
        grace_ms=500,
        leeway_ms=200,
        guard=Guard.NONE,
    )


async def take(store: MatchStore, commit: Commit) -> Committed:
    """Make a step that must be accepted."""
    outcome = await store.submit_commit(commit)
    assert isinstance(outcome, Committed), outcome
    return outcome


async def last_step(store: MatchStore, match: StoredMatch) -> Committed:
    """End a match, with a result for the outbox."""
    ending = replace(step(match), asks=Asks.NONE, status="over", payload=b"result")
    return await take(store, ending)


def sha1hex(text: bytes) -> str:
    """Return what Redis calls sha1hex."""
    return hashlib.sha1(text, usedforsecurity=False).hexdigest()
