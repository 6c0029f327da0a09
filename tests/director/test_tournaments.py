"""Tournaments on a real Redis and a real director: they come to their end, and every time to the same one."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest

from shoal.competition import tournament
from shoal.competition.plan import Entrant
from shoal.competition.specification import (
    Format,
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Specification,
    Swiss,
    TimeControl,
)
from shoal.competition.standings import Standing
from shoal.match import (
    Asks,
    Entry,
    EntryKind,
    decode_match,
    encode_state,
    outbox_payload,
    step,
)
from shoal.server.director import MAIN, Pairing
from shoal.server.director.progress import finished
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.commits import Commit
from shoal.server.store.competition_nouns import Block, State
from shoal.server.store.competition_texts import specification_json
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim

from .arena import NOTE, QUICK, Arena, until
from .creating import creating
from .reads import audit_of, ended_of, results_of

FORMATS: dict[str, tuple[Format, tuple[int, ...]]] = {
    "round-robin": (RoundRobin(), (2,)),
    "round-robin of three and four": (RoundRobin(), (3, 4)),
    "double round-robin": (RoundRobin(cycles=2), (2,)),
    "gauntlet": (Gauntlet(("first",)), (2,)),
    "swiss": (Swiss(), (2,)),
    "knockout": (Knockout(best_of=3), (2,)),
}


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    return arena


async def tournament_of(
    arena: Arena, bots: Sequence[str], form: Format, seats: Sequence[int] = (2,), **more: object
) -> str:
    """Make a tournament that these bots have entered, in this order, and start it."""
    if isinstance(form, Gauntlet):
        form = replace(form, challengers=(bots[0],))
    specification = replace(Specification("cup", form, seats=tuple(seats)), **more)  # type: ignore[arg-type]
    cup = await arena.make(specification, state=State.OPEN)
    await arena.enter(cup, *(Entrant(bot, f"owner of {bot}") for bot in bots))
    found = await arena.competitions.get(cup)
    await arena.competitions.turn(found, [State.OPEN], State.RUNNING, NOTE)
    return cup


async def witness(arena: Arena) -> None:
    """Return when the director has looked at what there is, and nothing of it has begun.

    A younger tournament begins, and what could begin in older ones would have begun before it.
    """
    younger = await tournament_of(arena, await arena.arrive("y", "z", joined=False), RoundRobin())
    assert (await arena.next_match()).competition_id == younger


async def play(arena: Arena, strength: Sequence[str]) -> None:
    """End every match that is created, for ever: the earlier in `strength`, the better."""
    while True:
        match = await arena.created.get()
        await finish(arena, match, strength)


async def finish(arena: Arena, match: Pairing, strength: Sequence[str]) -> None:
    order = sorted(match.bots, key=strength.index)
    await arena.finish(match, placements=[order.index(bot) + 1 for bot in match.bots])


async def is_over(arena: Arena, cup: str) -> None:
    """Wait until a tournament is finished, and nobody looks at it any more.

    It may take as long as it likes, so long as another result is counted each time before patience ends.
    """
    while await is_looked_at(arena, cup):
        (counted,) = await arena.competitions.sizes([cup])
        await until(partial(goes_on, arena, cup, counted))


async def is_looked_at(arena: Arena, cup: str) -> bool:
    return cup in {each.competition_id for each in await arena.competitions.active()}


async def goes_on(arena: Arena, cup: str, counted: int) -> bool:
    return await arena.competitions.sizes([cup]) != [counted] or not await is_looked_at(arena, cup)


async def ranking(arena: Arena, cup: str) -> tuple[Standing, ...]:
    found = await arena.competitions.get(cup)
    ended = (await ended_of(arena.competitions, cup)).values()
    entrants = await arena.competitions.entrants(cup)
    return tournament.ranking(found.specification, entrants, map(finished, ended))


async def to_the_end(arena: Arena, cup: str, strength: Sequence[str]) -> tuple[Standing, ...]:
    """Play a tournament without any disturbance, and return its final standings."""
    async with arena.directing():
        playing = asyncio.create_task(play(arena, strength))
        await is_over(arena, cup)
        playing.cancel()
    return await ranking(arena, cup)


@pytest.mark.parametrize("name", FORMATS)
async def test_every_format_comes_to_its_end(arena: Arena, name: str) -> None:
    """By itself, with the best bot first, every match counted once and no bot in two at once."""
    form, seats = FORMATS[name]
    bots = await arena.arrive(*"abcde", joined=False)
    cup = await tournament_of(arena, bots, form, seats)
    lines = await to_the_end(arena, cup, bots)
    assert lines[0].bot_id == bots[0]
    assert len(lines) == 5
    ended = await ended_of(arena.competitions, cup)
    assert {each.state for each in ended.values()} == {"complete"}
    played = [each.match_id for one in ended.values() for each in one.block.tries]
    assert len(played) == len(set(played)) == len(await results_of(arena.competitions, cup))
    assert await arena.competitions.blocks(cup) == {}
    found = await arena.competitions.get(cup)
    assert (found.state, found.ended) == (State.FINISHED, "all has been played")


async def test_of_two_directors_only_one_starts_a_match(arena: Arena) -> None:
    """If two run at once, each match of a block is created once, and no block twice (T76)."""
    bots = await arena.arrive(*"abcdef", joined=False, room=3)
    cup = await tournament_of(arena, bots, RoundRobin())
    async with arena.directing(), arena.directing():
        playing = asyncio.create_task(play(arena, bots))
        await is_over(arena, cup)
        playing.cancel()
    pairs = Counter(
        frozenset(one.block.bots) for one in (await ended_of(arena.competitions, cup)).values()
    )
    assert len(pairs) == 15
    assert set(pairs.values()) == {1}
    assert len(await results_of(arena.competitions, cup)) == 30
    assert (
        sum(line.matches for line in (await arena.competitions.roster(cup)).scores.values()) == 60
    )


async def test_a_bots_limit_holds_over_all_competitions(arena: Arena) -> None:
    """If bots are in two tournaments and a ladder, they never have more matches than they take (T77)."""
    bots = await arena.arrive(*"abcd", room=2, seats=(2,))
    cups = [await tournament_of(arena, bots, RoundRobin()) for _ in range(2)]
    playing: dict[str, Pairing] = {}
    most: Counter[str] = Counter()

    async def play_slowly() -> None:
        while True:
            match = await arena.created.get()
            playing[match.match_id] = match
            at_once = Counter(bot for each in playing.values() for bot in each.bots)
            for bot, number in at_once.items():
                most[bot] = max(most[bot], number)
            if len(playing) >= 3 or arena.created.empty():
                oldest = next(iter(playing))
                await finish(arena, playing.pop(oldest), bots)

    async with arena.directing():
        task = asyncio.create_task(play_slowly())
        for cup in cups:
            await is_over(arena, cup)
        task.cancel()
    assert max(most.values()) <= 2
    assert [len(await results_of(arena.competitions, cup)) for cup in cups] == [12, 12]


async def test_a_ladder_leaves_a_place_to_a_tournament(arena: Arena) -> None:
    """If two are to meet in a tournament and are busy on a ladder, they are free together in the end."""
    bots = await arena.arrive(*"abcd", seats=(2,))
    async with arena.directing():
        first, second = await arena.next_match(), await arena.next_match()
        apart = [first.bots[0], second.bots[0]]
        cup = await tournament_of(arena, apart, RoundRobin())
        playing = asyncio.create_task(play(arena, bots))
        await finish(arena, first, bots)
        await finish(arena, second, bots)
        await is_over(arena, cup)
        playing.cancel()


async def test_a_match_that_is_void_is_played_again(arena: Arena) -> None:
    """In the same rotation, and only what was played counts."""
    bots = await arena.arrive("a", "b", joined=False)
    cup = await tournament_of(arena, bots, RoundRobin())
    async with arena.directing():
        first = await arena.next_match()
        await arena.finish(first, termination="void", placements=[0, 0])
        again = await arena.next_match()
        assert again.bots == first.bots
        assert again.match_id != first.match_id
        playing = asyncio.create_task(play(arena, bots))
        await finish(arena, again, bots)
        await is_over(arena, cup)
        playing.cancel()
    assert [line.score.points for line in await ranking(arena, cup)] == [2, 0]


async def test_a_match_that_the_store_has_lost_is_played_again(arena: Arena) -> None:
    """If a failover loses a match in play, its block does not wait for ever (T74)."""
    bots = await arena.arrive("a", "b", joined=False)
    cup = await tournament_of(arena, bots, RoundRobin())
    async with arena.directing(settings=replace(QUICK, check=0.05)):
        first = await arena.next_match()
        await arena.pipe.command("DEL", keys.match(first.match_id))
        again = await arena.next_match()
        assert (again.bots, await arena.stores.bots.live_matches(bots[0])) == (
            first.bots,
            [again.match_id],
        )
        playing = asyncio.create_task(play(arena, bots))
        await finish(arena, again, bots)
        await is_over(arena, cup)
        playing.cancel()
    (ended,) = (await ended_of(arena.competitions, cup)).values()
    assert [each.attempt.ending.value for each in ended.block.tries] == ["void", "played", "played"]


async def test_a_result_that_the_store_has_lost_is_counted_from_the_match(arena: Arena) -> None:
    """If a match has ended and its outbox has not heard of it, that is noticed, and its block goes on."""
    bots = [keys.new_id(), keys.new_id()]
    for bot_id in bots:
        await arena.stores.bots.register(bot_id, bot_id, "owner")
        await arena.stores.presences.claim(Claim(bot_id, "p", 1, ("base",), (2,)), 600_000)
    create, created = creating(arena)

    cup = await tournament_of(arena, bots, RoundRobin())
    async with arena.directing(create):
        first = await created.get()
    await abort(arena, first.match_id)
    assert await arena.pipe.command("DEL", keys.OUTBOX[keys.partition_of(first.match_id)])
    while not created.empty():
        created.get_nowait()
    async with arena.directing(create, settings=replace(QUICK, check=0.05)):
        async with asyncio.timeout(10):
            while (again := await created.get()).match_id == first.match_id:
                pass  # what was reserved is created once more by the successor
    assert again.bots == first.bots
    assert first.match_id in await results_of(arena.competitions, cup)


async def abort(arena: Arena, match_id: str) -> None:
    """End a match as an organizer does."""
    stored = await arena.matches.load(match_id)
    assert stored is not None
    match = decode_match(stored.meta, stored.secret, stored.state)
    entry = Entry(EntryKind.ABORT)
    step(match, entry)
    await arena.matches.submit_commit(
        Commit(
            match_id=match_id,
            rev=stored.rev,
            version=stored.version,
            prefix=entry.prefix(),
            state=encode_state(match),
            status="finished",
            asks=Asks.NONE,
            payload=outbox_payload(match),
            received=time.monotonic(),
        )
    )


async def test_who_does_not_come_lets_the_others_go_on_and_forfeits(arena: Arena) -> None:
    """If a bot never comes, its tables' others are free meanwhile, and it loses in the end (T70)."""
    bots = await arena.arrive("a", "b", joined=False)
    absent = keys.new_id()
    cup = await tournament_of(arena, [*bots, absent], RoundRobin())
    settings = replace(QUICK, absence=0.1, cool_off=0.05)

    async def play_without() -> None:
        while True:
            match = await arena.created.get()
            if absent in match.bots:
                left = ["no_show" if bot == absent else "" for bot in match.bots]
                await arena.finish(match, termination="no_show", placements=[0, 0], left=left)
            else:
                await finish(arena, match, bots)

    async with arena.directing(settings=settings):
        playing = asyncio.create_task(play_without())
        await is_over(arena, cup)
        playing.cancel()
    states = Counter(each.state for each in (await ended_of(arena.competitions, cup)).values())
    assert states == {"complete": 1, "forfeit": 2}
    assert [line.bot_id for line in await ranking(arena, cup)] == [*bots, absent]
    assert absent not in (await arena.competitions.roster(cup)).scores


