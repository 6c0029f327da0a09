"""How the game goes, as short as a person at the table wants to read it."""

from collections.abc import Iterator

from shoal.cli.game.telling import Names
from shoal.engine import Observation, event_name
from shoal.engine.glossary import EVENTS

_GAME = """
Collect points with the cards in your hand and on the table before you. The match goes on in rounds
until somebody has {target} points in all.

Your turn: first take a card. From the deck you see two and keep one, the other goes on a pile; from a
pile you take the card on top. Then you may lay duos from your hand: they score the same in hand, but
laid down they have an effect once, and nobody can steal them.

With {needed} points in cards you may end the round. STOP: everybody scores their cards. LAST CHANCE:
the others have one more turn each, and if then nobody has more in cards than you, you score your
cards and your color bonus (the number of your cards in your most frequent color), and they score
only their color bonus. If somebody has more, you score only your color bonus, and they their cards.

When the deck is empty at the end of a turn, the round is over and nobody scores. Four mermaids win
the match at once.
"""

_EVENT_CARDS = """
An event card changes the rules, for everybody in its round. After the round it goes to whoever alone has
the most points in all, if it hampers, or the fewest, if it helps; for that one it counts on, until others
have the most or the fewest.
"""

COMMANDS = (
    ("1, 2, ...", "choose an option; its text may be typed too"),
    ("r CARD", "what a card does and what it is worth; r alone: all of them"),
    ("w", "what your cards are worth, part by part"),
    ("t", "the table again"),
    ("?", "this"),
    ("q", "leave, as Ctrl-C and Ctrl-D do"),
)
"""What can be typed at the prompt."""


def manual(view: Observation, names: Names) -> list[str]:
    """Return the paragraphs, with the numbers of this match, and the event cards that count now."""
    text = _GAME.format(target=view.target, needed=view.call_points)
    events = [*_events(view, names)]
    if events:
        text += f"\n{_EVENT_CARDS}"
    return [*(" ".join(paragraph.split()) for paragraph in text.split("\n\n")), *events]


def _events(view: Observation, names: Names) -> Iterator[str]:
    """Yield for whom which event card counts now, and what it does."""
    if view.event_card is not None:
        yield f"For everybody: {event_name(view.event_card)}. {EVENTS[view.event_card].text}"
    for player in view.players:
        for card in player.event_cards:
            yield f"For {names[player.seat]}: {event_name(card)}. {EVENTS[card].text}"
