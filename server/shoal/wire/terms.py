"""What specifications of ladders and of tournaments have in common: messages, and what they mean."""

from shoal.competition.specification import Entry, TimeControl
from shoal.v1 import match_pb2, tournament_pb2


def time_control_of(message: match_pb2.TimeControl) -> TimeControl:
    """Return the time control that a message asks for."""
    return TimeControl(
        move_ms=message.move_ms,
        bank_ms=message.bank_ms,
        increment_ms=message.increment_ms,
        max_strikes=message.max_strikes,
        max_illegal=message.max_illegal,
        match_ms=message.match_ms,
    )


def time_control_message(control: TimeControl) -> match_pb2.TimeControl:
    """Return the message of a time control."""
    return match_pb2.TimeControl(
        move_ms=control.move_ms,
        bank_ms=control.bank_ms,
        increment_ms=control.increment_ms,
        max_strikes=control.max_strikes,
        max_illegal=control.max_illegal,
        match_ms=control.match_ms,
    )


def entry_of(message: tournament_pb2.TournamentEntry) -> Entry:
    """Return who may enter, and when."""
    return Entry(
        invited=tuple(message.invited),
        bots_per_owner=message.bots_per_owner,
        entrants=message.entrants,
        opens_ms=message.opens_ms if message.HasField("opens_ms") else None,
        closes_ms=message.closes_ms if message.HasField("closes_ms") else None,
    )


def entry_message(entry: Entry) -> tournament_pb2.TournamentEntry:
    """Return the message of who may enter, and when."""
    return tournament_pb2.TournamentEntry(
        invited=entry.invited,
        bots_per_owner=entry.bots_per_owner,
        entrants=entry.entrants,
        opens_ms=entry.opens_ms,
        closes_ms=entry.closes_ms,
    )
