"""Where a competition hides names, no byte that a seat gets before the end says who the others are."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from dataclasses import replace as changed

import grpc
import pytest
from google.protobuf.message import Message

from shoal.competition.plan import Entrant
from shoal.competition.specification import RoundRobin, Specification
from shoal.server.play.creation import Creation
from shoal.server.store import new_id
from shoal.server.store.competition_nouns import Block, Note, State
from shoal.server.store.direction import Direction
from shoal.v1 import match_pb2, match_service_pb2, tournament_service_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.streams import PATIENCE, answer
from tests.server.support import Bot, Metadata, Server

NOTE = Note(0, "test", "test")


@dataclass
class Ear:
    """All bytes that a caller is sent."""

    server: Server
    metadata: Metadata
    heard: list[bytes] = field(default_factory=list)

    async def ask(self, rpc: str, request: Message) -> bytes:
        """Make a plain call, and return its answer; a refusal is heard too, with all that is in it."""
        call = self.server.channel.unary_unary(f"/shoal.v1.{rpc}")
        try:
            self.heard.append(await call(request.SerializeToString(), metadata=self.metadata))
        except grpc.aio.AioRpcError as error:
            told = [str(error.details()).encode()]
            told += [
                value if isinstance(value, bytes) else value.encode()
                for _, value in error.trailing_metadata() or ()
            ]
            self.heard += told
        return self.heard[-1]

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
        await store.enter(await store.get(cup), Entrant(bot), NOTE)
    block = Block("0.0.0", tuple(bots), "base", rated=True, match_id=match_id)
    await Direction(server.stores.pipe, 1).reserve(await store.get(cup), [block])
    await Creation(server.stores.matches, server.stores.bots, "0.0").create_for_competition(
        match_id, bots, ruleset_name="base", competition=cup, rated=True, names_hidden=True
    )
    return cup, match_id


async def ask_everything(
    ear: Ear, cup: str, match_id: str, mine: Bot, others: Sequence[Bot]
) -> None:
    """Make every call that could tell a seat of a match who sits at the others."""
    await ear.ask("PlayService/ListDecisions", pb.ListDecisionsRequest())
    await ear.ask("MatchService/GetMatch", match_service_pb2.GetMatchRequest(match_id=match_id))
    await ear.ask(
        "MatchService/GetMatchRecord", match_service_pb2.GetMatchRecordRequest(match_id=match_id)
    )
    for bot_id in ("", mine.bot_id, *(bot.bot_id for bot in others)):
        request = match_service_pb2.ListMatchesRequest(bot_id=bot_id, page_size=500)
        found = match_service_pb2.ListMatchesResponse.FromString(
            await ear.ask("MatchService/ListMatches", request)
        )
        ids = {each.match_id for each in found.matches}
        assert (match_id in ids) == (bot_id in {"", mine.bot_id})
        # Other matches of this store are not what this is about.
        ear.heard[-1] = b"".join(
            each.SerializeToString() for each in found.matches if each.match_id == match_id
        )
    blocks = tournament_service_pb2.ListBlocksRequest(tournament_id=cup)
    await ear.ask("TournamentService/ListBlocks", blocks)
    why = tournament_service_pb2.ExplainPairingRequest(tournament_id=cup)
    await ear.ask("TournamentService/ExplainPairing", why)


@pytest.mark.parametrize("way", ["stream", "watch", "following"])
@pytest.mark.parametrize("count", [2, 3])
async def test_no_seat_is_told_who_the_others_are(server: Server, way: str, count: int) -> None:
    """In none of the ways to play, nor by any other call, from before the deal to the end (T88)."""
    seats = [await server.register() for _ in range(count)]
    mine, *others = seats
    secrets = [word for bot in others for word in (bot.bot_id, bot.name, bot.owner)]
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
        for _ in range(12):
            await move(server, seats, match_id)
            await ask_everything(ear, cup, match_id, mine, others)
    assert ear.has(match_id, mine.name, "seat 1") == [match_id, mine.name, "seat 1"]
    assert ear.has(*secrets) == []


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