async def test_a_bot_that_is_away_for_a_while_is_waited_for(arena: Arena) -> None:
    """If a bot comes late, its blocks wait for it, and nothing is forfeited."""
    (there,) = await arena.arrive("a", joined=False)
    late = keys.new_id()
    cup = await tournament_of(arena, [there, late], RoundRobin())
    async with arena.directing():
        await witness(arena)
        await arena.stores.presences.claim(Claim(late, "p", 1, ("base",), (2,)), 600_000)
        assert set((await arena.next_match()).bots) == {there, late}
    assert len(await arena.competitions.blocks(cup)) == 1


async def test_a_bot_that_does_not_offer_what_is_played_is_waited_for(arena: Arena) -> None:
    """As if it were away: for a while no match is made that it could not play, then it is."""
    bots = await arena.arrive("a", "b", joined=False)
    await tournament_of(arena, bots, RoundRobin(), rulesets=("salt",))
    async with arena.directing():
        await witness(arena)
    async with arena.directing(settings=replace(QUICK, absence=0.1)):
        assert (await arena.next_match()).ruleset == "salt"


@pytest.mark.parametrize("form", [RoundRobin(), Ladder(trial=False)], ids=["tournament", "ladder"])
async def test_nothing_begins_when_the_time_is_over(arena: Arena, form: Format) -> None:
    """If a competition's time has come and gone while no director ran, it is over without any match."""
    bots = await arena.arrive(*"abc", joined=False)
    late = Specification("late", form, seats=(2,), starts_ms=1, ends_ms=2)
    cup = await arena.make(late, "late" if isinstance(form, Ladder) else "", State.OPEN)
    await arena.enter(cup, *(Entrant(bot) for bot in bots))
    async with arena.directing():
        playing = asyncio.create_task(play(arena, bots))
        await is_over(arena, cup)
        playing.cancel()
    assert arena.calls == {}
    assert (await arena.competitions.get(cup)).ended == "its time is over"
    notes = [(note.action, note.why) for note in await audit_of(arena.competitions, cup)]
    assert ("finished", "its time is over") in notes


