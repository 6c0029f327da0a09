"""Whether those who are to play a tournament can: said before anything is started for it."""

from collections.abc import Sequence

from shoal.competition.occasion import past, unfit
from shoal.competition.specification import Gauntlet, Specification
from shoal.server.cup.bots import BadEntrant, Entrant
from shoal.server.store.keys import is_id, now_ms


def check_fit(specification: Specification, entrants: Sequence[Entrant], *, given: bool) -> None:
    """Raise BadEntrant, with all reasons, when these cannot play it now.

    On a `given` server challengers may also be named by id, of which the server knows more.
    """
    form = specification.format
    bots = {each.name for each in entrants}
    if given and isinstance(form, Gauntlet):
        bots.update(bot for bot in form.challengers if is_id(bot))
    problems = [*past(specification, now_ms()), *unfit(specification, len(entrants), bots)]
    if problems:
        raise BadEntrant("; ".join(map(str, problems)))
