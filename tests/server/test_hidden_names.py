"""Where a competition hides names, no byte that a seat gets before the end says who the others are."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from dataclasses import replace as changed
from itertools import product

import grpc
import pytest
from google.api import annotations_pb2
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from shoal.competition.plan import Entrant
from shoal.competition.specification import RoundRobin, Specification
from shoal.server.play.creation import Creation
from shoal.server.store import new_id
from shoal.server.store.competition_nouns import Block, Note, State
from shoal.server.store.direction import Direction
from shoal.server.store.presence import Claim
from shoal.v1 import (
    bot_service_pb2,
    ladder_service_pb2,
    match_pb2,
    match_service_pb2,
    tournament_service_pb2,
)
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import METHODS
from tests.server.streams import PATIENCE, answer
from tests.server.support import Bot, Metadata, Server

NOTE = Note(0, "test", "test")


@dataclass
class Ear:
    """All bytes that a caller is sent."""

    server: Server
    metadata: Metadata
    heard: list[bytes] = field(default_factory=list)

    async def ask(self, method: MethodDescriptor, request: Message) -> bytes:
        """Make a call, and return its answer; a refusal is one too, with all that is in it."""
        path = f"/{method.containing_service.full_name}/{method.name}"
        data = request.SerializeToString()
        try:
            if method.server_streaming:
                stream = self.server.channel.unary_stream(path)(data, metadata=self.metadata)
                return b"".join([each async for each in stream])
            return bytes(await self.server.channel.unary_unary(path)(data, metadata=self.metadata))
        except grpc.aio.AioRpcError as error:
            told = [str(error.details()).encode()]
            told += [
                value if isinstance(value, bytes) else value.encode()
                for _, value in error.trailing_metadata() or ()
            ]
            return b"".join(told)

    @asynccontextmanager
    async def following(self, rpc: str, request: Message, *, duplex: bool) -> AsyncIterator[None]:
        """Listen to a stream until the end of the context."""
        path = f"/shoal.v1.{rpc}"
        begun = asyncio.Event()

        async def listen() -> None:
            if duplex:
                both = self.server.channel.stream_stream(path)(metadata=self.metadata)
                await both.write(request.SerializeToString())
                async for message in both:
                    self.heard.append(message)
                    begun.set()
            else:
                data = request.SerializeToString()
                one = self.server.channel.unary_stream(path)(data, metadata=self.metadata)
                async for message in one:
                    self.heard.append(message)
                    begun.set()

        task = asyncio.create_task(listen())
        try:
            async with asyncio.timeout(PATIENCE):
                await begun.wait()
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    def has(self, *words: str) -> list[str]:
        """Return those of these words that it has heard."""
        everything = b"\n".join(self.heard)
        return [word for word in words if word.encode() in everything]


async def hidden_match(server: Server, seats: Sequence[Bot]) -> tuple[str, str]:
    """Begin a match of a tournament that hides names; return the ids of both."""
    specification = changed(
        Specification("cup", RoundRobin(), seats=(len(seats),)), names_hidden=True
    )
    cup, match_id = new_id(), new_id()
    store = server.stores.competitions
    await store.create(cup, specification, State.RUNNING, NOTE)
    bots = [bot.bot_id for bot in seats]
    for bot in bots:
        await store.put_entrant(await store.get(cup), Entrant(bot), NOTE)
    block = Block("0.0.0", tuple(bots), "base", rated=True, match_id=match_id)
    await Direction(server.stores.pipe, 1).reserve(await store.get(cup), [block])
    await Creation(
        server.stores.matches, server.stores.bots, server.stores.competitions, "0.0"
    ).create_for_competition(
        match_id, bots, ruleset_name="base", competition=cup, rated=True, names_hidden=True
    )
    return cup, match_id


async def hidden_trial(server: Server, seats: Sequence[Bot]) -> tuple[str, str]:
    """Begin the trial of two bots on a ladder that hides names; return the ids of both."""
    ladder, match_id = f"ladder-{new_id()}", new_id()
    await server.make_ladder(ladder, seats=(2,), names_hidden=True)
    bots = tuple(bot.bot_id for bot in seats)
    for bot in seats:
        request = ladder_service_pb2.JoinLadderRequest(ladder_id=ladder)
        await server.ladders.JoinLadder(request, metadata=bot.metadata)
        memberships = server.stores.memberships
        known = (await memberships.of(ladder, [bot.bot_id]))[bot.bot_id]
        on_trial = changed(known, match_id=match_id, bots=bots, ruleset="base")
        await memberships.change(ladder, bot.bot_id, known, on_trial)
    await Creation(
        server.stores.matches, server.stores.bots, server.stores.competitions, "0.0"
    ).create_for_competition(
        match_id, bots, ruleset_name="base", competition="", rated=False, names_hidden=True
    )
    return ladder, match_id


READS = {
    name: method
    for name, method in METHODS.items()
    if method.GetOptions().Extensions[annotations_pb2.http].get
    # This one goes on until the end: it is listened to beside all others.
    and name != "MatchService.SpectateMatch"
}
"""All calls that only tell something, those among them that are yet to come."""

ROSTERS = {
    "BotService.ListBots",
    "ExportService.ExportCompetition",
    "ExportService.ListCrosstable",
    "LadderService.ExplainLadderPairing",
    "LadderService.ListStandings",
    "TournamentService.GetCrosstable",
    "TournamentService.ListTournamentStandings",
}
"""Those that tell everybody who takes part, and so must not tell of a match in play."""

COMPETITION = {"competition_id", "ladder_id", "tournament_id"}
BOTS = {"bot_id", "other_id"}


def requests(
    method: MethodDescriptor, competition: str, match_id: str, bots: Sequence[str]
) -> Iterator[tuple[Message, set[str]]]:
    """Yield requests with all that a method may be asked with, and the bots that they name."""
    fields = [field.name for field in method.input_type.fields]
    fixed = {field: competition for field in fields if field in COMPETITION}
    if "page_size" in fields:
        fixed["page_size"] = 500
    make = GetMessageClass(method.input_type)
    names = [field for field in fields if field in BOTS]
    for chosen in product(("", *bots), repeat=len(names)):
        yield make(**fixed, **dict(zip(names, chosen, strict=True))), set(chosen)
        if method.name == "ListMatches":  # a trial is no match of the ladder for which it is played
            yield make(page_size=500, **dict(zip(names, chosen, strict=True))), set(chosen)
    if "match_id" in fields:
        yield make(**fixed, match_id=match_id), set()


async def ask_everything(
    ear: Ear, competition: str, match_id: str, mine: Bot, others: Sequence[Bot]
) -> None:
    """Make every call that could tell a seat of a match who sits at the others; none does.

    What names no other bot has no word of them, and what does, or says who takes part, none of the match.
    """
    secrets = words_of(others)
    ids = {bot.bot_id for bot in others}
    for name, method in READS.items():
        for request, named in requests(method, competition, match_id, (mine.bot_id, *ids)):
            told = await ear.ask(method, request)
            if name == "MatchService.ListMatches":
                told = of_match(told, match_id)
                assert not told or named.isdisjoint(ids)
                assert told or getattr(request, "ladder_id", "") or named & ids
            is_roster = name in ROSTERS and not getattr(request, "match_id", "")
            banned = [match_id] if is_roster or named & ids else secrets
            assert [word for word in banned if word.encode() in told] == [], (name, request)


def of_match(told: bytes, match_id: str) -> bytes:
    """Return what a list of matches tells of one: others of this store are not what this is about."""
    found = match_service_pb2.ListMatchesResponse.FromString(told)
    return b"".join(each.SerializeToString() for each in found.matches if each.match_id == match_id)


def words_of(bots: Sequence[Bot]) -> list[str]:
    """Return the words that tell who sits there."""
    return [word for bot in bots for word in (bot.bot_id, bot.name, bot.owner)]


@pytest.mark.parametrize("way", ["stream", "watch", "following"])
@pytest.mark.parametrize("count", [2, 3])
async def test_no_seat_is_told_who_the_others_are(server: Server, way: str, count: int) -> None:
    """In none of the ways to play, nor by any other call, from before the deal to the end (T88)."""
    seats = [await server.register() for _ in range(count)]
    mine, *others = seats
    secrets = words_of(others)
    cup, match_id = await hidden_match(server, seats)
    ear = Ear(server, mine.metadata)
    ways = {
        "stream": ("PlayService/Play", pb.PlayRequest(hello=pb.Hello()), True),
        "watch": ("PlayService/Watch", pb.WatchRequest(hello=pb.Hello()), False),
        "following": ("PlayService/Watch", pb.WatchRequest(hello=pb.Hello(follow=True)), False),
    }
    rpc, hello, duplex = ways[way]
    spectate = match_service_pb2.SpectateMatchRequest(match_id=match_id)
    async with (
        ear.following(rpc, hello, duplex=duplex),
        ear.following("MatchService/SpectateMatch", spectate, duplex=False),
    ):
        await ask_everything(ear, cup, match_id, mine, others)
        for bot in seats:
            await server.ready(bot, match_id)
        for number in range(12):
            await move(server, seats, match_id)
            if number % 4 == 0:
                await ask_everything(ear, cup, match_id, mine, others)
    assert ear.has(match_id, mine.name, "seat 1") == [match_id, mine.name, "seat 1"]
    assert ear.has(*secrets) == []


async def test_no_seat_of_a_trial_is_told_who_the_other_is(server: Server) -> None:
    """Nor by how the other stands on its ladder (T88); itself, and an organizer, are told of the trial."""
    mine, other = [await server.register() for _ in range(2)]
    ladder, match_id = await hidden_trial(server, (mine, other))
    ear = Ear(server, mine.metadata)
    await ask_everything(ear, ladder, match_id, mine, [other])
    for caller, bot, told in (
        (mine.metadata, "", match_id),
        (mine.metadata, other.bot_id, ""),
        ((), mine.bot_id, ""),
        (await server.admin(), mine.bot_id, match_id),
    ):
        request = bot_service_pb2.GetBotStatusRequest(bot_id=bot)
        (membership,) = (await server.bots.GetBotStatus(request, metadata=caller)).memberships
        assert membership.trial_match_id == told


async def move(server: Server, seats: Sequence[Bot], match_id: str) -> None:
    """Play what is asked of one of these, if anything is."""
    for bot in seats:
        found = await server.plays.ListDecisions(pb.ListDecisionsRequest(), metadata=bot.metadata)
        for update in found.matches:
            if update.match_id == match_id and update.HasField("decision"):
                chosen = answer(update)
                request = pb.PlayMoveRequest(
                    match_id=match_id,
                    decision_id=chosen.decision_id,
                    option_id=chosen.option_id,
                )
                await server.plays.PlayMove(request, metadata=bot.metadata)
                return


async def test_nobody_is_told_which_bots_of_a_ladder_are_busy(server: Server) -> None:
    """Two that become busy at the same moment play each other: of others' bots nothing is told (T88)."""
    bots = [await server.register() for _ in range(3)]
    ladder = f"ladder-{new_id()}"
    await server.make_ladder(ladder, seats=(2,), names_hidden=True)
    for bot in bots:
        request = ladder_service_pb2.JoinLadderRequest(ladder_id=ladder)
        await server.ladders.JoinLadder(request, metadata=bot.metadata)
        claim = Claim(bot.bot_id, "p", 1, ("base",), (2,))
        await server.stores.presences.claim(claim, 600_000)
    playing = [bot.bot_id for bot in bots[:2]]
    await server.stores.bots.add_match(playing, new_id())

    async def told(metadata: Metadata) -> dict[str, str]:
        """Return what is told of each bot but for its id."""
        asked = ladder_service_pb2.ExplainLadderPairingRequest(ladder_id=ladder)
        page = await server.ladders.ExplainLadderPairing(asked, metadata=metadata)
        return {
            each.bot_ids[0]: f"{[*each.sentences]} {sorted(each.numbers.items())}"
            for each in page.explanations
        }

    assert len(set((await told(())).values())) == 1
    of_the_first = await told(bots[0].metadata)
    assert "live_matches" in of_the_first.pop(playing[0])
    assert len(set(of_the_first.values())) == 1
    assert all("live_matches" in each for each in (await told(await server.admin())).values())