async def test_what_is_in_play_when_the_time_is_over_is_played_to_its_end(arena: Arena) -> None:
    """The block that has begun, and no other."""
    bots = await arena.arrive(*"abc", joined=False)
    cup = await tournament_of(arena, bots, RoundRobin())
    async with arena.directing():
        first = await arena.next_match()
    found = await arena.competitions.get(cup)
    late = specification_json(replace(found.specification, ends_ms=1))
    await arena.pipe.command("HSET", keys.competition(cup), "spec", late)
    await finish(arena, first, bots)
    async with arena.directing():
        playing = asyncio.create_task(play(arena, bots))
        await is_over(arena, cup)
        playing.cancel()
    (ended,) = (await ended_of(arena.competitions, cup)).values()
    assert (set(ended.block.bots), ended.state) == (set(first.bots), "complete")


async def test_who_has_nobody_to_play_is_told_so(arena: Arena) -> None:
    """If one bot has entered when the time comes, that is why the tournament is over."""
    bots = await arena.arrive("a", joined=False)
    cup = await arena.make(Specification("cup", RoundRobin(), starts_ms=1), state=State.OPEN)
    await arena.enter(cup, Entrant(bots[0]))
    async with arena.directing():
        await is_over(arena, cup)
    found = await arena.competitions.get(cup)
    assert found.ended == "nobody has anybody to play: 1 have entered"


