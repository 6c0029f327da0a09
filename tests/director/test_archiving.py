"""Taking matches out of the store: only what is over for long enough, that nobody needs, and that is kept."""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from shoal.competition.specification import Ladder, Specification
from shoal.match import Asks, MatchMeta, SeatMeta, TimeControl, encode_meta
from shoal.server.director.archiving import Archiving
from shoal.server.store import keys
from shoal.server.store.archive import Archive
from shoal.server.store.bells import Bells
from shoal.server.store.calls import Call
from shoal.server.store.commits import Commit
from shoal.server.store.competition_nouns import Block, Ended
from shoal.server.store.direction import Counted, Direction
from shoal.server.store.errors import Fenced
from shoal.server.store.matches import MatchStore, NewMatch
from shoal.server.store.pipe import Pipe
from shoal.server.store.shelves import Shelves

from .arena import QUICK, Arena, until
from .reads import results_of
from .watched import watched, words

SETTINGS = replace(QUICK, retention=0, archive=0.01, ladders=())
LADDER = Specification("main", Ladder())


class Attic:
    """An arena with an archive, and matches that end at once."""

    def __init__(self, pipe: Pipe, bells: Bells, folder: Path) -> None:
        self.arena = Arena(pipe, bells)
        self.pipe = pipe
        self.archive = Archive(folder)
        self.archive.prepare()
        self.matches = MatchStore(pipe, self.archive)
        self.bots = (keys.new_id(), keys.new_id())

    def archiving(self, token: int = 1, pipe: Pipe | None = None, **settings: float) -> Archiving:
        """Return what a director of this token does, through this pipe."""
        return Archiving(
            self.archive,
            Shelves(pipe or self.pipe, token, self.archive.place),
            self.arena.competitions,
            self.matches,
            self.arena.stores.bots,
            replace(SETTINGS, **settings),  # type: ignore[arg-type]
        )

    async def begin(self, ladder: str = "", match_id: str = "") -> str:
        """Make a match."""
        match_id = match_id or keys.new_id()
        meta = MatchMeta(
            match_id=match_id,
            ruleset="base",
            ruleset_version=1,
            seats=tuple(SeatMeta(bot, "") for bot in self.bots),
            time=TimeControl(move_ms=1000, max_strikes=0, ready_ms=0),
            ladder=ladder,
            rated=bool(ladder),
            created_ms=1,
            commitment="",
        )
        await self.arena.stores.bots.add_match(self.bots, match_id)
        new = NewMatch(match_id, encode_meta(meta).encode(), b"\xff", b"", "live", 60_000)
        assert await self.matches.create(new)
        return match_id

    async def end(self, match_id: str, payload: bytes = b"") -> None:
        """End a match; with a result, it is in the outbox."""
        match = await self.matches.load(match_id)
        assert match is not None
        await self.matches.submit_commit(
            Commit(
                match_id=match_id,
                rev=match.rev,
                version=match.version,
                prefix='["void",-1,"",""',
                state=b"",
                status="finished",
                asks=Asks.NONE,
                payload=payload,
                received=time.monotonic(),
            )
        )

    async def told(self, match_id: str) -> None:
        """Take a match from the lists of its bots, as whoever counts it does."""
        await self.arena.stores.bots.end_match(self.bots, match_id)

    async def over(self, ladder: str = "") -> str:
        """Return a match that is over and that nobody needs, but for its ladder."""
        match_id = await self.begin(ladder)
        await self.end(match_id)
        await self.told(match_id)
        return match_id

    async def is_there(self, match_id: str) -> bool:
        """Tell whether Redis has it."""
        return bool(await self.pipe.command("EXISTS", keys.match(match_id)))


@pytest.fixture
def attic(pipe: Pipe, bells: Bells, tmp_path: Path) -> Attic:
    return Attic(pipe, bells, tmp_path / "archive")


async def all_keys(pipe: Pipe) -> set[bytes]:
    return {key for master in pipe.masters for key in await master.command("KEYS", "*")}


async def test_nothing_is_left_of_a_match_that_was_taken_out(attic: Attic) -> None:
    """But a mark of its partition; and all that was stored is in the archive."""
    ids = [await attic.over() for _ in range(30)]
    before = [await attic.matches.load(match_id) for match_id in ids]
    logs = [await attic.matches.entries(match_id) for match_id in ids]
    while await attic.archiving().look():
        pass
    marks = {keys.ARCHIVE[keys.partition_of(match_id)].encode() for match_id in ids}
    clocks = {keys.CLOCK[partition].encode() for partition in range(keys.PARTITIONS)}
    assert await all_keys(attic.pipe) - clocks == marks
    fresh = MatchStore(attic.pipe, attic.archive)
    assert [await fresh.load(match_id) for match_id in ids] == before
    assert [await fresh.entries(match_id) for match_id in ids] == logs
    assert await fresh.statuses(ids) == dict.fromkeys(ids, "finished")


