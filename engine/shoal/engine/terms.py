"""What applies to one seat right now, as data: `state.terms[seat]`.

Every rule that a card or an event could change for one seat is a field of its terms, so that asking
is reading, and nothing else needs to know what changed it.
"""

from dataclasses import dataclass
from functools import cache

from shoal.engine.counts import mermaid_count
from shoal.engine.moves import LastChance, Move, Stop
from shoal.engine.ruleset import Ruleset
from shoal.engine.worth import Worth, worth_under


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What one seat may do and what its cards are worth.

    `calls` are the ways to end the round (rules 3.4), open to it from `call_points` card points on.
    `winning_mermaids` are as many mermaids as win the match (rules 6), in the form of counts.
    """

    calls: tuple[Move, ...]
    call_points: int
    winning_mermaids: int
    worth: Worth


@cache
def terms_under(rules: Ruleset) -> Terms:
    """Return the terms of a ruleset, made once."""
    return Terms(
        calls=(Stop(), LastChance()),
        call_points=rules.call_points,
        winning_mermaids=mermaid_count(rules.mermaids_to_win),
        worth=worth_under(rules),
    )
