"""LadderService as organizers use it, and as those use it who ask why."""

import time
import uuid

import grpc
import pytest

from shoal.competition.specification import RoundRobin
from shoal.server import ladders
from shoal.server.store import new_id
from shoal.server.store.competition_nouns import Block, Ended
from shoal.server.store.direction import Counted, Direction
from shoal.server.store.waits import Kept, Wait, Waits
from shoal.v1 import competition_service_pb2 as organizing
from shoal.v1 import ladder_service_pb2 as pb
from shoal.v1 import tournament_pb2 as nouns
from tests.server.rpcs import read_error
from tests.server.support import Bot, Metadata, Server, new_name


async def created(
    server: Server, request_id: str = "", metadata: Metadata = (), **fields: object
) -> pb.Ladder:
    specification = pb.LadderSpecification(**{"name": new_name(), **fields})
    request = pb.CreateLadderRequest(request_id=request_id, specification=specification)
    by = metadata or await server.admin()
    return (await server.ladders.CreateLadder(request, metadata=by)).ladder


async def got(server: Server, ladder: str) -> pb.Ladder:
    return (await server.ladders.GetLadder(pb.GetLadderRequest(ladder_id=ladder))).ladder


async def join(server: Server, ladder: str, *bots: Bot) -> None:
    for bot in bots:
        await server.ladders.JoinLadder(
            pb.JoinLadderRequest(ladder_id=ladder), metadata=bot.metadata
        )


async def end(server: Server, ladder: str, why: str = "") -> pb.Ladder:
    request = pb.EndLadderRequest(ladder_id=ladder, why=why)
    return (await server.ladders.EndLadder(request, metadata=await server.admin())).ladder


async def why(server: Server, ladder: str, **fields: object) -> list[nouns.Explanation]:
    request = pb.ExplainLadderPairingRequest(ladder_id=ladder, **fields)
    return list((await server.ladders.ExplainLadderPairing(request)).explanations)


async def waiting(server: Server, ladder: str, bot: Bot) -> str:
    """Return the sentence that says what a bot waits for."""
    (explanation,) = await why(server, ladder, bot_id=bot.bot_id)
    (sentence,) = explanation.sentences
    return str(sentence)


async def test_all_that_is_wrong_is_said_at_once(server: Server) -> None:
    """Each problem is a violation with the path of its field in the request, and so it is in the text."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await created(
            server,
            name="",
            rulesets=["chess"],
            seats=[7],
            ends_ms=5,
            stopping=pb.LadderStopping(minutes=0),
        )
    error = read_error(caught.value)
    assert error.reason == "MALFORMED"
    assert error.fields == (
        "specification.ends_ms",
        "specification.stopping.minutes",
        "specification.name",
        "specification.rulesets[0]",
        "specification.seats[0]",
    )
    said = caught.value.details() or ""
    assert said.startswith("specification.ends_ms: must be after starts_ms, ")
    assert "; specification.stopping.minutes: must be 1 to " in said
    assert said.endswith("; and 2 more")


async def test_an_end_that_is_too_near_for_the_stopping_rule_is_refused(server: Server) -> None:
    """The time counts from now where nothing says when it begins; the numbers are said (T57)."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await created(
            server,
            ends_ms=round(time.time() * 1000) + 60_000,
            stopping=pb.LadderStopping(blocks_per_bot=10**6),
        )
    assert read_error(caught.value).fields == ("specification.stopping.blocks_per_bot",)
    assert "cannot be played in 1 minutes" in (caught.value.details() or "")