async def test_a_pause_lets_matches_end_and_a_return_goes_on(arena: Arena) -> None:
    """If a tournament is paused, its match in play counts, and the block waits where it is."""
    bots = await arena.arrive("a", "b", joined=False)
    cup = await tournament_of(arena, bots, RoundRobin())
    async with arena.directing():
        first = await arena.next_match()
        found = await arena.competitions.get(cup)
        await arena.competitions.turn(found, [State.RUNNING], State.PAUSED, NOTE)
        await finish(arena, first, bots)

        async def waits() -> bool:
            (block,) = (await arena.competitions.blocks(cup)).values()
            return len(block.tries) == 1

        await until(waits)
        await witness(arena)
        (block,) = (await arena.competitions.blocks(cup)).values()
        assert (len(block.tries), block.match_id) == (1, "")
        found = await arena.competitions.get(cup)
        await arena.competitions.turn(found, [State.PAUSED], State.RUNNING, NOTE)
        assert (await arena.next_match()).bots == first.bots[::-1]


async def test_what_is_called_off_ends_with_its_matches(arena: Arena) -> None:
    """If a tournament is called off, nothing follows, and its open blocks count for nothing."""
    bots = await arena.arrive("a", "b", joined=False)
    cup = await tournament_of(arena, bots, RoundRobin())
    async with arena.directing():
        match = await arena.next_match()
        found = await arena.competitions.get(cup)
        await arena.competitions.turn(found, [State.RUNNING], State.FINISHED, NOTE, ended="rain")
        await finish(arena, match, bots)
        await is_over(arena, cup)
    (ended,) = (await ended_of(arena.competitions, cup)).values()
    assert ended.state == "void"
    assert (await arena.competitions.get(cup)).ended == "rain"
    assert (await arena.competitions.get(cup)).rated == 1


