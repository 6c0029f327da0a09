"""Matches and positions as lines for people."""

from collections.abc import Iterable, Iterator

from shoal.cli.ending import left_words
from shoal.client import pb
from shoal.client.cards import card_name
from shoal.competition.validation import MOVE_MS


def status_name(match: pb.Match) -> str:
    """Return where a match stands, and how it ended."""
    if match.status == pb.MATCH_STATUS_FINISHED:
        ending = pb.Termination.Name(match.result.termination).removeprefix("TERMINATION_")
        taken_back = match.unrated_reason == pb.UNRATED_REASON_TAKEN_BACK
        more = "; does not count" if taken_back else ""
        return f"finished ({ending.lower().replace('_', ' ')}{more})"
    return pb.MatchStatus.Name(match.status).removeprefix("MATCH_STATUS_").lower()


def rated_text(match: pb.Match) -> str:
    """Return whether the result counts for ratings, and if not why."""
    match match.unrated_reason:
        case pb.UNRATED_REASON_CASUAL:
            return "no: it belongs to no ladder and no tournament"
        case pb.UNRATED_REASON_COMPETITION:
            return "no: nothing in its competition is rated"
        case pb.UNRATED_REASON_ONE_OWNER:
            return "no: two of its bots are of one owner"
        case pb.UNRATED_REASON_NOT_PLAYED:
            return "no: nothing was decided"
        case pb.UNRATED_REASON_TAKEN_BACK:
            return "no: an organizer has decided that it does not count"
        case _:
            return "yes" if match.rated else "no"


def clock_text(clock: pb.TimeControl) -> str:
    """Return how long a seat may think; a ladder that was given no time has the server's."""
    bank = f", {_seconds(clock.bank_ms)} beyond that in the match" if clock.bank_ms else ""
    more = f", {_seconds(clock.increment_ms)} more with each move" if clock.increment_ms else ""
    usual = "" if clock.move_ms else " (the default)"
    return f"{_seconds(clock.move_ms or MOVE_MS)} for a decision{usual}{bank}{more}"


def placements(match: pb.Match) -> list[str]:
    """Return the bots by seat, with place and points once the match is over."""
    results = {line.seat: line for line in match.result.seats}
    return [_seat(seat, results.get(seat.seat)) for seat in match.seats]


def adjusted_text(match: pb.Match) -> str:
    """Return by seat what is left of the win without luck; "" where that is not known."""
    if not match.HasField("adjusted"):
        return ""
    shares = zip(match.seats, match.adjusted.shares, strict=True)
    return ", ".join(f"{seat.bot_name} {share:+.3f}" for seat, share in shares)


def present_lines(present: pb.SpectateMatchResponse) -> Iterator[str]:
    """Yield where a running match stands, as spectators may know it, and whom it waits for."""
    yield from position_lines(present.observation)
    if present.observation.HasField("pending_seat"):
        left = _seconds(present.remaining_ms)
        yield f"seat {present.observation.pending_seat} decides, and has {left} left"


def position_lines(observation: pb.Observation) -> Iterator[str]:
    """Yield a position as a spectator may know it."""
    yield f"round {observation.round}, to {observation.target} points"
    yield f"deck {observation.deck_size}"
    for number, pile in enumerate(observation.piles):
        top = f", top {card_name(pile.top)}" if pile.size else ""
        yield f"pile {number}: {pile.size}{top}"
    for seat, player in enumerate(observation.seats):
        turn = "*" if seat == observation.active_seat else " "
        table = "; ".join(_names(group.cards) for group in player.table) or "nothing"
        yield f"{turn} seat {seat}: {player.total} points, {player.hand_size} in hand, table: {table}"
        if player.hand_revealed:
            yield f"    hand: {_names(player.revealed_hand) or 'nothing'}"


def _seat(seat: pb.Seat, result: pb.SeatResult | None) -> str:
    if result is None:
        return seat.bot_name
    said = [f"place {result.placement}, {result.total} points"] if result.placement else []
    if result.HasField("left"):
        reason = pb.LeaveReason.Name(result.left).removeprefix("LEAVE_REASON_")
        said.append(left_words(reason.lower()))
    return f"{seat.bot_name} ({', '.join(said)})" if said else seat.bot_name


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:g} s"


def _names(cards: Iterable[pb.Card]) -> str:
    return " + ".join(card_name(card) for card in cards)
