"""Matches as whoever makes the call that is being handled may be told of them."""

from collections.abc import Iterable

from shoal.match import Match, Phase
from shoal.server.auth import current_caller
from shoal.server.services.rating_messages import adjusted_message, change_message
from shoal.server.unrated import Entry, Unrated
from shoal.v1 import match_pb2
from shoal.wire.matches import EVERYBODY, match_message


def told(match: Match, entry: Entry | None = None) -> match_pb2.Match:
    """Return the message of a match for the caller, with what the ledger of its competition says of it."""
    message = match_message(match, _caller())
    if entry is not None:
        message.unrated_reason = unrated_reason(entry.unrated)
        message.rating_changes.extend(map(change_message, entry.changes))
        if (adjusted := adjusted_message(entry.without_luck)) is not None:
            message.adjusted.CopyFrom(adjusted)
    return message


def unrated_reason(unrated: Unrated | None) -> match_pb2.UnratedReason.ValueType:
    """Return why a result does not count, unspecified if it does."""
    if unrated is None:
        return match_pb2.UNRATED_REASON_UNSPECIFIED
    return match_pb2.UnratedReason.Value(f"UNRATED_REASON_{unrated.name}")


def seen_of(bot_id: str, ladder_id: str, matches: Iterable[Match]) -> list[Match]:
    """Return those of a bot's matches that the caller may be told to be of it; of no bot all.

    With a `ladder_id` only those of this ladder, or of the tournament with this id.
    """
    is_its = _caller() in {bot_id, EVERYBODY}
    return [
        match
        for match in matches
        if not bot_id or is_its or not match.names_hidden or match.phase is Phase.FINISHED
        if ladder_id in {"", match.meta.ladder}
    ]


def _caller() -> str:
    """Return whom the caller speaks for: an organizer for everybody."""
    caller = current_caller()
    return EVERYBODY if caller.admin else caller.bot_id
