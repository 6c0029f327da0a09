"""Tables by lot: held beside those of the scheduler, they show that who chooses changes no rating (T65)."""

from collections.abc import Iterable, Sequence
from random import Random

from shoal.competition.pool import Candidate, Table, Terms, Turn


def by_lot(pool: Iterable[Candidate], terms: Terms, seed: int) -> Sequence[Table]:
    """Return tables until no further one can be filled: of a size by lot, of bots by lot.

    A bot sits at several tables if it has room for them, and no table has two bots of one owner.
    """
    chance = Random(seed)
    room = {who.bot_id: who.room for who in pool}
    there = {who.bot_id: who for who in pool}
    tables: list[Table] = []
    sizes = list(terms.sizes)
    while sizes and len(tables) < terms.at_most:
        size = chance.choice(sizes)
        free = [who for who in there.values() if room[who.bot_id] > 0 and size in who.seats]
        owners = {who.owner or who.bot_id: who for who in chance.sample(free, len(free))}
        if len(owners) < size:
            sizes.remove(size)
            continue
        bots = tuple(who.bot_id for who in chance.sample(list(owners.values()), size))
        for bot in bots:
            room[bot] -= 1
        tables.append(
            Table(
                bots=bots,
                ruleset=terms.rulesets[0],
                rated=terms.rated,
                first=bots[0],
                turn=Turn.SHARE,
                patient=False,
                company=(),
                sizes_before=0,
            )
        )
    return tables
