"""The end of a match that cannot be read: void, without knowing what was played.

Its log may hold what only a later version knows, or a step of it may fail. What the store needs for an end is
beside the log, and who sat there is in the match's fixed part.
"""

from shoal.match import (
    Asks,
    Entry,
    EntryKind,
    Match,
    MatchMeta,
    Phase,
    VoidReason,
    decode_meta,
    encode_state,
    outbox_payload,
    step,
)
from shoal.server.store.commits import Commit
from shoal.server.store.keys import bot_bell, match_bell
from shoal.server.store.matches import StoredMatch


def void_unread(stored: StoredMatch, reason: VoidReason) -> Commit:
    """Return the step that ends a match as void.

    The state that goes with it is that of a match which ended before the deal: whoever comes fresh reads it,
    and needs nothing of the log. Where not even the fixed part can be read there is none, and no result.
    """
    entry = Entry(EntryKind.VOID, value=reason.value)
    commit = Commit(
        match_id=stored.match_id,
        rev=stored.rev,
        version=stored.version,
        prefix=entry.prefix(),
        state=b"",
        status=Phase.FINISHED,
        asks=Asks.NONE,
        bells=(match_bell(stored.match_id),),
    )
    meta = _meta_of(stored)
    if meta is not None:
        match = Match(meta, stored.secret)
        step(match, entry)
        commit.state = encode_state(match)
        commit.payload = outbox_payload(match)
        commit.bells += tuple(bot_bell(seat.bot_id) for seat in meta.seats)
    return commit


def _meta_of(stored: StoredMatch) -> MatchMeta | None:
    """Return the fixed part of a match; None when it cannot be read."""
    try:
        return decode_meta(stored.meta)
    except (ValueError, KeyError, TypeError):
        return None