async def test_matches_have_the_time_control_and_ruleset_of_their_tournament(arena: Arena) -> None:
    """What the specification says is what is created."""
    bots = await arena.arrive("a", "b", joined=False)
    control = TimeControl(move_ms=500, bank_ms=1000)
    await tournament_of(
        arena, bots, RoundRobin(), time_control=control, rulesets=("salt",), rated=False
    )
    async with arena.directing(settings=replace(QUICK, absence=0)):
        match = await arena.next_match()
    assert (match.time_control, match.ruleset, match.rated) == (control, "salt", False)


async def test_a_bot_that_is_away_sits_in_one_match_at_a_time(arena: Arena) -> None:
    """However many tournaments have waited for it: it may come back, and takes one match at a time (T77)."""
    away = keys.new_id()
    others = await arena.arrive("a", "b", joined=False)
    cups = [await tournament_of(arena, [away, other], RoundRobin()) for other in others]
    async with arena.directing(settings=replace(QUICK, absence=0.1, cool_off=0.05)):
        first = await arena.next_match()
        await witness(arena)
        assert await arena.stores.bots.live_matches(away) == [first.match_id]
        left = ["no_show" if bot == away else "" for bot in first.bots]
        await arena.finish(first, termination="no_show", placements=[0, 0], left=left)
        await arena.next_match()
        await witness(arena)
        assert len(await arena.stores.bots.live_matches(away)) == 1
    assert first.competition_id in cups


async def test_a_forced_block_of_who_has_withdrawn_does_not_begin(arena: Arena) -> None:
    """If it waits for places when one of its bots withdraws, it is due no more, and is taken back."""
    bots = await arena.arrive(*"abcd", joined=False)
    cup = await tournament_of(arena, bots, RoundRobin())
    async with arena.directing():
        first = [await arena.next_match(), await arena.next_match()]
        entrants = await arena.competitions.entrants(cup)
        found = await arena.competitions.get(cup)
        tables = [set(match.bots) for match in first]
        due = tournament.due(found.specification, entrants, ())
        wanted = next(each for each in due if set(each.bots) not in tables)
        block = Block(str(wanted.key), wanted.bots, wanted.ruleset, wanted.rated)
        await arena.competitions.force(found, block, NOTE)
        gone = next(each for each in entrants if each.bot_id == wanted.bots[0])
        found = await arena.competitions.get(cup)
        await arena.competitions.put_entrant(found, replace(gone, gone_from=0), NOTE)
        playing = asyncio.create_task(play(arena, bots))
        for match in first:
            await finish(arena, match, bots)
        await is_over(arena, cup)
        playing.cancel()
    ended = (await ended_of(arena.competitions, cup)).values()
    assert wanted.key not in [finished(each).key for each in ended]
    assert not (await arena.competitions.get(cup)).forced
