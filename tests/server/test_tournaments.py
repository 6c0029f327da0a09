"""TournamentService as organizers and owners of bots use it."""

import time
import uuid

import grpc
import pytest

from shoal.competition.block import Attempt, Ending
from shoal.competition.specification import Gauntlet, Knockout, RoundRobin, Swiss
from shoal.server import tournaments
from shoal.server.store import new_id
from shoal.server.store.competition_nouns import Block, Ended, Note, State, Try
from shoal.server.store.direction import Counted, Direction
from shoal.v1 import competition_service_pb2 as organizing
from shoal.v1 import export_service_pb2 as exports
from shoal.v1 import tournament_pb2 as nouns
from shoal.v1 import tournament_service_pb2 as pb
from tests.director.reads import audit_of
from tests.server.rpcs import read_error
from tests.server.support import Bot, Metadata, Server

MATCHES = [f"00{number:028x}" for number in range(1, 4)]
"""Ids of matches that a director of another test may come across."""


FAR = 4_000_000_000_000
"""A moment in the year 2096, in ms since 1970."""


def specification(**fields: object) -> nouns.TournamentSpecification:
    swiss = nouns.TournamentFormat(swiss=nouns.SwissFormat(rounds=2))
    return nouns.TournamentSpecification(**{"name": "cup", "format": swiss, **fields})


async def created(server: Server, request_id: str = "", **fields: object) -> nouns.Tournament:
    request = pb.CreateTournamentRequest(
        request_id=request_id, specification=specification(**fields)
    )
    metadata = await server.admin()
    return (await server.tournaments.CreateTournament(request, metadata=metadata)).tournament


async def enter(server: Server, cup: str, *bots: Bot) -> None:
    for bot in bots:
        request = pb.EnterTournamentRequest(tournament_id=cup)
        await server.tournaments.EnterTournament(request, metadata=bot.metadata)


async def start(server: Server, cup: str) -> nouns.Tournament:
    request = pb.StartTournamentRequest(tournament_id=cup)
    answer = await server.tournaments.StartTournament(request, metadata=await server.admin())
    return answer.tournament


async def standings(server: Server, cup: str) -> list[nouns.TournamentStanding]:
    request = pb.ListTournamentStandingsRequest(tournament_id=cup)
    return list((await server.tournaments.ListTournamentStandings(request)).standings)


