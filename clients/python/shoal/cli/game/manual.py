"""How the game goes, as short as a person at the table wants to read it."""

from shoal.engine import Observation

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

COMMANDS = (
    ("1, 2, ...", "choose an option; its text may be typed too"),
    ("r CARD", "what a card does and what it is worth; r alone: all of them"),
    ("w", "what your cards are worth, part by part"),
    ("t", "the table again"),
    ("?", "this"),
    ("q", "leave, as Ctrl-C and Ctrl-D do"),
)
"""What can be typed at the prompt."""


def manual(view: Observation) -> list[str]:
    """Return the paragraphs, with the numbers of this match."""
    text = _GAME.format(target=view.target, needed=view.call_points)
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
