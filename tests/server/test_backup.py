"""Backups that are taken while a server plays and archives: restored, everything is there, and goes on."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from shoal.cli.main import run
from shoal.server.store import launch_redis
from shoal.server.store.archive import Archive
from shoal.server.stores import open_stores
from shoal.v1 import match_service_pb2 as matches
from shoal.v1.export_service_pb2 import ExportLine
from tests.server.archiving import archiving, taken_out
from tests.server.support import Bot, Server, serving_on, until
from tests.server.test_competition_export import Season
from tests.server.test_tournaments import created, enter, standings


@dataclass
class Arena:
    """A server on a private Redis with an archive, and bots that play on and on."""

    server: Server
    folder: Path
    bots: list[Bot]
    ended: dict[str, matches.MatchRecord] = field(default_factory=dict)
    """Of every match whose end was acknowledged, its record."""

    async def play(self, *seats: Bot) -> None:
        """Play matches of a move and a resignation, for ever."""
        while True:
            async with self.server.asking(*seats) as question:
                await self.server.play(question.asked, question.update)
                await self.server.resign(question.asked, question.match_id)
                record = await self.server.record(question.match_id)
                self.ended[question.match_id] = record

    async def shoal(self, *words: str) -> int:
        """Run a command beside it."""
        return await asyncio.to_thread(run, list(words))


@asynccontextmanager
async def arena(folder: Path) -> AsyncIterator[Server]:
    """Run a server on what is in a folder: a store, and an archive."""
    with launch_redis(folder / "data") as redis:
        async with (
            open_stores(redis.url, Archive(folder / "archive")) as stores,
            serving_on(stores) as server,
        ):
            yield server


async def test_everything_is_there_after_a_restoration(tmp_path: Path) -> None:
    """Taken under load, while matches move from the store into the archive; a server goes on from it."""
    old, new, kept = tmp_path / "old", tmp_path / "new", tmp_path / "kept"
    async with arena(old) as server:
        here = Arena(server, old, await server.team(2))
        await server.make_ladder("main")
        season = Season(server, "main", here.bots)
        await season.play(5)
        cup = (await created(server)).tournament_id
        await enter(server, cup, *here.bots)
        placed = await standings(server, cup)
        live, more = await server.deal(*here.bots), await server.team(4)
        async with asyncio.TaskGroup() as tasks, archiving(server.stores, Archive(old / "archive")):
            exported = await published(season)
            load = [tasks.create_task(here.play(*pair)) for pair in (more[:2], more[2:])]
            await enough(here, 12)
            await taken_out(server.stores, *list(here.ended)[:6])
            before = dict(here.ended)
            words = ("--data-dir", str(old / "data"), "--archive-dir", str(old / "archive"))
            assert await here.shoal("backup", str(kept), *words, "--json") == 0
            await enough(here, len(before) + 2)  # nobody was kept from playing
            for each in load:
                each.cancel()
        version = (await server.match(live)).version
    words = ("--data-dir", str(new / "data"), "--archive-dir", str(new / "archive"))
    assert await here.shoal("restore", str(kept), *words) == 0
    async with arena(new) as server:
        for match_id, record in before.items():
            assert await server.record(match_id) == record
        assert [*Season(server, "main", here.bots).bots] == [bot.bot_id for bot in here.bots]
        again = await Season(server, "main", here.bots).lines()
        assert again[1:] == exported[1:]  # but for the moment
        assert await standings(server, cup) == placed
        assert (await server.match(live)).version == version
        await server.resign(here.bots[0], live)  # with the token that it was given
        assert (await server.record(live)).match.HasField("result")


async def published(season: Season) -> list[ExportLine]:
    """Return what is exported once the ratings are published, as the director of the archive does."""
    lines: list[ExportLine] = []

    async def of_all() -> bool:
        lines[:] = await season.lines()
        rated = [line.rating for line in lines if line.HasField("rating")]
        return all(each.HasField("published") for each in rated)

    await until(of_all)
    return lines


async def enough(here: Arena, count: int) -> None:
    """Return when so many matches have ended."""
    async with asyncio.timeout(60):
        while len(here.ended) < count:  # noqa: ASYNC110 - the load has no event for it
            await asyncio.sleep(0.02)


async def test_a_store_that_nobody_uses_is_backed_up_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its Redis is started for that, and ended."""
    old, new, kept = tmp_path / "old", tmp_path / "new", tmp_path / "kept"
    async with arena(old) as server:
        bots = await server.team(2)
        match_id = await server.deal(*bots)
    command = ["backup", str(kept), "--data-dir", str(old / "data"), "--json"]
    assert await asyncio.to_thread(run, command) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["type"], said["archived"]) == ("shoal-backup", None)
    assert sorted(path.name for path in listed(kept)) == ["backup.json", "store.rdb"]
    command = ["restore", str(kept), "--data-dir", str(new / "data")]
    assert await asyncio.to_thread(run, command) == 0
    async with arena(new) as server:
        assert (await server.match(match_id)).match_id == match_id


