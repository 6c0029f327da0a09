"""What an organizer sees at the command line where names are hidden, and everybody else does not."""

import json
from pathlib import Path

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.specification import RoundRobin, Specification
from shoal.server.store import new_id
from shoal.server.store.competition_nouns import Block, Note, State
from shoal.server.store.direction import Direction
from tests.server.support import Bot, Server, shoal

NOTE = Note(0, "test", "test")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for files, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def hidden(server: Server, *, ladder: bool) -> tuple[str, list[Bot], Block]:
    """Make a competition that hides names, with a block in play of its two bots."""
    name = f"ladder-{new_id()}" if ladder else new_id()
    store = server.stores.competitions
    if ladder:
        await server.make_ladder(name, names_hidden=True)
    else:
        asked = Specification("cup", RoundRobin(), names_hidden=True)
        await store.create(name, asked, State.RUNNING, NOTE)
    bots = [await server.register() for _ in range(2)]
    for bot in bots:
        await store.put_entrant(await store.get(name), Entrant(bot.bot_id, bot.owner), NOTE)
    block = Block(
        new_id() if ladder else "0.0.0",
        tuple(bot.bot_id for bot in bots),
        "base",
        rated=True,
        match_id=new_id(),
        why=(f"{bots[0].bot_id} was there.",),
    )
    await Direction(server.stores.pipe, 1).reserve(await store.get(name), [block])
    return name, bots, block


@pytest.mark.parametrize("ladder", [True, False], ids=["ladder", "tournament"])
async def test_an_organizer_is_told_of_what_is_in_play_with_a_token_file(
    server: Server, files: Path, capsys: pytest.CaptureFixture[str], *, ladder: bool
) -> None:
    """By `explain` and by `export`, and nobody without one (T88)."""
    name, bots, block = await hidden(server, ladder=ladder)
    (files / "admin").write_text(dict(await server.admin())["authorization"].split()[1])
    which = ("--ladder", name) if ladder else (name,)
    kind = "ladder" if ladder else "tournament"

    async def said(command: str, *words: str) -> str:
        await shoal(server, kind, command, *which, *words)
        return capsys.readouterr().out

    assert block.match_id not in await said("export")
    pairings = [
        line["bots"]
        for line in map(json.loads, (await said("export", "--token-file", "admin")).splitlines())
        if line["type"] == "pairing"
    ]
    assert pairings == [[bot.bot_id for bot in bots]]
    if not ladder:
        assert block.match_id not in await said("blocks")
        row = (await said("blocks", "--token-file", "admin")).splitlines()[1]
        shown = ["0.0.0", "base", "open", block.match_id, "in", "play"]
        assert row.split() == [*shown, f"{bots[0].name},", bots[1].name]
    assert bots[1].name not in (await said("explain", "--bot", bots[0].bot_id))
    told = await said("explain", "--bot", bots[0].bot_id, "--token-file", "admin")
    assert block.match_id in told if ladder else bots[1].name in told
