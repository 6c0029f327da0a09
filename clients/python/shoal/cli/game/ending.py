"""How a round and a match ended: everybody's cards, points and why."""

from collections.abc import Sequence

from shoal.cli.game.screen import Screen
from shoal.cli.game.telling import Names, groups, listing
from shoal.cli.game.worth import reasons, rules_for
from shoal.engine import (
    Card,
    Ending,
    Event,
    HandRevealed,
    Observation,
    Result,
    RoundEnded,
    RoundEnding,
)


def show_round_end(
    screen: Screen, ended: RoundEnded, events: Sequence[Event], before: Observation, names: Names
) -> None:
    """Write how a round ended; `before` is the view before the events that ended it."""
    screen.heading(f"Round {ended.round} is over")
    screen.line(_how(ended, names))
    screen.blank()
    if ended.card_points is None or ended.color_bonus is None:
        rows = [[names[seat], str(total)] for seat, total in enumerate(ended.totals)]
        screen.rows(rows, right={1}, header=["", "total"])
        return
    with_bonus = ended.ending is RoundEnding.LAST_CHANCE
    rows = []
    for seat, points in enumerate(ended.card_points):
        bonus = [str(ended.color_bonus[seat])] if with_bonus else []
        gained, total = ended.round_points[seat], ended.totals[seat]
        rows.append([names[seat], str(points), *bonus, f"+{gained}", str(total), ""])
    header = ["", "cards", *(["colors"] if with_bonus else []), "round", "total", ""]
    screen.rows(rows, right=set(range(1, len(header))), header=header)
    hands = {event.seat: event.hand for event in events if isinstance(event, HandRevealed)}
    for seat in range(len(names)):
        screen.blank()
        _show_cards(screen, seat, hands.get(seat), before, names)


def _how(ended: RoundEnded, names: Names) -> str:
    """Return what ended a round, and what follows for the points."""
    if ended.caller is None:
        return "The deck is empty: nobody scores, and nobody shows a hand."
    caller = names[ended.caller].capitalize() if ended.caller == names.me else names[ended.caller]
    if ended.ending is RoundEnding.STOP:
        return f"{caller} called STOP: everybody scores their cards."
    their = "your" if ended.caller == names.me else "its"
    if ended.bet_won:
        return (
            f"{caller} called LAST CHANCE and won the bet, for nobody has more in cards:"
            f" {names[ended.caller]} {names.does(ended.caller, 'scores')} {their} cards and colors,"
            " all others only their colors."
        )
    return (
        f"{caller} called LAST CHANCE and lost the bet, for somebody has more in cards:"
        f" {names[ended.caller]} {names.does(ended.caller, 'scores')} only {their} colors, all others"
        " their cards."
    )


def _show_cards(
    screen: Screen, seat: int, hand: Sequence[Card] | None, before: Observation, names: Names
) -> None:
    """Write the cards of a seat at the end of a round, and why they are worth what they are."""
    player = before.players[seat]
    cards = player.revealed_hand or () if hand is None else hand
    why = reasons(cards, player.table, rules_for(before, seat))
    screen.rows(
        [
            [names[seat], "table", groups(player.table)],
            ["", "hand", listing(cards)],
            ["", "worth", why or "nothing"],
        ]
    )


def show_result(screen: Screen, result: Result, names: Names) -> None:
    """Write the standings."""
    screen.heading("The match is over")
    winners = " and ".join(names[seat] for seat in result.winners)
    how = {
        Ending.TARGET: "with the most points",
        Ending.MERMAIDS: "with mermaids",
        Ending.LAST_SEAT: "as the last one at the table",
    }[result.ending]
    verb = names.does(result.winners[0], "wins") if len(result.winners) == 1 else "win"
    screen.line(f"{winners[0].upper()}{winners[1:]} {verb} {how}.")
    screen.blank()
    seats = sorted(range(len(names)), key=lambda seat: result.ranks[seat])
    rows = [[f"{result.ranks[seat]}.", names[seat], str(result.totals[seat])] for seat in seats]
    screen.rows(rows, right={2}, header=["", "", "total"])