async def test_all_that_is_wrong_is_said_at_once(server: Server) -> None:
    """Each problem is a violation with the path of its field in the request."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await created(server, name="", rulesets=["chess"], seats=[3], ends_ms=-1)
    error = read_error(caught.value)
    assert error.reason == "MALFORMED"
    assert error.fields == tuple(
        f"specification.{field}" for field in ("ends_ms", "name", "rulesets[0]", "seats")
    )


async def test_nobody_stands_in_a_tournament_that_nobody_has_entered(server: Server) -> None:
    """It is asked for as soon as it is made."""
    assert await standings(server, (await created(server)).tournament_id) == []


async def test_a_tournament_whose_end_has_passed_is_refused(server: Server) -> None:
    """It would be over before anybody could enter; sent again after its end it is what it was."""
    request_id, now = str(uuid.uuid4()), round(time.time() * 1000)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await created(server, request_id, ends_ms=now - 1)
    assert read_error(caught.value).fields == ("specification.ends_ms",)
    made = await created(server, request_id, ends_ms=now + 3_600_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tournaments, "now_ms", lambda: now + 3_600_001)
        assert await created(server, request_id, ends_ms=now + 3_600_000) == made


async def test_bots_that_are_not_there_are_named(server: Server) -> None:
    """A gauntlet of nobody would never begin, and who is not there cannot come."""
    bot = await server.register()
    gauntlet = nouns.GauntletFormat(challengers=[bot.bot_id, "plannr"])
    entry = nouns.TournamentEntry(invited=[bot.bot_id, new_id(), "plannr"])
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await created(server, format=nouns.TournamentFormat(gauntlet=gauntlet), entry=entry)
    error = read_error(caught.value)
    assert error.reason == "MALFORMED"
    assert error.fields == (
        "specification.entry.invited[1]",
        "specification.entry.invited[2]",
        "specification.format.gauntlet.challengers[1]",
    )
    said = "specification.format.gauntlet.challengers[1]: there is no bot 'plannr'"
    assert (caught.value.details() or "").endswith(said)


async def test_what_is_asked_for_is_what_is_made(server: Server) -> None:
    """What was left out is filled in, and everything else comes back as it was."""
    control = {"move_ms": 500, "bank_ms": 1000}
    entry = nouns.TournamentEntry(bots_per_owner=1, entrants=8, closes_ms=10)
    made = await created(
        server,
        rulesets=["salt", "base"],
        time_control=control,
        entry=entry,
        rated=False,
        ends_ms=FAR,
    )
    assert made.state == nouns.TOURNAMENT_STATE_OPEN
    got = await server.tournaments.GetTournament(
        pb.GetTournamentRequest(tournament_id=made.tournament_id)
    )
    assert got.tournament == made
    said = made.specification
    assert (list(said.rulesets), list(said.seats)) == (["salt", "base"], [2])
    assert (said.format.swiss.rounds, said.format.swiss.blocks_per_pairing) == (2, 1)
    assert (said.time_control.move_ms, said.time_control.bank_ms) == (500, 1000)
    assert said.entry == entry
    assert (said.HasField("starts_ms"), said.ends_ms, said.rated) == (False, FAR, False)


async def test_the_ties_of_a_knock_out_are_as_asked_for(server: Server) -> None:
    """Their blocks, the further ones, and whether a third place is played for."""
    knockout = nouns.KnockoutFormat(best_of=3, tie_cap=0, third_place=True)
    made = await created(server, format=nouns.TournamentFormat(knockout=knockout))
    assert made.specification.format.knockout == knockout


async def test_a_request_that_is_sent_again_makes_nothing_again(server: Server) -> None:
    """With the same request_id there is the same tournament; with another body it is refused."""
    request_id = str(uuid.uuid4())
    first = await created(server, request_id)
    assert await created(server, request_id) == first
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await created(server, request_id, name="other")
    assert read_error(caught.value).reason == "REQUEST_ID_REUSED"


async def test_tournaments_are_listed_to_the_end(server: Server) -> None:
    """Page by page, and no ladder among them."""
    await server.make_ladder(f"ladder-{new_id()}")
    made = {(await created(server)).tournament_id for _ in range(3)}
    found: list[str] = []
    token = ""
    while True:
        request = pb.ListTournamentsRequest(page_size=1, page_token=token)
        page = await server.tournaments.ListTournaments(request)
        found += [each.tournament_id for each in page.tournaments]
        token = page.next_page_token
        if not token:
            break
    assert made <= set(found)
    assert len(found) == len(set(found))


async def test_bots_enter_and_withdraw_before_the_beginning(server: Server) -> None:
    """Each is a success the second time, and who has withdrawn has never entered."""
    cup = (await created(server)).tournament_id
    anna, bert = await server.team(2)
    await enter(server, cup, anna, bert, anna)
    assert [line.bot_id for line in await standings(server, cup)] == [anna.bot_id, bert.bot_id]
    for _ in range(2):
        request = pb.WithdrawFromTournamentRequest(tournament_id=cup)
        await server.tournaments.WithdrawFromTournament(request, metadata=anna.metadata)
    (line,) = await standings(server, cup)
    assert (line.bot_id, line.rank, line.match_count) == (bert.bot_id, 1, 0)


async def test_an_organizer_enters_any_bot(server: Server) -> None:
    """By its id, though it belongs to somebody else."""
    cup = (await created(server)).tournament_id
    bot = await server.register()
    request = pb.EnterTournamentRequest(tournament_id=cup, bot_id=bot.bot_id)
    await server.tournaments.EnterTournament(request, metadata=await server.admin())
    assert [line.bot_id for line in await standings(server, cup)] == [bot.bot_id]


async def test_an_owner_may_be_full(server: Server) -> None:
    """What is refused comes with the number that it was refused for."""
    cup = (await created(server, entry=nouns.TournamentEntry(bots_per_owner=1))).tournament_id
    anna, bert = await server.team(2)
    await enter(server, cup, anna)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await enter(server, cup, bert)
    error = read_error(caught.value)
    assert (error.reason, error.metadata) == (
        "ENTRY_REFUSED",
        {"bot_id": bert.bot_id, "number": "1"},
    )


async def test_who_withdraws_later_is_gone_from_the_next_round(server: Server) -> None:
    """The round that is paired stays as it is, and the bot stays in the standings."""
    cup = (await created(server)).tournament_id
    bots = await server.team(3)
    await enter(server, cup, *bots)
    assert (await start(server, cup)).state == nouns.TOURNAMENT_STATE_RUNNING
    assert (await start(server, cup)).entrant_count == 3
    request = pb.WithdrawFromTournamentRequest(tournament_id=cup)
    await server.tournaments.WithdrawFromTournament(request, metadata=bots[0].metadata)
    entrants = await server.stores.competitions.entrants(cup)
    assert [one.gone_from for one in entrants] == [1, None, None]
    lines = {line.bot_id: line.withdrawn for line in await standings(server, cup)}
    assert lines == {bots[0].bot_id: True, bots[1].bot_id: False, bots[2].bot_id: False}
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await enter(server, cup, await server.register())
    assert read_error(caught.value).reason == "ENTRY_REFUSED"


async def test_what_is_called_off_is_over(server: Server) -> None:
    """With the reason; calling off again is a success."""
    cup = (await created(server)).tournament_id
    request = pb.CancelTournamentRequest(tournament_id=cup, why="rain")
    for _ in range(2):
        answer = await server.tournaments.CancelTournament(request, metadata=await server.admin())
        assert answer.tournament.state == nouns.TOURNAMENT_STATE_FINISHED
        assert answer.tournament.ended == "called off: rain"
    notes = await audit_of(server.stores.competitions, cup)
    assert [note.action for note in notes] == ["create", "cancel"]


async def test_what_came_to_its_end_is_not_called_off(server: Server) -> None:
    """Whatever its end is called."""
    cup = await server.make_tournament(state=State.RUNNING)
    found = await server.stores.competitions.get(cup)
    note = Note(0, "director", State.FINISHED.value, why="called off by nobody")
    await Direction(server.stores.pipe, 1).turn(found, State.FINISHED, note, note.why)
    request = pb.CancelTournamentRequest(tournament_id=cup, why="rain")
    admin = await server.admin()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await server.tournaments.CancelTournament(request, metadata=admin)
    assert read_error(caught.value).reason == "WRONG_STATE"


async def played(server: Server) -> tuple[str, list[Bot]]:
    """Make a round robin of three in which one block is over and one is in play."""
    cup = await server.make_tournament(state=State.OPEN)
    bots = await server.team(3)
    await enter(server, cup, *bots)
    await start(server, cup)
    ids = [bot.bot_id for bot in bots]
    found = await server.stores.competitions.get(cup)
    assert isinstance(found.specification.format, RoundRobin)
    direction = Direction(server.stores.pipe, 1)
    first = Block("1.0.0", (ids[0], ids[1]), "base", rated=False, match_id=MATCHES[0])
    second = Block("2.0.0", (ids[0], ids[2]), "base", rated=False, match_id=MATCHES[2])
    await direction.reserve(found, [first, second])
    tries = tuple(
        Try(MATCHES[rotation], Attempt(rotation, Ending.PLAYED, (2 - rotation, 1 + rotation)))
        for rotation in range(2)
    )
    over = Block("1.0.0", first.bots, "base", rated=False, tries=tries)
    await direction.count(
        found, MATCHES[0], b"{}", Counted({}, ended=Ended(over, "complete", ((2, 1), (2, 1))))
    )
    return cup, bots


async def test_blocks_are_told_with_their_matches(server: Server) -> None:
    """Those that are over and those in play, page by page, and how many there are to be."""
    cup, bots = await played(server)
    pages = [
        await server.tournaments.ListBlocks(
            pb.ListBlocksRequest(tournament_id=cup, page_size=1, page_token=token)
        )
        for token in ["", (await _first_page(server, cup)).next_page_token]
    ]
    (over,), (in_play,) = (page.blocks for page in pages)
    assert pages[1].next_page_token == ""
    assert (over.block_key, over.state) == ("1.0.0", nouns.BLOCK_STATE_COMPLETE)
    assert [(each.match_id, list(each.placements)) for each in over.matches] == [
        (MATCHES[0], [2, 1]),
        (MATCHES[1], [1, 2]),
    ]
    assert (in_play.state, list(in_play.bot_ids)) == (
        nouns.BLOCK_STATE_OPEN,
        [bots[0].bot_id, bots[2].bot_id],
    )
    assert [each.match_id for each in in_play.matches] == [MATCHES[2]]
    found = await server.tournaments.GetTournament(pb.GetTournamentRequest(tournament_id=cup))
    numbers = found.tournament
    assert (numbers.finished_blocks, numbers.open_blocks, numbers.planned_blocks) == (1, 1, 3)


async def _first_page(server: Server, cup: str) -> pb.ListBlocksResponse:
    return await server.tournaments.ListBlocks(pb.ListBlocksRequest(tournament_id=cup, page_size=1))


async def test_what_who_has_left_forfeits_is_in_the_crosstable_too(server: Server) -> None:
    """It has played half of its blocks; the table says what the standings say."""
    cup, bots = await played(server)
    request = pb.WithdrawFromTournamentRequest(tournament_id=cup)
    await server.tournaments.WithdrawFromTournament(request, metadata=bots[1].metadata)
    lines = {line.bot_id: line for line in await standings(server, cup)}
    assert [lines[bot.bot_id].points for bot in bots] == [0, 2, 2]
    assert [lines[bot.bot_id].possible_points for bot in bots] == [2, 4, 2]
    table = await server.exports.ListCrosstable(exports.ListCrosstableRequest(competition_id=cup))
    assert {row.bot_id: row.total.points for row in table.rows} == {
        bot: line.points for bot, line in lines.items()
    }


async def test_who_leaves_a_knock_out_is_out_from_its_first_open_tie(server: Server) -> None:
    """Who has won one stays the one who has won it."""
    cup = await server.make_tournament(format=Knockout())
    bots = await server.team(4)
    await enter(server, cup, *bots)
    await start(server, cup)
    ids = [bot.bot_id for bot in bots]
    over = Block("0.0.0", (ids[0], ids[3]), "base", rated=False, match_id=MATCHES[0])
    found = await server.stores.competitions.get(cup)
    direction = Direction(server.stores.pipe, 1)
    await direction.reserve(found, [over])
    ended = Ended(over, "complete", ((1, 2), (1, 2)))
    await direction.count(found, MATCHES[0], b"{}", Counted({}, ended=ended))
    for bot in bots[:2]:
        request = pb.WithdrawFromTournamentRequest(tournament_id=cup)
        await server.tournaments.WithdrawFromTournament(request, metadata=bot.metadata)
    entrants = await server.stores.competitions.entrants(cup)
    assert [one.gone_from for one in entrants] == [1, 0, None, None]


async def explained(
    server: Server, cup: str, metadata: Metadata = (), **fields: object
) -> list[nouns.Explanation]:
    """Return why there are the tables of a tournament, and what its bots wait for."""
    request = pb.ExplainPairingRequest(tournament_id=cup, **fields)
    answer = await server.tournaments.ExplainPairing(request, metadata=metadata)
    return list(answer.explanations)


async def test_a_bot_is_told_what_it_plays_and_waits_for(server: Server) -> None:
    """By the names of the bots, with its table in play and why there is that (T81)."""
    cup, bots = await played(server)
    table, told = await explained(server, cup, bot_id=bots[2].bot_id)
    assert list(table.bot_ids) == [bots[0].bot_id, bots[2].bot_id]
    assert list(table.sentences) == [
        "Block 2.0.0: everybody meets everybody, in round 3 of the schedule these.",
        f"Of its 2 matches, rotation 0 is in play: {MATCHES[2]}.",
    ]
    assert list(told.bot_ids) == [bots[2].bot_id]
    assert (told.numbers["playing"], told.numbers["waiting"], told.numbers["present"]) == (1, 1, 0)
    text = " ".join(told.sentences)
    assert "plays block 2.0.0 with" in text
    assert f"in match {MATCHES[2]}." in text
    assert "is not connected. What waits for it: 1 block." in text
    assert bots[2].bot_id not in text


async def test_a_table_that_is_over_is_explained_too(server: Server) -> None:
    """Asked for by its match; a match that is none of the tournament is not there (T81)."""
    cup, _ = await played(server)
    (told,) = await explained(server, cup, match_id=MATCHES[0])
    assert list(told.sentences) == [
        "Block 1.0.0: everybody meets everybody, in round 2 of the schedule these."
    ]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await explained(server, cup, match_id=new_id())
    assert read_error(caught.value).reason == "NOT_FOUND"


async def test_explanations_come_a_page_at_a_time(server: Server) -> None:
    """Each table once, on the page of its first bot, and each bot once."""
    cup, bots = await played(server)
    request, heard = pb.ExplainPairingRequest(tournament_id=cup, page_size=1), []
    while True:
        answer = await server.tournaments.ExplainPairing(request)
        heard += [list(each.bot_ids) for each in answer.explanations]
        if not answer.next_page_token:
            break
        request.page_token = answer.next_page_token
    assert sorted(heard) == sorted(
        [[bot.bot_id] for bot in bots] + [[bots[0].bot_id, bots[2].bot_id]]
    )


async def test_a_tournament_that_stands_says_why(server: Server) -> None:
    """And who is excluded is told why, but nobody else is."""
    cup, bots = await played(server)
    admin = await server.admin()
    excluded = organizing.ExcludeBotRequest(
        competition_id=cup, bot_id=bots[0].bot_id, why="it floods us"
    )
    await server.competitions.ExcludeBot(excluded, metadata=admin)
    mine = await explained(server, cup, bots[0].metadata, bot_id=bots[0].bot_id)
    sentence = f"{bots[0].name} is excluded by the organizer, and not paired"
    assert f"{sentence} (it floods us)." in mine[-1].sentences
    others = await explained(server, cup, bot_id=bots[0].bot_id)
    assert f"{sentence}." in others[-1].sentences
    pause = organizing.PauseCompetitionRequest(competition_id=cup, why="a new rack")
    await server.competitions.PauseCompetition(pause, metadata=admin)
    told = await explained(server, cup, bot_id=bots[2].bot_id)
    assert "The tournament is paused: no block begins (a new rack)." in told[-1].sentences


async def test_a_bot_without_room_is_said_to_have_none(server: Server) -> None:
    """Its next block is not said to begin at once, and of others that are away it is said what follows."""
    cup, bots = await played(server)
    await server.create(bots[2], bots[0])
    async with server.stream(bots[2], max_matches=1), server.stream(bots[1], max_matches=1):
        (full,) = [
            sentence
            for each in await explained(server, cup, bot_id=bots[2].bot_id)
            for sentence in each.sentences
            if "waits for" in sentence
        ]
    assert full == (
        f"Block 0.0.0 waits for {bots[2].name}: {bots[2].name} plays 1 of the 1 table that it takes at once, "
        "over all competitions."
    )


async def test_a_swiss_pairing_is_explained(server: Server) -> None:
    """Every pair of the round, and the bye (T81)."""
    cup = await server.make_tournament(format=Swiss(rounds=2))
    bots = await server.team(3)
    await enter(server, cup, *bots)
    await start(server, cup)
    answer = await server.tournaments.ExplainPairing(pb.ExplainPairingRequest(tournament_id=cup))
    assert len(answer.explanations) == 5
    assert "has the bye" in " ".join(answer.explanations[1].sentences)


async def test_a_table_of_any_format_says_why_it_is_there(server: Server) -> None:
    """Of a gauntlet who the challenger is, of a knock-out which tie it is, and who has a bye (T81)."""
    bots = await server.team(3)
    ids = [bot.bot_id for bot in bots]
    gauntlet = Gauntlet(challengers=(ids[1],))
    for form, table, sentence in (
        (
            gauntlet,
            (ids[1], ids[0]),
            f"Block 0.0.0: each challenger meets everybody who is none; here it is {bots[1].name}.",
        ),
        (
            Knockout(best_of=3),
            (ids[1], ids[2]),
            "Block 0.1.0: tie 2 of round 1, between seed 2 and seed 3; it is block 1, and 2 won decide.",
        ),
    ):
        cup = await server.make_tournament(format=form)
        await enter(server, cup, *bots)
        await start(server, cup)
        key = sentence.split()[1].rstrip(":")
        block = Block(key, table, "base", rated=False, match_id=new_id(), why=("A wish.",))
        found = await server.stores.competitions.get(cup)
        await Direction(server.stores.pipe, 1).reserve(found, [block])
        (told, *_) = await explained(server, cup, bot_id=table[0])
        assert list(told.sentences[:2]) == ["A wish.", sentence]
        if isinstance(form, Knockout):
            best = await explained(server, cup, bot_id=ids[0])
            bye = f"{bots[0].name} has the bye in round 1: byes fall to the best seeds, and it is seed 1."
            assert bye in best[-1].sentences