def listed(folder: Path) -> list[Path]:
    return list(folder.iterdir())


@pytest.fixture
async def kept(tmp_path: Path) -> Path:
    """A backup with a match in the archive; the store of it is in `old`."""
    old, kept = tmp_path / "old", tmp_path / "kept"
    async with arena(old) as server:
        bots = await server.team(2)
        match_id = await server.deal(*bots)
        await server.resign(bots[0], match_id)
        async with archiving(server.stores, Archive(old / "archive")):
            await taken_out(server.stores, match_id)
    words = ["--data-dir", str(old / "data"), "--archive-dir", str(old / "archive")]
    assert await asyncio.to_thread(run, ["backup", str(kept), *words]) == 0
    return kept


async def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Run a command that must be refused, and return what it says."""
    capsys.readouterr()
    assert await asyncio.to_thread(run, list(map(str, words))) == 2
    return capsys.readouterr().err


def spoil(path: Path) -> None:
    """Change the last byte of a file."""
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


async def test_what_is_not_whole_is_not_put_back(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a changed store, nor a match that is missing or broken, nor a backup without its end."""
    data, archive = tmp_path / "data", tmp_path / "archive"
    words = ("restore", kept, "--data-dir", data, "--archive-dir", archive)
    (match,) = (kept / "archive").glob("*/*/*.gz")
    spoil(kept / "store.rdb")
    assert "checksum differs" in await refused(capsys, *words)
    spoil(kept / "store.rdb")
    text = match.read_bytes()
    match.write_bytes(text[:-4])
    assert "is broken" in await refused(capsys, *words)
    match.unlink()
    assert "has 0 matches, and had 1" in await refused(capsys, *words)
    match.write_bytes(text)
    manifest = (kept / "backup.json").read_text()
    (kept / "backup.json").unlink()
    assert "not a complete one" in await refused(capsys, *words)
    (kept / "backup.json").write_text(manifest.replace('"format": 1', '"format": 2'))
    assert "another version" in await refused(capsys, *words)
    assert not data.exists()
    assert not archive.exists()
    (kept / "backup.json").write_text(manifest)
    assert await asyncio.to_thread(run, list(map(str, words))) == 0


async def test_nothing_that_is_there_is_overwritten(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a store nor a backup; and an archive that there is must be named."""
    old = tmp_path / "old"
    words = ("--data-dir", old / "data", "--archive-dir", old / "archive")
    assert "has a store already" in await refused(capsys, "restore", kept, *words)
    assert "File exists" in await refused(capsys, "backup", kept, *words)
    said = await refused(capsys, "backup", tmp_path / "next", "--data-dir", old / "data")
    assert "--without-archive" in said
    assert not (tmp_path / "next").exists()
    command = ("backup", tmp_path / "next", "--data-dir", old / "data", "--without-archive")
    assert await asyncio.to_thread(run, list(map(str, command))) == 0
    said = await refused(capsys, "restore", kept, "--data-dir", tmp_path / "data")
    assert "give --archive-dir" in said