async def test_what_is_not_over_for_long_enough_stays(attic: Attic) -> None:
    """Neither a match that is played, nor one that has only just ended, however old it is."""
    hour = 3_600_000
    then = time.time_ns() // 1_000_000 - 5 * hour
    old = f"07{then:012x}{keys.new_id()[14:]}"
    live = await attic.begin()
    await attic.begin(match_id=old)
    await attic.end(old)
    await attic.told(old)
    patient = attic.archiving(retention=3600)
    assert not await patient.look()
    assert not await attic.archiving().look()
    assert await attic.is_there(live)
    assert not await attic.is_there(old)


async def test_what_is_not_due_is_gone_through_once_and_then_it_rests(attic: Attic) -> None:
    """However many one partition has: others are not read again meanwhile, and of live matches no log is."""
    many = [await attic.begin(match_id=keys.new_id(7)) for _ in range(25)]
    due, live = keys.new_id(8), await attic.begin(match_id=keys.new_id(8))
    await attic.begin(match_id=due)
    await attic.end(due)
    await attic.told(due)
    asked: list[str] = []
    logs: list[str] = []

    def note(call: Call) -> None:
        name, *rest = words(call)
        if name == "ZRANGEBYLEX":
            asked.append(rest[0])
        elif name == "LRANGE":
            logs.append(rest[0])

    archiving = attic.archiving(pipe=watched(attic.pipe, note))
    assert [await archiving.look() for _ in range(3)] == [True, True, False]
    assert asked[-2:] == [keys.MATCHES[7]] * 2
    assert len(asked) == keys.PARTITIONS + 2
    assert logs == [keys.log(due)]
    assert not await attic.is_there(due)
    assert all([await attic.is_there(each) for each in (*many, live)])
    assert await archiving.look()
    assert len(asked) == 2 * keys.PARTITIONS + 2


async def test_a_bot_that_is_not_told_the_end_keeps_it(attic: Attic) -> None:
    """As long as it is in the list of one of its bots, or among what they are told is void after all."""
    listed, void = await attic.over(), await attic.over()
    await attic.arena.stores.bots.add_match(attic.bots[:1], listed)
    await attic.arena.stores.bots.annul_match(attic.bots[1:], void)
    await attic.archiving().look()
    assert await attic.is_there(listed)
    assert await attic.is_there(void)
    await attic.told(listed)
    await attic.archiving().look()
    assert not await attic.is_there(listed)


async def test_a_result_that_is_not_counted_keeps_its_match(attic: Attic) -> None:
    """Whether it is in the outbox, or its competition has none of it, or its block is in play with it."""
    arena, pipe = attic.arena, attic.pipe
    await arena.make(LADDER, "main")
    posted = await attic.begin()
    await attic.end(posted, payload=b"{}")
    await attic.told(posted)
    uncounted, playing = await attic.over("main"), await attic.over("main")
    direction = Direction(pipe, 1)
    found = await arena.competitions.get("main")
    block = Block("b", attic.bots, "base", rated=True, match_id=playing)
    await direction.reserve(found, [block])
    await direction.count(found, playing, b"{}", Counted({}))
    for _ in range(3):
        await attic.archiving().look()
    for match_id in (posted, uncounted, playing):
        assert await attic.is_there(match_id)
    (entry,) = await arena.stores.outbox.read(keys.partition_of(posted), "", 10)
    await arena.stores.outbox.advance({entry.partition: entry.position})
    await direction.count(found, uncounted, b"{}", Counted({}))
    await direction.count(
        found, "later", b"{}", Counted({}, ended=Ended(replace(block, match_id=""), "void", ()))
    )
    await attic.archiving().look()
    for match_id in (posted, uncounted, playing):
        assert not await attic.is_there(match_id)


async def test_what_was_kept_is_not_taken_out_when_it_has_changed(attic: Attic) -> None:
    """A store that went back may have another course of a match: then both stay, and it is said."""
    match_id = await attic.over()
    (kept,) = await Shelves(attic.pipe, 1, "x").read([match_id])
    attic.archive.write([replace(kept, fields={**kept.fields, "rev": b"another"})])
    with capture_logs() as logs:
        archiving = attic.archiving()
        for _ in range(3):
            await archiving.look()
    assert [line["event"] for line in logs] == ["archive_differs"]
    assert await attic.is_there(match_id)
    changed = replace(kept, fields={**kept.fields, "rev": b"another"})
    assert not await Shelves(attic.pipe, 1, "x").remove(changed, attic.bots)
    assert await attic.is_there(match_id)