async def test_everything_is_told_after_the_end(server: Server) -> None:
    """To the seat, to whoever asks, and in the record, which is as any other."""
    seats = [await server.register() for _ in range(2)]
    _, match_id = await hidden_match(server, seats)
    assert [seat.bot_name for seat in (await server.match(match_id)).seats] == ["seat 0", "seat 1"]
    for bot in seats:
        await server.ready(bot, match_id)
    await server.resign(seats[1], match_id)
    names = [bot.name for bot in seats]
    for match in (await server.match(match_id), (await server.record(match_id)).match):
        assert [seat.bot_name for seat in match.seats] == names
        assert [seat.bot_id for seat in match.seats] == [bot.bot_id for bot in seats]
    for bot in seats:
        request = match_service_pb2.ListMatchesRequest(bot_id=bot.bot_id)
        found = await server.matches.ListMatches(request)
        assert [each.match_id for each in found.matches] == [match_id]


async def test_a_seat_knows_itself_and_an_organizer_everybody(
    server: Server, other: Server
) -> None:
    """On every server, and also one that has read the match from the store."""
    seats = [await server.register() for _ in range(2)]
    cup, match_id = await hidden_match(server, seats)
    request = match_service_pb2.GetMatchRequest(match_id=match_id)

    async def seen(where: Server, metadata: Metadata) -> list[tuple[str, str]]:
        match: match_pb2.Match = (await where.matches.GetMatch(request, metadata=metadata)).match
        assert match.names_hidden
        return [(seat.bot_id, seat.bot_name) for seat in match.seats]

    everybody = [(bot.bot_id, bot.name) for bot in seats]
    for where in (server, other):
        assert await seen(where, ()) == [("", "seat 0"), ("", "seat 1")]
        assert await seen(where, seats[0].metadata) == [everybody[0], ("", "seat 1")]
        assert await seen(where, await server.admin()) == everybody
    blocks = tournament_service_pb2.ListBlocksRequest(tournament_id=cup)
    metadata = await server.admin()
    (block,) = (await server.tournaments.ListBlocks(blocks, metadata=metadata)).blocks
    assert list(block.bot_ids) == [bot.bot_id for bot in seats]
    why = tournament_service_pb2.ExplainPairingRequest(tournament_id=cup)
    assert (await server.tournaments.ExplainPairing(why, metadata=metadata)).explanations