async def test_a_request_that_is_sent_again_after_the_end_is_answered(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was made then would be refused now; who has not heard of it is told."""
    now = round(time.time() * 1000)
    request, fields = str(uuid.uuid4()), {"name": new_name(), "ends_ms": now + 60_000}
    made = await created(server, request, **fields)
    monkeypatch.setattr(ladders, "now_ms", lambda: now + 120_000)
    assert await created(server, request, **fields) == made
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await created(server, str(uuid.uuid4()), **{**fields, "name": new_name()})
    assert read_error(caught.value).fields == ("specification.ends_ms",)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await created(server, request, **{**fields, "ends_ms": now + 70_000})
    assert read_error(caught.value).reason == "REQUEST_ID_REUSED"


async def test_what_is_asked_for_is_what_is_made(server: Server) -> None:
    """What was left out is filled in, and everything else comes back as it was."""
    entry = nouns.TournamentEntry(bots_per_owner=1, entrants=8, closes_ms=10)
    stopping = pb.LadderStopping(minutes=600)
    made = await created(
        server,
        rulesets=["salt", "base"],
        seats=[4, 2],
        time_control={"move_ms": 500, "bank_ms": 1000},
        entry=entry,
        rated=False,
        stopping=stopping,
    )
    assert (made.state, made.ended) == (pb.LADDER_STATE_RUNNING, "")
    assert (list(made.rulesets), list(made.table_sizes)) == (["salt", "base"], [4, 2])
    assert await got(server, made.ladder_id) == made
    said = made.specification
    assert said.name == made.ladder_id
    assert (said.time_control.move_ms, said.time_control.bank_ms) == (500, 1000)
    assert (said.entry, said.stopping) == (entry, stopping)
    assert (said.HasField("starts_ms"), said.HasField("ends_ms"), said.rated) == (
        False,
        False,
        False,
    )
    plain = (await created(server)).specification
    assert (list(plain.rulesets), list(plain.seats), plain.rated) == (["base"], [2], True)
    listed = await server.ladders.ListLadders(pb.ListLaddersRequest(page_size=500))
    assert made in listed.ladders


async def test_how_bots_are_tried_rated_and_shown_is_part_of_what_is_asked_for(
    server: Server,
) -> None:
    """Trials, pauses, releases, anchors and hidden names; what is left out is as in a file."""
    anna = await server.register()
    anchor = pb.LadderAnchor(bot_id=anna.bot_id, rating=1200)
    made = await created(
        server, names_hidden=True, trial=False, faults=0, releases=False, anchors=[anchor]
    )
    said = made.specification
    assert (said.names_hidden, said.trial, said.faults, said.releases) == (True, False, 0, False)
    assert list(said.anchors) == [anchor]
    plain = (await created(server, anchors=[{"bot_id": anna.bot_id}])).specification
    assert (plain.names_hidden, plain.trial, plain.faults, plain.releases) == (False, True, 3, True)
    assert plain.anchors[0].rating == 1500
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await created(
            server,
            anchors=[anchor, {"bot_id": "../../x"}],
            entry={"invited": ["greeedy", anna.bot_id]},
        )
    assert read_error(caught.value).fields == (
        "specification.entry.invited[0]",
        "specification.anchors[1].bot_id",
    )
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await created(server, faults=-1, anchors=[{"bot_id": "", "rating": 6000}])
    assert read_error(caught.value).fields == (
        "specification.anchors[0].bot_id",
        "specification.anchors[0].rating",
        "specification.faults",
    )


async def test_a_request_that_is_sent_again_makes_nothing_again(server: Server) -> None:
    """With the same request_id it is the same ladder; with another body, or none, it is refused."""
    request_id, name, admin = str(uuid.uuid4()), new_name(), await server.admin()
    first = await created(server, request_id, admin, name=name)
    assert await created(server, request_id, admin, name=name) == first
    for id_, seats, reason in (
        (request_id, [3], "REQUEST_ID_REUSED"),
        (str(uuid.uuid4()), [2], "NAME_TAKEN"),
        ("", [2], "NAME_TAKEN"),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await created(server, id_, admin, name=name, seats=seats)
        assert read_error(caught.value).reason == reason
    assert await got(server, name) == first


async def test_a_ladder_may_begin_later(server: Server) -> None:
    """It can be joined before, and its entry rules hold."""
    later = round(time.time() * 1000) + 3_600_000
    made = await created(server, starts_ms=later, entry=nouns.TournamentEntry(bots_per_owner=1))
    assert (made.state, made.HasField("start_time")) == (pb.LADDER_STATE_OPEN, False)
    anna, bert = await server.team(2)
    await join(server, made.ladder_id, anna)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await join(server, made.ladder_id, bert)
    assert read_error(caught.value).reason == "ENTRY_REFUSED"
    assert (await got(server, made.ladder_id)).bot_count == 1
    assert await waiting(server, made.ladder_id, anna) == "The ladder is open: no table is made."


async def test_an_ended_ladder_takes_nobody_and_keeps_its_standings(server: Server) -> None:
    """Ending it again is a success and changes nothing, the reason stays the first."""
    ladder = (await created(server)).ladder_id
    anna, bert = await server.team(2)
    await join(server, ladder, anna)
    over = await end(server, ladder, "the season is over")
    assert (over.state, over.ended) == (pb.LADDER_STATE_ENDING, "ended: the season is over")
    assert await end(server, ladder, "again") == over
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await join(server, ladder, bert)
    assert read_error(caught.value).reason == "ENTRY_REFUSED"
    standings = await server.ladders.ListStandings(pb.ListStandingsRequest(ladder_id=ladder))
    assert [line.bot_id for line in standings.standings] == [anna.bot_id]


async def test_a_ladder_that_is_drained_to_be_paused_may_be_ended(server: Server) -> None:
    """What plays is played to its end either way; then it is over, and every step has its line."""
    ladder = (await created(server)).ladder_id
    admin = await server.admin()
    request = organizing.DrainCompetitionRequest(competition_id=ladder)
    await server.competitions.DrainCompetition(request, metadata=admin)
    assert (await got(server, ladder)).state == pb.LADDER_STATE_DRAINING
    over = await end(server, ladder, "enough")
    assert (over.state, over.ended) == (pb.LADDER_STATE_ENDING, "ended: enough")
    listed = await server.competitions.ListActions(
        organizing.ListActionsRequest(competition_id=ladder), metadata=admin
    )
    lines = [(line.action, line.why) for line in listed.actions]
    assert lines == [("end", "enough"), ("drain", ""), ("create", "")]


async def test_a_tournament_is_no_ladder(server: Server) -> None:
    """Nothing of this service finds it."""
    cup = await server.make_tournament(format=RoundRobin())
    for call in (got(server, cup), end(server, cup), why(server, cup)):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call
        assert read_error(caught.value).reason == "NOT_FOUND"


async def test_why_a_bot_waits_is_said_in_words_and_numbers(server: Server) -> None:
    """From what only its owner can change to what passes by itself, with its name (T81)."""
    ladder = (await created(server, seats=[2, 3], trial=False)).ladder_id
    anna = await server.register()
    bert = await server.register()
    await join(server, ladder, anna, bert)
    assert await waiting(server, ladder, anna) == f"{anna.name} is not connected."
    async with server.stream(anna, max_matches=2):
        told = await waiting(server, ladder, anna)
        assert told.startswith(f"{anna.name} waits for the director")
        waits = server.stores.waits
        now = round(time.time() * 1000)
        mine = Wait(room=2, since_ms=now, ticks=2, match_ms=1000)
        await waits.keep(ladder, Waits({anna.bot_id: mine}))
        (told,) = await why(server, ladder, bot_id=anna.bot_id)
        assert list(told.sentences) == [
            f"{anna.name} needs 1 to play with, and 0 that fit are present."
        ]
        assert (told.numbers["present"], told.numbers["fit"]) == (1, 0)
        assert (told.numbers["takes_at_once"], told.numbers["room"]) == (2, 2)
        await waits.keep(ladder, Waits({}, left_alone=[anna.bot_id]))
        assert "did not come to its last match" in await waiting(server, ladder, anna)
        for why_kept, word in (
            (Kept.TOURNAMENT, "is kept for a tournament"),
            (Kept.FORCED, "is kept for a table that the organizer has asked for"),
        ):
            kept = Wait(room=0, since_ms=now, ticks=2, match_ms=1000, kept=why_kept)
            await waits.keep(ladder, Waits({anna.bot_id: kept}))
            assert word in await waiting(server, ladder, anna)
    await end(server, ladder)
    assert await waiting(server, ladder, anna) == "The ladder is ending: no table is made (ended)."


async def test_why_there_is_a_table_is_said_also_when_it_is_over(server: Server) -> None:
    """As the director has noted it, by match and for each of its bots, with names and numbers (T81)."""
    ladder = (await created(server)).ladder_id
    anna, bert = await server.register(), await server.register()
    await join(server, ladder, anna, bert)
    found = await server.stores.competitions.get(ladder)
    token = (await server.stores.leases.acquire(new_id(), 1)).token or 10**6
    direction = Direction(server.stores.pipe, token)
    bots, match = (anna.bot_id, bert.bot_id), new_id()
    block = Block(
        *(new_id(), bots, "base", True),
        match_id=match,
        why=(f"The table was made for {anna.bot_id}: it is new.",),
        numbers={"size": 2.0},
    )
    await direction.reserve(found, [block])
    table, *rest = await why(server, ladder)
    assert list(table.bot_ids) == list(bots)
    assert list(table.sentences) == [
        f"The table was made for {anna.name}: it is new.",
        f"Of its 2 matches, rotation 0 is in play: {match}.",
    ]
    assert dict(table.numbers) == {"size": 2.0}
    assert [list(each.bot_ids) for each in rest] == [[bot] for bot in bots]
    assert await why(server, ladder, match_id=match) == [table]
    over = Ended(block, "void", ())
    await direction.count(found, match, b"{}", Counted({}, ended=over))
    (told,) = await why(server, ladder, match_id=match)
    assert told.sentences[0] == table.sentences[0]
    assert (await got(server, ladder)).finished_blocks == 1


async def test_a_bot_on_trial_is_told_what_it_has_to_finish(server: Server) -> None:
    """It is connected, and not paired all the same."""
    ladder = (await created(server)).ladder_id
    anna = await server.register()
    await join(server, ladder, anna)
    async with server.stream(anna):
        told = await waiting(server, ladder, anna)
    assert told == f"{anna.name} is on trial: it is paired when it has finished one casual match."


async def test_a_hidden_table_is_explained_when_it_is_over(server: Server) -> None:
    """While it is in play only an organizer is told who sits there."""
    ladder = (await created(server, names_hidden=True)).ladder_id
    anna, bert = await server.register(), await server.register()
    await join(server, ladder, anna, bert)
    found = await server.stores.competitions.get(ladder)
    direction = Direction(server.stores.pipe, 1)
    bots, match = (anna.bot_id, bert.bot_id), new_id()
    block = Block(*(new_id(), bots, "base", True), match_id=match)
    await direction.reserve(found, [block])
    assert [list(each.bot_ids) for each in await why(server, ladder)] == [[bot] for bot in bots]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await why(server, ladder, match_id=match)
    assert read_error(caught.value).reason == "NOT_ALLOWED"
    request = pb.ExplainLadderPairingRequest(ladder_id=ladder, match_id=match)
    call = server.ladders.ExplainLadderPairing(request, metadata=await server.admin())
    assert list((await call).explanations[0].bot_ids) == list(bots)
    await direction.count(found, match, b"{}", Counted({}, ended=Ended(block, "void", ())))
    (told,) = await why(server, ladder, match_id=match)
    assert list(told.bot_ids) == list(bots)


async def test_explanations_come_in_pages(server: Server) -> None:
    """Every member once."""
    ladder = (await created(server)).ladder_id
    bots = await server.team(3)
    await join(server, ladder, *bots)
    told: list[str] = []
    token = ""
    while True:
        request = pb.ExplainLadderPairingRequest(ladder_id=ladder, page_size=2, page_token=token)
        page = await server.ladders.ExplainLadderPairing(request)
        told += [bot for each in page.explanations for bot in each.bot_ids]
        token = page.next_page_token
        if not token:
            break
    assert sorted(told) == sorted(bot.bot_id for bot in bots)


async def test_a_bot_is_entered_by_its_owner_and_by_an_organizer(server: Server) -> None:
    """By its name, as in a tournament; nobody else enters it, or takes it out."""
    ladder = (await created(server)).ladder_id
    anna, bert = await server.team(2)
    stranger = await server.register()
    for by, bot in ((anna.metadata, bert), (await server.admin(), stranger)):
        enter = pb.JoinLadderRequest(ladder_id=ladder, bot_id=bot.bot_id)
        await server.ladders.JoinLadder(enter, metadata=by)
    assert (await got(server, ladder)).bot_count == 2
    leave = pb.LeaveLadderRequest(ladder_id=ladder, bot_id=bert.bot_id)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await server.ladders.LeaveLadder(leave, metadata=stranger.metadata)
    refused = read_error(caught.value)
    assert (refused.reason, refused.metadata["bot_id"]) == ("NOT_ALLOWED", bert.bot_id)
    await server.ladders.LeaveLadder(leave, metadata=anna.metadata)
    assert (await got(server, ladder)).bot_count == 1
    leave = pb.LeaveLadderRequest(ladder_id=ladder, bot_id=stranger.bot_id)
    await server.ladders.LeaveLadder(leave, metadata=stranger.metadata)
    listed = await server.competitions.ListActions(
        organizing.ListActionsRequest(competition_id=ladder), metadata=await server.admin()
    )
    assert [(line.who, line.detail) for line in reversed(listed.actions) if line.detail] == [
        (f"owner {anna.owner}", bert.bot_id),
        ("owner operator", stranger.bot_id),
        (f"owner {anna.owner}", bert.bot_id),
        (f"bot {stranger.bot_id}", stranger.bot_id),
    ]