async def test_who_lost_the_lease_takes_nothing_out(attic: Attic) -> None:
    """A partition remembers the highest token."""
    partition = 9
    first, second = (keys.new_id(partition) for _ in range(2))
    for match_id in (first, second):
        await attic.begin(match_id=match_id)
        await attic.end(match_id)
        await attic.told(match_id)
    one, two = await Shelves(attic.pipe, 1, "x").read([first, second])
    assert await Shelves(attic.pipe, 8, "new").remove(one, attic.bots)
    with pytest.raises(Fenced):
        await Shelves(attic.pipe, 7, "old").remove(two, attic.bots)
    assert await attic.is_there(second)
    assert await Shelves(attic.pipe, 8, "new").remove(one, attic.bots)  # again is a success


async def test_a_match_without_all_of_its_log_is_left_to_people(attic: Attic) -> None:
    """What cannot be made again from what is stored is not kept as if it could; others are."""
    broken, whole = await attic.over(), await attic.over()
    await attic.pipe.command("LPOP", keys.log(broken))
    with capture_logs() as logs:
        archiving = attic.archiving()
        for _ in range(3):
            await archiving.look()
    assert [(line["event"], line["match"]) for line in logs] == [("match_not_archived", broken)]
    assert await attic.is_there(broken)
    assert not await attic.is_there(whole)


async def test_a_disk_that_cannot_be_written_takes_nothing(
    attic: Attic, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said, tried again, and nothing leaves the store before."""
    match_id = await attic.over()
    full = True
    write: Callable[..., object] = Archive.write

    def on_disk(self: Archive, matches: object) -> object:
        if full:
            raise OSError(28, "No space left on device")
        return write(self, matches)

    monkeypatch.setattr(Archive, "write", on_disk)
    stores = replace(attic.arena.stores, archive=attic.archive, matches=attic.matches)
    with capture_logs() as logs:
        async with attic.arena.directing(settings=SETTINGS, stores=stores):

            async def was_said() -> bool:
                return sum(line["event"] == "archive_unusable" for line in logs) > 2

            await until(was_said)
            assert await attic.is_there(match_id)
            full = False

            async def is_gone() -> bool:
                return not await attic.is_there(match_id)

            await until(is_gone)
    assert attic.archive.has([match_id])


async def test_an_id_that_was_taken_out_is_not_made_again(attic: Attic) -> None:
    """Whoever was stopped for ages, and still wants to create its match, is told that it is there."""
    match_id = await attic.over()
    await attic.archiving().look()
    assert not await attic.is_there(match_id)
    again = NewMatch(match_id, b"{}", b"", b"", "live", 1000)
    assert not await attic.matches.create(again)
    assert not await attic.is_there(match_id)
    assert await attic.matches.create(replace(again, match_id=keys.new_id()))


async def test_a_season_leaves_its_results_and_no_match(attic: Attic) -> None:
    """A real director pairs, counts and archives; the ladder knows every result."""
    arena = attic.arena
    stores = replace(arena.stores, archive=attic.archive, matches=attic.matches)
    arena.stores, arena.matches = stores, attic.matches
    settings = replace(SETTINGS, ladders=QUICK.ladders, cool_off=0)
    played: list[str] = []
    meta = attic.begin

    async def create(pairing: object) -> None:
        attic.bots = pairing.bots  # type: ignore[attr-defined]
        with_id = pairing.match_id  # type: ignore[attr-defined]
        if with_id not in played:
            await meta("main", with_id)
            played.append(with_id)
            arena.created.put_nowait(pairing)  # type: ignore[arg-type]

    async with arena.directing(create, settings, stores):

        async def has_ladder() -> bool:
            return bool(await arena.competitions.active())

        await until(has_ladder)
        await arena.arrive("a", "b", "c", "d", seats=(2,))
        for _ in range(24):
            await arena.finish(await arena.next_match())

        async def is_clear() -> bool:
            there = [match_id for match_id in played[:20] if await attic.is_there(match_id)]
            return not there

        await until(is_clear)
    results = await results_of(arena.competitions, "main")
    assert len(results) == 24
    assert attic.archive.has(played[:20]) == {*played[:20]}
    for text in results.values():
        assert json.loads(text)["ladder"] == "main"


async def test_two_directors_archive_the_same(attic: Attic) -> None:
    """Both at once, on the same matches: whoever is second finds it done (T76)."""
    ids = [await attic.over() for _ in range(40)]

    async def clear(token: int) -> None:
        archiving = attic.archiving(token)
        while await archiving.look():
            pass

    outcomes = await asyncio.gather(clear(1), clear(2), return_exceptions=True)
    assert all(each is None or isinstance(each, Fenced) for each in outcomes)
    await clear(3)
    assert attic.archive.has(ids) == {*ids}
    assert not any([await attic.is_there(match_id) for match_id in ids])
