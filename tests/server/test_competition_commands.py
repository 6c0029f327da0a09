"""`shoal competition` against a server, as an organizer uses it."""

import json
from pathlib import Path

import pytest

from shoal.competition.plan import Entrant
from shoal.server.store import new_id
from shoal.server.store.competition_nouns import Note
from tests.server.support import Server, shoal

NOTE = Note(0, "test", "test")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for files, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_a_ladder_in_the_hand_of_its_organizer(
    server: Server, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Paused, drained, resumed, a bot and a time excluded and the bot readmitted; all of it is listed."""
    ladder = f"ladder-{new_id()}"
    await server.make_ladder(ladder)
    bad, _ = await server.team(2)
    found = await server.stores.competitions.get(ladder)
    await server.stores.competitions.put_entrant(found, Entrant(bad.bot_id, bad.owner), NOTE)
    (files / "admin").write_text(dict(await server.admin())["authorization"].split()[1])

    async def said(command: str, *words: str) -> str:
        code = await shoal(server, "competition", command, ladder, *words, "--token-file", "admin")
        out, err = capsys.readouterr()
        assert code == 0, err
        return out

    again = ("competition", "readmit", ladder)
    assert "state     running" in await said("show")
    assert "state     paused" in await said("pause", "--why", "lunch")
    assert "state     paused" in await said("drain")
    assert "state     running" in await said("resume")
    assert "state     draining" in await said("drain")
    assert json.loads(await said("resume", "--json"))["state"] == "COMPETITION_STATE_RUNNING"
    shown = await said(
        *("exclude", bad.bot_id, "--why", "cheats"),
        *("--uncounted", "2020-01-01T00:00+01:00/2020-02-01"),
    )
    assert f"excluded  {bad.name} ({bad.bot_id}) since 20" in shown
    span = "from 2019-12-31T23:00:00+00:00 to 2020-02-01T00:00:00+00:00"
    assert f"no result {span} of {bad.name} ({bad.bot_id}) counts: cheats" in shown
    assert "excluded" not in await said("readmit", bad.bot_id, "--restore")
    assert await shoal(server, *again, bad.bot_id, "--token-file", "admin") == 0
    assert capsys.readouterr().err == "nothing has changed: it was so already\n"
    shown = await said("exclude-period", "--from", "2020-01-01", "--until", "2020-01-02")
    assert "from 2020-01-01T00:00:00+00:00 to 2020-01-02T00:00:00+00:00 counts" in shown
    assert "just computed again" in shown
    told = json.loads(await said("actions", "--json"))
    assert [line["action"] for line in told if line["who"] == "owner operator"] == [
        *("exclude period", "readmit", "exclude"),
        *("resume", "drain", "resume", "pause"),
    ]
    told = await said("actions")
    assert f"exclude         {bad.name} ({bad.bot_id})" in told
    assert "2020-01-01T00:00:00+00:00 to 2020-01-02T00:00:00+00:00" in told
    assert "1970" not in told
    rows = (await said("actions", "--limit", "1")).splitlines()
    assert [rows[0].split(), len(rows)] == [["when", "who", "what", "of", "why"], 2]


async def test_a_pairing_is_forced_and_a_match_made_void(
    server: Server, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The key of the block is printed; what a match is void for is in the list of casual ones."""
    ladder = f"ladder-{new_id()}"
    await server.make_ladder(ladder)
    bots = [await server.register() for _ in range(2)]
    for bot in bots:
        found = await server.stores.competitions.get(ladder)
        await server.stores.competitions.put_entrant(found, Entrant(bot.bot_id, bot.owner), NOTE)
    (files / "admin").write_text(dict(await server.admin())["authorization"].split()[1])
    ids = ",".join(bot.bot_id for bot in bots)
    force = ("competition", "force", ladder, "--bots", ids, "--token-file", "admin")
    assert await shoal(server, *force) == 2
    told = capsys.readouterr().err
    assert f"bot '{bots[0].name}' is not connected" in told
    async with server.stream(bots[0]), server.stream(bots[1]):
        assert await shoal(server, *force) == 0
        key = capsys.readouterr().out.strip()
        assert key in await server.stores.competitions.blocks(ladder)
    team = await server.team(2)
    match_id = await server.create(*team)
    void = ("match", "void", match_id, "--why", "a bug", "--token-file", "admin")
    assert await shoal(server, *void) == 0
    assert capsys.readouterr().out == f"match {match_id}: does not count\n"
    assert await shoal(server, "competition", "actions", "-", "--token-file", "admin") == 0
    assert f"void {match_id} a bug" in " ".join(capsys.readouterr().out.split())
