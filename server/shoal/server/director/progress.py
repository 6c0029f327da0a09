"""What a finished match makes of its block. No input or output.

A block of a tournament goes on whatever happens, until it is over by the rules of the pure half. On a
ladder nobody waits for anybody: when a bot did not answer, or has left, its table is dissolved, and what
was played of it stays in the ratings of its bots, match by match.
"""

from collections.abc import Collection, Container, Iterable
from dataclasses import replace

from shoal.competition import block as rules
from shoal.competition import plan
from shoal.competition.block import Attempt, Ending, Progress
from shoal.competition.plan import BlockKey, Finished
from shoal.competition.specification import Knockout
from shoal.match.model import LeaveReason, Termination
from shoal.match.outcome import RATED
from shoal.server.director import result
from shoal.server.store.competition_nouns import Block, Competition, Ended, Try

_NOT_THERE = {LeaveReason.NO_SHOW, LeaveReason.RESIGNED}
"""Why a seat did not come to a match that did not begin: it said nothing, or that it does not want to."""

_NOWHERE = BlockKey(0, 0, 0)


def attempt(match: result.Finished, rotation: int) -> Attempt:
    """Return what a match was to its block."""
    if match.termination in RATED:
        return Attempt(rotation, Ending.PLAYED, match.placements)
    if match.termination is Termination.NO_SHOW:
        absent = frozenset(seat for seat, why in enumerate(match.left) if why in _NOT_THERE)
        return Attempt(rotation, Ending.NO_SHOW, absent=absent)
    return Attempt(rotation, Ending.VOID)


def after(block: Block, match: result.Finished) -> Block | Ended:
    """Return a block after its match in play: as it waits for its bots to play on, or as it is over.

    Raises ValueError for a match that cannot be one of it.
    """
    done = Try(match.match_id, attempt(match, block.rotation))
    return _waiting(replace(block, tries=(*block.tries, done), match_id=""))


def without(block: Block, match: result.Finished) -> Block | Ended | None:
    """Return a block in play after a match of it is void after all, None if it is no match of it.

    What is in play goes on, and the rotation of that match is played again after it.
    """
    if all(each.match_id != match.match_id for each in block.tries):
        return None
    tries = tuple(
        replace(each, attempt=attempt(match, each.attempt.rotation))
        if each.match_id == match.match_id
        else each
        for each in block.tries
    )
    after_it = replace(block, tries=tries)
    return after_it if block.match_id else _waiting(after_it)


def voided(block: Block, matches: Collection[str]) -> Block | Ended:
    """Return a block in play of which these matches do not count after all: they are played again."""
    tries = tuple(
        replace(each, attempt=Attempt(each.attempt.rotation, Ending.VOID))
        if each.match_id in matches
        else each
        for each in block.tries
    )
    after_it = replace(block, tries=tries)
    return after_it if block.match_id else _waiting(after_it)


def forfeited(block: Block, gone: Collection[str]) -> Ended:
    """Return a block that ends because these bots of it may not play on: as if they never came again."""
    tries = [each.attempt for each in block.tries if each.attempt.ending is Ending.PLAYED]
    while (so_far := rules.progress(block.bots, tries)).state is rules.State.OPEN:
        rotation = rules.wanted(block.bots, so_far)[0]
        seats = enumerate(rules.seating(block.bots, rotation))
        absent = frozenset(seat for seat, bot in seats if bot in gone)
        tries.append(Attempt(rotation, Ending.NO_SHOW, absent=absent))
    over = plan.finished(_NOWHERE, block.bots, so_far)
    return Ended(replace(block, match_id=""), over.state.value, over.matches)


def _waiting(block: Block) -> Block | Ended:
    """Return a block that has no match in play with its next rotation, or as it is over."""
    so_far = progress(block)
    if so_far.state is rules.State.OPEN:
        return replace(block, rotation=rules.wanted(block.bots, so_far)[0])
    over = plan.finished(_NOWHERE, block.bots, so_far)
    return Ended(block, over.state.value, over.matches)


def counted_blocks(
    found: Competition, ended: Iterable[Ended], uncounted: Container[str]
) -> list[Ended]:
    """Return blocks that are over, with nothing in those that do not count after all, by their keys.

    But for a knock-out: there who came how far follows from who has played whom.
    """
    if isinstance(found.specification.format, Knockout):
        return list(ended)
    return [
        Ended(one.block, rules.State.VOID.value, ()) if one.block.key in uncounted else one
        for one in ended
    ]


def progress(block: Block) -> Progress:
    """Return how far a block is."""
    return rules.progress(block.bots, [each.attempt for each in block.tries])


def dissolved(block: Block) -> Ended:
    """Return a block of which nothing counts as a block any more."""
    return Ended(replace(block, match_id=""), rules.State.VOID.value, ())


def goes_on(block: Block, silent: Collection[str], here: Collection[str]) -> bool:
    """Tell whether a table of a ladder goes on: nobody was silent in its last match, and nobody has left."""
    return not silent and all(bot in here for bot in block.bots)


def finished(ended: Ended) -> Finished:
    """Return a block that is over as the formats want it. Raises ValueError if no plan has made it."""
    number, table, block = map(int, ended.block.key.split("."))
    key = BlockKey(number, table, block)
    return Finished(key, ended.block.bots, rules.State(ended.state), ended.matches)
