"""What organizers do with competitions that run, and what directors make of it."""

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from shoal.competition.plan import Entrant
from shoal.competition.rulings import Rulings, Uncounted, with_uncounted, with_voided
from shoal.competition.specification import (
    Anchor,
    Knockout,
    Ladder,
    RoundRobin,
    Specification,
    Swiss,
)
from shoal.server.director.result import finished
from shoal.server.director.tally import Tally
from shoal.server.store.bells import Bells
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Block, Note, State
from shoal.server.store.direction import Direction, Recounted
from shoal.server.store.keys import new_id
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim
from shoal.server.store.releases import retired
from shoal.v1 import competition_service_pb2 as pb
from shoal.v1 import (
    ladder_service_pb2,
    match_service_pb2,
    tournament_pb2,
    tournament_service_pb2,
)
from tests.server.rpcs import Refused, read_error
from tests.server.support import serving

from .arena import Arena, until
from .hall import Hall
from .reads import audit_of, ended_of, results_of


@pytest.fixture
async def hall(store_url: str, pipe: Pipe, bells: Bells) -> AsyncIterator[Hall]:
    async with serving(store_url) as server:
        yield Hall(server, Arena(pipe, bells))


async def refusal(hall: Hall, what: str, competition_id: str, **fields: object) -> Refused:
    """Ask for something that must be refused."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await hall.ask(what, competition_id, **fields)
    return read_error(caught.value)


async def come_as(hall: Hall, bot: str, version: str) -> None:
    """Open another stream of a bot, as this version of it."""
    claim = Claim(bot, "p", 1, ("base",), (2,), version)
    await hall.arena.stores.presences.claim(claim, 600_000)


async def witness(hall: Hall) -> None:
    """Return when the director has looked at everything there is, and nothing of it has begun.

    Tournaments come before ladders, so by the second one that begins all has been looked at once.
    """
    for _ in range(2):
        cup = await hall.hold(RoundRobin(), await hall.arrive(2))
        assert (await hall.next_match()).competition_id == cup


async def test_nothing_begins_while_it_is_paused(hall: Hall) -> None:
    """If it is paused, a match in play is counted, the next of its block waits, and goes on after it."""
    bots = await hall.arrive(2)
    ladder = await hall.hold(Ladder(), bots)
    async with hall.directing():
        first = await hall.next_match()
        answer = await hall.ask("PauseCompetition", ladder, why="a bug")
        assert answer.competition.state == pb.COMPETITION_STATE_PAUSED
        assert answer.competition.open_blocks == 1
        await hall.finish(first)
        await hall.results(ladder, 1)
    (block,) = (await hall.arena.competitions.blocks(ladder)).values()
    assert (block.match_id, block.rotation) == ("", 1)
    async with hall.directing():
        await witness(hall)
        await hall.ask("ResumeCompetition", ladder)
        second = await hall.next_match()
    assert second.bots == first.bots[::-1]


async def test_a_director_that_comes_later_finds_the_pause(hall: Hall) -> None:
    """If it is paused while no director runs, the next one begins nothing, in this or after it (T76)."""
    bots = await hall.arrive(4)
    paused = await hall.hold(RoundRobin(), bots[:2])
    await hall.ask("PauseCompetition", paused)
    running = await hall.hold(RoundRobin(), bots[2:])
    async with hall.directing():
        match = await hall.next_match()
        assert match.competition_id == running
        await hall.finish(match)
        assert (await hall.next_match()).competition_id == running
    assert await hall.arena.competitions.blocks(paused) == {}


async def test_what_has_begun_is_played_before_it_is_paused(hall: Hall) -> None:
    """If it drains, the block in play is played to its end, no other begins, and then it is paused."""
    bots = await hall.arrive(3)
    cup = await hall.hold(RoundRobin(), bots)
    async with hall.directing():
        first = await hall.next_match()
        answer = await hall.ask("DrainCompetition", cup, why="tonight")
        assert answer.competition.state == pb.COMPETITION_STATE_DRAINING
        assert len(answer.open_block_keys) == 1
        await hall.finish(first)
    async with hall.directing():
        second = await hall.next_match()
        assert set(second.bots) == set(first.bots)
        await hall.finish(second)
        await hall.state(cup, pb.COMPETITION_STATE_PAUSED)
        assert len(await ended_of(hall.arena.competitions, cup)) == 1
        assert await hall.arena.competitions.blocks(cup) == {}
        again = await hall.ask("DrainCompetition", cup)
        assert again.competition.state == pb.COMPETITION_STATE_PAUSED
        await hall.ask("ResumeCompetition", cup)
        assert set((await hall.next_match()).bots) != set(first.bots)


async def test_a_ladder_drains_and_lets_bots_in_meanwhile(hall: Hall) -> None:
    """It is not over: who comes while it drains may enter, and is paired when it goes on."""
    bots = await hall.arrive(3)
    ladder = await hall.hold(Ladder(), bots[:2])
    async with hall.directing():
        match = await hall.next_match()
        await hall.ask("DrainCompetition", ladder)
        await join(hall, ladder, bots[2])
        await hall.finish(match)
        await hall.finish(await hall.next_match())
        await hall.state(ladder, pb.COMPETITION_STATE_PAUSED)
        await hall.ask("ResumeCompetition", ladder)
        trial = await hall.next_match()
        assert (bots[2] in trial.bots, trial.competition_id) == (True, "")
        await hall.finish(trial)
        match = await hall.next_match()
        while not (match.competition_id == ladder and bots[2] in match.bots):
            await hall.finish(match)
            match = await hall.next_match()


async def join(hall: Hall, ladder: str, bot_id: str) -> None:
    """Enter a bot by its own call."""
    request = ladder_service_pb2.JoinLadderRequest(ladder_id=ladder)
    await hall.server.ladders.JoinLadder(request, metadata=hall.bots[bot_id].metadata)


async def test_what_has_not_begun_or_is_over_is_not_paused(hall: Hall) -> None:
    """It is refused with the state."""
    cup = await hall.hold(RoundRobin(), await hall.arrive(2))
    found = await hall.arena.competitions.get(cup)
    note = (await audit_of(hall.arena.competitions, cup))[0]
    await hall.arena.competitions.turn(found, tuple(State), State.FINISHED, note, ended="x")
    for what in ("PauseCompetition", "ResumeCompetition", "DrainCompetition"):
        refused = await refusal(hall, what, cup)
        assert (refused.reason, refused.metadata["state"]) == ("WRONG_STATE", "finished")


async def test_an_excluded_bot_is_not_paired_on_a_ladder(hall: Hall) -> None:
    """Its match in play is counted, its table dissolved, and the others play; and it may not enter."""
    bots = await hall.arrive(3)
    ladder = await hall.hold(Ladder(), bots[:2])
    bad, good, new = bots
    async with hall.directing():
        first = await hall.next_match()
        answer = await hall.ask("ExcludeBot", ladder, bot_id=bad, why="cheats")
        (excluded,) = answer.competition.excluded_bots
        assert (excluded.bot_id, excluded.why) == (bad, "cheats")
        await hall.finish(first)
        await hall.results(ladder, 1)
    assert await hall.arena.competitions.blocks(ladder) == {}
    await join(hall, ladder, new)
    async with hall.directing():
        assert set((await hall.next_match()).bots) == {good, new}
    request = ladder_service_pb2.LeaveLadderRequest(ladder_id=ladder)
    await hall.server.ladders.LeaveLadder(request, metadata=hall.bots[bad].metadata)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await join(hall, ladder, bad)
    assert read_error(caught.value).reason == "ENTRY_REFUSED"


async def test_an_excluded_bot_forfeits_what_it_plays_in_a_tournament(hall: Hall) -> None:
    """If it is excluded in the middle of a block, that is forfeited, and no other of it begins."""
    bots = await hall.arrive(3)
    cup = await hall.hold(RoundRobin(), bots)
    async with hall.directing():
        first = await hall.next_match()
        bad = first.bots[0]
        await hall.ask("ExcludeBot", cup, bot_id=bad)
        await hall.finish(first, loser=first.bots[1])
        for _ in range(2):
            match = await hall.next_match()
            assert bad not in match.bots
            await hall.finish(match)
        await hall.state(cup, pb.COMPETITION_STATE_FINISHED)
    states = {
        frozenset(one.block.bots): one.state
        for one in (await ended_of(hall.arena.competitions, cup)).values()
    }
    assert states == {
        frozenset(first.bots): "forfeit",
        frozenset(set(bots) - {bad}): "complete",
    }


async def test_who_is_excluded_before_the_beginning_has_not_entered(hall: Hall) -> None:
    """It may not enter, until it is readmitted."""
    (bot,) = await hall.arrive(1)
    cup = await hall.arena.make(Specification("cup", RoundRobin()), state=State.OPEN)
    enter = tournament_service_pb2.EnterTournamentRequest(tournament_id=cup)
    metadata = hall.bots[bot].metadata
    await hall.server.tournaments.EnterTournament(enter, metadata=metadata)
    await hall.ask("ExcludeBot", cup, bot_id=bot)
    assert await hall.arena.competitions.entrants(cup) == ()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await hall.server.tournaments.EnterTournament(enter, metadata=metadata)
    assert read_error(caught.value).reason == "ENTRY_REFUSED"
    await hall.ask("ReadmitBot", cup, bot_id=bot)
    await hall.server.tournaments.EnterTournament(enter, metadata=metadata)
    assert len(await hall.arena.competitions.entrants(cup)) == 1


async def test_a_bot_is_readmitted(hall: Hall) -> None:
    """In a round robin it plays what it has not played; twice is a success, and leaves one line."""
    bots = await hall.arrive(2)
    cup = await hall.hold(RoundRobin(), bots)
    await hall.ask("ExcludeBot", cup, bot_id=bots[0])
    why = tournament_service_pb2.ExplainPairingRequest(tournament_id=cup, bot_id=bots[0])
    (told,) = (await hall.server.tournaments.ExplainPairing(why)).explanations
    assert any("is excluded by the organizer" in sentence for sentence in told.sentences)
    for _ in range(2):
        answer = await hall.ask("ReadmitBot", cup, bot_id=bots[0], why="it was not so")
        assert not answer.competition.excluded_bots
    async with hall.directing():
        assert set((await hall.next_match()).bots) == set(bots)
    lines = (await hall.ask("ListActions", cup)).actions
    assert [line.action for line in lines if line.who == "owner operator"] == ["readmit", "exclude"]


@pytest.mark.parametrize("form", [Swiss(rounds=2), Knockout()])
async def test_who_was_out_of_a_round_does_not_come_back_into_it(
    hall: Hall, form: Swiss | Knockout
) -> None:
    """In a Swiss tournament the round that is paired stays: it forfeits there; then it is too late."""
    bots = await hall.arrive(2 if isinstance(form, Knockout) else 4)
    cup = await hall.hold(form, bots)
    await hall.ask("ExcludeBot", cup, bot_id=bots[0])
    async with hall.directing():
        if isinstance(form, Swiss):
            for _ in range(2):
                match = await hall.next_match()
                assert bots[0] not in match.bots
                await hall.finish(match)
            first = await hall.next_match()  # of the second round
            assert bots[0] not in first.bots
        else:
            await hall.state(cup, pb.COMPETITION_STATE_FINISHED)
    assert (await refusal(hall, "ReadmitBot", cup, bot_id=bots[0])).reason == "WRONG_STATE"


async def test_results_of_a_time_do_not_count(hall: Hall) -> None:
    """Ratings are as if those matches had not been, though no director ran when that was decided (T84)."""
    bots = await hall.arrive(2)
    ladder = await hall.hold(Ladder(), bots)
    async with hall.directing():
        await hall.finish(await hall.next_match(), loser=bots[1])
        await hall.results(ladder, 1)
        await hall.finish(await hall.next_match(), loser=bots[1])
        await hall.results(ladder, 2)
        await hall.finish(await hall.next_match(), loser=bots[0])
        await hall.results(ladder, 3)
        await hall.next_match()
    counted = map(finished, (await results_of(hall.arena.competitions, ladder)).values())
    played = sorted(counted, key=lambda match: match.ended_ms)
    answer = await hall.ask(
        "ExcludePeriod",
        ladder,
        from_ms=played[1].ended_ms,
        until_ms=played[1].ended_ms + 1,
        why="a bug",
    )
    assert answer.competition.recounting
    async with hall.directing():
        await hall.recounted(ladder)
    found = await hall.arena.competitions.get(ladder)
    outside = [each for each in played if each.ended_ms != played[1].ended_ms]
    assert found.rated == len(outside)
    scores = (await hall.arena.competitions.roster(ladder)).scores
    tally = Tally(Rulings())
    for each in outside:
        tally.add(each, {})
    expected = tally.scores()
    assert {bot: (one.mu, one.sigma, one.wins) for bot, one in scores.items()} == {
        bot: (one.mu, one.sigma, one.wins) for bot, one in expected.items()
    }
    lines = (await hall.ask("ListActions", ladder)).actions
    recount = next(line for line in lines if line.action == "recount")
    assert recount.detail == f"{3 - len(outside)} of 3 results do not count"


async def test_a_recount_keeps_releases_apart_and_given_ratings_as_they_are(hall: Hall) -> None:
    """If all counts as before, every score is as before, those of earlier releases among them (T84)."""
    bots = await hall.arrive(2)
    form = Ladder(trial=False, anchors=(Anchor(bots[0], 1600.0),))
    ladder = await hall.hold(form, bots)
    early = retired(bots[1], "1")
    competitions = hall.arena.competitions
    await come_as(hall, bots[1], "1")
    async with hall.directing():
        for number in range(1, 6):
            match = await hall.next_match()
            if number == 3:
                await come_as(hall, bots[1], "2")

                async def switched() -> bool:
                    return early in (await competitions.roster(ladder)).scores

                await until(switched)
            await hall.finish(match, loser=bots[number % 2])
            await hall.results(ladder, number)
        await hall.next_match()
        before = (await competitions.roster(ladder)).scores
        assert {bot: score.matches for bot, score in before.items()} == {
            bots[0]: 5,
            bots[1]: 2,
            early: 3,
        }
        await hall.ask("ExcludePeriod", ladder, from_ms=1, until_ms=2, why="nothing was played")
        await hall.recounted(ladder)
        assert (await competitions.roster(ladder)).scores == before


async def test_results_of_an_excluded_bot_may_not_count(hall: Hall) -> None:
    """From a moment on; what is still to come neither; and all of it again if it is restored (T62)."""
    bots = await hall.arrive(2)
    ladder = await hall.hold(Ladder(), bots)
    async with hall.directing():
        await hall.finish(await hall.next_match())
        await hall.results(ladder, 1)
        await hall.ask("ExcludeBot", ladder, bot_id=bots[0], uncounted_from_ms=0)
        await hall.recounted(ladder)
        assert not (await hall.arena.competitions.roster(ladder)).scores
        await hall.finish(await hall.next_match())
        await hall.results(ladder, 2)
        assert not (await hall.arena.competitions.roster(ladder)).scores
        await hall.ask("ReadmitBot", ladder, bot_id=bots[0], restore_results=True)
        await hall.recounted(ladder)
    scores = (await hall.arena.competitions.roster(ladder)).scores
    assert {bot: score.matches for bot, score in scores.items()} == dict.fromkeys(bots, 2)


async def void(hall: Hall, match_id: str) -> None:
    request = match_service_pb2.VoidMatchRequest(match_id=match_id, why="a bug")
    for _ in range(2):
        await hall.server.matches.VoidMatch(request, metadata=await hall.server.admin())


async def test_a_match_that_is_made_void_is_played_again_in_its_block(hall: Hall) -> None:
    """Whether it is over or not: its rotation comes again, and nothing of it counts."""
    bots = await hall.arrive(2)
    cup = await hall.hold(RoundRobin(), bots)
    async with hall.directing():
        running = await hall.next_match()
        await void(hall, running.match_id)
        again = await hall.next_match()
        assert again.bots == running.bots
        await hall.finish(again)
        other = await hall.next_match()
        await void(hall, again.match_id)
        await hall.recounted(cup)
        assert not (await hall.arena.competitions.roster(cup)).scores
        await hall.finish(other)
        third = await hall.next_match()
        assert third.bots == running.bots
        await hall.finish(third)
        await hall.state(cup, pb.COMPETITION_STATE_FINISHED)
    (ended,) = (await ended_of(hall.arena.competitions, cup)).values()
    endings = [each.attempt.ending.value for each in ended.block.tries]
    assert (ended.state, endings) == ("complete", ["void", "void", "played", "played"])
    scores = (await hall.arena.competitions.roster(cup)).scores
    assert {bot: score.matches for bot, score in scores.items()} == dict.fromkeys(bots, 2)
    lines = [line for line in (await hall.ask("ListActions", cup)).actions if line.why == "a bug"]
    assert [(line.action, line.detail) for line in lines] == [
        ("void", again.match_id),
        ("void", running.match_id),
    ]


async def test_a_block_that_is_over_does_not_count_without_its_match(hall: Hall) -> None:
    """After the end of everything too: the standings are without it, and the plan as it was."""
    bots = await hall.arrive(2)
    cup = await hall.hold(RoundRobin(), bots)
    async with hall.directing():
        first = await hall.next_match()
        await hall.finish(first)
        await hall.finish(await hall.next_match())

        async def retired() -> bool:
            active = await hall.arena.competitions.active()
            return cup not in {each.competition_id for each in active}

        await until(retired)
        await void(hall, first.match_id)
        await until(retired)
    request = tournament_service_pb2.ListTournamentStandingsRequest(tournament_id=cup)
    lines = (await hall.server.tournaments.ListTournamentStandings(request)).standings
    assert [(line.possible_points, line.match_count) for line in lines] == [(0, 1), (0, 1)]
    blocks = tournament_service_pb2.ListBlocksRequest(tournament_id=cup)
    (block,) = (await hall.server.tournaments.ListBlocks(blocks)).blocks
    assert block.state == tournament_pb2.BLOCK_STATE_VOID


async def test_a_forced_pairing_is_the_next(hall: Hall) -> None:
    """On a ladder it waits until both bots have a place, which is kept; asked for again, it is the same."""
    bots = await hall.arrive(4)
    ladder = await hall.hold(Ladder(), bots, rulesets=("base", "salt-pepper"))
    request_id = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
    async with hall.directing():
        tables = [await hall.next_match() for _ in range(2)]
        wanted = (tables[0].bots[0], tables[1].bots[0])  # neither takes another match now
        asked = [
            await hall.ask("ForcePairing", ladder, bot_ids=wanted, request_id=request_id)
            for _ in range(2)
        ]
        found = await hall.ask("GetCompetition", ladder)
        assert {each.block_key for each in asked} == {found.competition.forced_block_key}
        refused = await refusal(hall, "ForcePairing", ladder, bot_ids=wanted, ruleset="salt-pepper")
        assert refused.reason == "WRONG_STATE"  # and not the block of another ruleset
        for table in tables:
            await hall.finish(table)
            await hall.finish(await hall.next_match())
        # The other two may come free first, and have a table of their own then.
        assert wanted in [(await hall.next_match()).bots for _ in range(2)]
        assert asked[0].block_key in await hall.arena.competitions.blocks(ladder)
        found = await hall.ask("GetCompetition", ladder)
        assert found.competition.forced_block_key == ""
        again = await hall.ask("ForcePairing", ladder, bot_ids=wanted, request_id=request_id)
        assert again.block_key == asked[0].block_key


async def test_a_forced_pairing_of_a_tournament_is_a_block_of_its_plan(hall: Hall) -> None:
    """It comes before the others that are due, and one that is not due is refused."""
    bots = await hall.arrive(4)
    cup = await hall.hold(RoundRobin(), bots)
    wanted = {bots[0], bots[1]}
    answer = await hall.ask("ForcePairing", cup, bot_ids=sorted(wanted), why="for the show")
    async with hall.directing():
        first = {frozenset((await hall.next_match()).bots) for _ in range(2)}
        assert frozenset(wanted) in first
    refused = await refusal(hall, "ForcePairing", cup, bot_ids=sorted(wanted))
    assert refused.reason == "WRONG_STATE"
    assert answer.block_key in await hall.arena.competitions.blocks(cup)


async def test_who_cannot_be_paired_is_named(hall: Hall) -> None:
    """A bot that is no member, is excluded, is not connected, or does not offer the table."""
    bots = await hall.arrive(3)
    ladder = await hall.hold(Ladder(), bots[:2])
    stranger = await refusal(hall, "ForcePairing", ladder, bot_ids=[bots[0], bots[2]])
    assert stranger.reason == "NOT_FOUND"
    await hall.ask("ExcludeBot", ladder, bot_id=bots[0])
    excluded = await refusal(hall, "ForcePairing", ladder, bot_ids=bots[:2])
    assert excluded.reason == "WRONG_STATE"
    await hall.ask("ReadmitBot", ladder, bot_id=bots[0])
    absent = await hall.server.register()
    await hall.arena.enter(ladder, Entrant(absent.bot_id, absent.owner))
    away = await refusal(hall, "ForcePairing", ladder, bot_ids=[bots[0], absent.bot_id])
    assert away.reason == "WRONG_STATE"
    sizes = await refusal(hall, "ForcePairing", ladder, bot_ids=bots)
    assert (sizes.reason, sizes.fields) == ("MALFORMED", ("bot_ids",))
    ruleset = await refusal(hall, "ForcePairing", ladder, bot_ids=bots[:2], ruleset="salt")
    assert (ruleset.reason, ruleset.fields) == ("MALFORMED", ("ruleset",))


async def test_every_action_leaves_a_line(hall: Hall) -> None:
    """Who, when, what and why; the latest first, page by page; and none for what was so already."""
    bots = await hall.arrive(2)
    cup = await hall.hold(RoundRobin(), bots)
    for _ in range(2):
        await hall.ask("PauseCompetition", cup, why="lunch")
        await hall.ask("ResumeCompetition", cup)
    await asyncio.gather(*(hall.ask("PauseCompetition", cup, why="at once") for _ in range(5)))
    lines: list[pb.Action] = []
    token = ""
    while True:
        page = await hall.ask("ListActions", cup, page_size=2, page_token=token)
        lines += page.actions
        token = page.next_page_token
        if not token:
            break
    done = [(line.action, line.why) for line in lines if line.who == "owner operator"]
    assert done == [
        ("pause", "at once"),
        *[("resume", ""), ("pause", "lunch")] * 2,
    ]
    assert all(line.time.seconds for line in lines if line.who == "owner operator")


async def test_what_belongs_to_no_competition_has_a_list_too(hall: Hall) -> None:
    """If a casual match is aborted, twice, that is one line of it, with the reason."""
    match_id = await hall.server.create(*await hall.server.team(2))
    request = match_service_pb2.AbortMatchRequest(match_id=match_id, why="it hangs")
    for _ in range(2):
        await hall.server.matches.AbortMatch(request, metadata=await hall.server.admin())
    (line,) = (await hall.ask("ListActions", "-")).actions
    assert (line.action, line.detail, line.why) == ("abort", match_id, "it hangs")


async def test_an_organizers_work_on_a_tournament_is_in_the_list(hall: Hall) -> None:
    """Made, entered for its owner, withdrawn, begun, called off: in the name of who did it."""
    bots = await hall.arrive(3)
    metadata = await hall.server.admin()
    calls = hall.server.tournaments
    specification = tournament_pb2.TournamentSpecification(
        name="cup",
        format=tournament_pb2.TournamentFormat(round_robin=tournament_pb2.RoundRobinFormat()),
    )
    made = await calls.CreateTournament(
        tournament_service_pb2.CreateTournamentRequest(specification=specification),
        metadata=metadata,
    )
    cup = made.tournament.tournament_id
    pb2 = tournament_service_pb2
    for bot in bots:
        enter = pb2.EnterTournamentRequest(tournament_id=cup, bot_id=bot)
        await calls.EnterTournament(enter, metadata=metadata)
    withdraw = pb2.WithdrawFromTournamentRequest(tournament_id=cup, bot_id=bots[2])
    start = pb2.StartTournamentRequest(tournament_id=cup)
    cancel = pb2.CancelTournamentRequest(tournament_id=cup, why="rain")
    for _ in range(2):
        await calls.WithdrawFromTournament(withdraw, metadata=metadata)
    for _ in range(2):
        await calls.StartTournament(start, metadata=metadata)
    for _ in range(2):
        await calls.CancelTournament(cancel, metadata=metadata)
    lines = (await hall.ask("ListActions", cup)).actions
    assert {line.who for line in lines} == {"owner operator"}
    assert [(line.action, line.detail, line.why) for line in reversed(lines)] == [
        ("create", "", ""),
        *(("enter", bot, "") for bot in bots),
        ("withdraw", bots[2], ""),
        ("start", "", ""),
        ("cancel", "", "rain"),
    ]


async def test_a_script_whose_reply_is_lost_writes_its_line_once(hall: Hall) -> None:
    """If the same step is sent again, as the pipe does, it is done once, and so is its line."""
    bots = await hall.arrive(2)
    ladder = await hall.hold(Ladder(), bots)
    store = hall.arena.competitions
    before = len(await audit_of(store, ladder))
    note = Note(1, "owner x", "test")
    found = await store.get(ladder)
    block = Block(new_id(), tuple(bots), "base", rated=True)
    rulings = with_uncounted(found.rulings, Uncounted("", 1, 2))
    for _ in range(2):
        await store.rule(found, rulings, note)
    found = await store.get(ladder)
    for _ in range(2):
        await store.force(found, block, note)
    found = await store.get(ladder)
    direction = Direction(hall.arena.pipe, 1)
    for _ in range(2):
        await direction.recount(found, Recounted({}, 0, (), ()), note)
    for _ in range(2):
        await store.note(ladder, note, "abort x")
    assert len(await audit_of(store, ladder)) == before + 4
    assert (await store.get(ladder)).recounted == 1


async def test_who_looked_at_what_has_changed_decides_nothing(hall: Hall) -> None:
    """If two organizers decide at once, one is told to look again, and nothing of the other is lost."""
    ladder = await hall.hold(Ladder(), [])
    store = hall.arena.competitions
    found = await store.get(ladder)
    note = Note(1, "owner x", "test")
    await store.rule(found, with_voided(found.rulings, "one", ""), note)
    with pytest.raises(Stale):
        await store.rule(found, with_voided(found.rulings, "two", ""), note)
    bots = [(await hall.server.register()).bot_id for _ in range(8)]
    await asyncio.gather(*(hall.ask("ExcludeBot", ladder, bot_id=bot) for bot in bots))
    found = await store.get(ladder)
    assert set(found.rulings.excluded) == set(bots)
    assert set(found.rulings.voided) == {"one"}


async def test_a_competition_that_hides_names_makes_matches_that_do(hall: Hall) -> None:
    """If the director makes the match, nobody is told who sits there before it is over."""
    bots = await hall.arrive(2)
    await hall.hold(RoundRobin(), bots, names_hidden=True)
    async with hall.directing():
        match = await hall.next_match()
        shown = await hall.server.match(match.match_id)
        assert [seat.bot_id for seat in shown.seats] == ["", ""]
        await hall.finish(match)
    shown = await hall.server.match(match.match_id)
    assert tuple(seat.bot_id for seat in shown.seats) == match.bots
