"""The first message of a stream, which may be of very many matches."""

import asyncio
from collections.abc import Callable

import pytest

from shoal.server.hub.table import Table
from shoal.server.services import outgoing
from shoal.server.services.updates import SnapshotPart
from shoal.server.streams.session import Session
from tests.server.support import Server


async def test_the_loop_looks_between_two_matches_of_a_snapshot(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that opens streams with many old matches does not make the server stand still (T47).

    That would slow everybody, and stop the bot's own clock too.
    """
    bots = await server.team(2)
    made = {await server.deal(*bots) for _ in range(4)}
    happened: list[str] = []
    make: Callable[[Session, Table], SnapshotPart] = outgoing.snapshot_part

    def noted(session: Session, table: Table) -> SnapshotPart:
        happened.append("a match")
        asyncio.get_running_loop().call_soon(happened.append, "what came in")
        return make(session, table)

    monkeypatch.setattr(outgoing, "snapshot_part", noted)
    async with server.stream(bots[0], since=dict.fromkeys(made, 0)) as stream:
        assert {each.match_id for each in stream.snapshot.matches} == made
    assert happened == ["a match", "what came in"] * len(made)
