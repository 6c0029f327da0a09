"""The position as its seat sees it: the table, the hand, and what it is worth."""

from shoal.cli.game.screen import Screen
from shoal.cli.game.telling import Names, groups, listing
from shoal.cli.game.worth import color_of_bonus, parts, reasons, rules_for
from shoal.engine import EventCard, Observation, PileView, card_name, event_name
from shoal.engine.glossary import EVENTS


def show_table(screen: Screen, view: Observation, names: Names) -> None:
    """Write what everybody sees: deck and piles, and every seat's points and cards on the table."""
    screen.rows(
        [
            ["deck", _count(view.deck_size)],
            *([f"pile {number}", _pile(pile)] for number, pile in enumerate(view.piles)),
            *(["event", _event(card)] for card in [view.event_card] if card is not None),
        ]
    )
    screen.blank()
    rows = []
    for player in view.players:
        name = names[player.seat]
        hand = "" if player.revealed_hand is None else f" - shows {listing(player.revealed_hand)}"
        state = " - has left" if player.left else ""
        state += " - safe behind a shell" if player.shielded else ""
        state += " - loses a turn" if player.stung else ""
        state += "".join(f" - event {event_name(card)}" for card in player.event_cards)
        cells = [name, str(player.total), str(player.hand_size)]
        rows.append([*cells, f"{groups(player.table)}{hand}{state}"])
    screen.rows(rows, right={1, 2}, header=["", "total", "hand", "on the table"])
    screen.blank()


def show_hand(screen: Screen, view: Observation) -> None:
    """Write the own hand and its worth."""
    screen.rows([["your hand", listing(view.hand)], ["worth", _worth(view)]])


def _worth(view: Observation) -> str:
    """Return what the own cards are worth, what for, and what ending the round takes."""
    assert view.seat is not None
    table = view.players[view.seat].table
    why = reasons(view.hand, table, rules_for(view, view.seat))
    return f"{_call(view)}: {why}" if why else _call(view)


def show_worth(screen: Screen, view: Observation) -> None:
    """Write the parts of the worth one by one, and what a won bet would add."""
    assert view.seat is not None
    table = view.players[view.seat].table
    rules = rules_for(view, view.seat)
    rows = [[part.name, str(part.points), part.why] for part in parts(view.hand, table, rules)]
    rows.append(["together", str(view.points), f"{view.call_points} are needed to end the round"])
    color = color_of_bonus(view.hand, table)
    why = f"for {color}, which only LAST CHANCE pays" if color else ""
    rows.append(["color bonus", str(view.color_bonus), why])
    screen.rows(rows, right={1})


def _call(view: Observation) -> str:
    """Return the own points, and whether they are enough to end the round."""
    if view.caller is not None:
        return f"{view.points}"
    assert view.points is not None
    assert view.call_points is not None
    if view.points < view.call_points:
        return f"{view.points} of the {view.call_points} needed to end the round"
    return f"{view.points}, enough to end the round"


def _event(card: EventCard) -> str:
    """Return what an event card does."""
    return f"{event_name(card)}: {EVENTS[card].text}"


def _pile(pile: PileView) -> str:
    """Return what a pile shows."""
    if pile.top is None:
        return "empty"
    return f"{card_name(pile.top)} on top, {_count(pile.size)}"


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"
