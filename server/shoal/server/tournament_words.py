"""How it is said why a tournament has a table, and what a bot of it waits for."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, assert_never, final

from shoal.competition.bracket import slots
from shoal.competition.explanation import Explanation, many
from shoal.competition.plan import Entrant
from shoal.competition.specification import (
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Specification,
    Swiss,
)
from shoal.server.standstill import because, state_of
from shoal.server.store.competition_nouns import Block, Competition, State
from shoal.server.store.presence import Presence

SHOWN: Final = 3
"""Of so many blocks it is said what they wait for; the others wait for the like."""


@final
class Seen(NamedTuple):
    """What is known of a tournament, as far as a caller may know it.

    `there` are those that are connected; `stands` says why no block begins, `excluded` why a bot is excluded,
    "" where nobody said so, or the caller may not know.
    """

    found: Competition
    entrants: Sequence[Entrant]
    there: Mapping[str, Presence]
    stands: str
    excluded: Mapping[str, str]


def why_table(block: Block, found: Competition, entrants: Sequence[Entrant]) -> Explanation:
    """Return why there is this table: by the format, or because an organizer has asked for it."""
    sentences = [*block.why, _by_format(block, found.specification, entrants)]
    if block.match_id:
        sentences.append(
            f"Of its {len(block.bots)} matches, rotation {block.rotation} is in play: {block.match_id}."
        )
    return Explanation(block.bots, tuple(sentences), block.numbers)


def _by_format(block: Block, specification: Specification, entrants: Sequence[Entrant]) -> str:
    """Return why the format has this block, by its key."""
    round_number = _key(block)[0]
    where, form = f"Block {block.key}", specification.format
    match form:
        case RoundRobin():
            return f"{where}: everybody meets everybody, in round {round_number + 1} of the schedule these."
        case Gauntlet():
            challengers = [bot for bot in block.bots if bot in form.challengers]
            who = ", ".join(challengers)
            return f"{where}: each challenger meets everybody who is none; here it is {who}."
        case Swiss():
            return f"{where}: they were paired in round {round_number + 1}, by their scores then."
        case Knockout():
            return f"{where}: {_tie(block, form, entrants)}."
        case Ladder():
            raise TypeError("a ladder is no tournament")
        case _:
            assert_never(form)


def _tie(block: Block, form: Knockout, entrants: Sequence[Entrant]) -> str:
    """Return which tie of the bracket a block is of, and of which seeds."""
    round_number, table, number = _key(block)
    which = f"tie {table + 1} of round {round_number + 1}"
    if 2 ** (round_number + 1) == len(slots(len(entrants))):
        which = "the final" if table == 0 else "the tie for the third place"
    seeds = {one.bot_id: place + 1 for place, one in enumerate(entrants)}
    who = " and ".join(f"seed {seeds[bot]}" for bot in block.bots if bot in seeds)
    return (
        f"{which}, between {who}; it is block {number + 1}, and {form.best_of // 2 + 1} won decide"
    )


def _key(block: Block) -> tuple[int, int, int]:
    """Return round, table and number of a block, from 0."""
    round_number, table, number = map(int, block.key.split("."))
    return round_number, table, number


def what_it_waits_for(bot: str, blocks: Sequence[Block], seen: Seen) -> Explanation:
    """Return what a bot plays now, and what each of its other blocks waits for."""
    playing = [block for block in blocks if block.match_id]
    waiting = [block for block in blocks if not block.match_id]
    sentences = [
        f"{bot} plays block {block.key} with {_others(block.bots, bot)}, rotation {block.rotation}, in "
        f"match {block.match_id}."
        for block in playing
    ]
    there = seen.there
    if bye := _bye(bot, seen.found.specification, seen.entrants):
        sentences.append(bye)
    return Explanation(
        bots=(bot,),
        sentences=(*sentences, *_waits(bot, waiting, seen)),
        numbers={
            "present": float(bot in there),
            "playing": len(playing),
            "waiting": len(waiting),
            "live_matches": there[bot].live_count if bot in there else 0,
            "takes_at_once": there[bot].max_matches if bot in there else 0,
        },
    )


def _bye(bot: str, specification: Specification, entrants: Sequence[Entrant]) -> str:
    """Return that a bot has nobody to play in the first round of a knock-out; "" if that is not so."""
    if not isinstance(specification.format, Knockout):
        return ""
    seed = next(place for place, one in enumerate(entrants) if one.bot_id == bot)
    if len(slots(len(entrants))) - 1 - seed < len(entrants):  # its neighbor in the bracket is there
        return ""
    return f"{bot} has the bye in round 1: byes fall to the best seeds, and it is seed {seed + 1}."


def _waits(bot: str, waiting: Sequence[Block], seen: Seen) -> Iterator[str]:
    found, there = seen.found, seen.there
    if bot in found.rulings.excluded:
        why = because(seen.excluded.get(bot, ""))
        yield f"{bot} is excluded by the organizer, and not paired{why}."
    elif found.state is not State.RUNNING:
        yield f"The tournament is {state_of(found)}: no block begins{because(seen.stands)}."
    elif not waiting:
        yield f"Nothing else of {bot} can begin now: it has played, or its next opponent is not known."
    elif bot not in there:
        yield (
            f"{bot} is not connected. What waits for it: {many(len(waiting), 'block')}. When it has been "
            "away for a minute, they begin without it, and are forfeited."
        )
    else:
        for block in waiting[:SHOWN]:
            yield _why_it_waits(block, bot, there)
        if len(waiting) > SHOWN:
            yield f"So it is with {many(len(waiting) - SHOWN, 'further block')} of it."


def _why_it_waits(block: Block, bot: str, there: Mapping[str, Presence]) -> str:
    """Return what a block of a bot that is there waits for: what takes longest to pass first."""
    unable = [each for each in block.bots if each in there and not _offers(there[each], block)]
    away = [each for each in block.bots if each not in there]
    full = [each for each in block.bots if each in there and _is_full(there[each])]
    if unable:
        return (
            f"Block {block.key} plays {block.ruleset} with {len(block.bots)} seats, which "
            f"{', '.join(unable)} does not offer to play."
        )
    if away:
        return (
            f"Block {block.key} waits for {', '.join(away)}: not connected. It begins without it after a "
            "minute, and is forfeited."
        )
    if full:
        each = there[full[0]]
        return (
            f"Block {block.key} waits for {', '.join(full)}: {full[0]} plays {each.live_count} of the "
            f"{many(each.max_matches, 'table')} that it takes at once, over all competitions."
        )
    return (
        f"Block {block.key} with {_others(block.bots, bot)} waits for nobody: the director, if one runs, "
        "begins it within seconds, but for some seconds leaves alone who did not come to its last match."
    )


def _offers(there: Presence, block: Block) -> bool:
    return block.ruleset in there.rulesets and len(block.bots) in there.seats


def _is_full(there: Presence) -> bool:
    return there.live_count >= there.max_matches


def _others(bots: Sequence[str], bot: str) -> str:
    return ", ".join(other for other in bots if other != bot)
