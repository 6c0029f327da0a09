"""`shoal tournament` against a server, as an organizer and the owners of bots use it."""

import asyncio
from pathlib import Path

import pytest

from shoal.cli.main import run
from tests.server.support import Bot, Server, shoal

CUP = """
name = "Friday cup"
rulesets = ["salt"]

[format]
kind = "gauntlet"
challengers = ["{challenger}"]
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for files, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_a_tournament_from_its_file_to_being_called_off(
    server: Server, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Made, entered, shown, explained, begun, left and called off."""
    first, second = await server.team(2)
    (files / "cup.toml").write_text(CUP.format(challenger=first.name))
    (files / "admin").write_text(dict(await server.admin())["authorization"].split()[1])

    async def said(*words: str, by: str = "") -> str:
        token = ("--token-file", by) if by else ()
        code = await shoal(server, "tournament", *words, *token)
        out, err = capsys.readouterr()
        assert code == 0, err
        return out

    def token_of(bot: Bot) -> str:
        (files / bot.name).write_text(bot.token)
        return bot.name

    cup = (await said("create", "cup.toml", by="admin")).strip()
    assert cup in await said("list")
    assert "entrants  0\n" in await said("show", cup)
    for bot in (first, second):
        await said("enter", cup, by=token_of(bot))
    await said("start", cup, by="admin")
    shown = await said("show", cup)
    assert "running" in shown
    assert "gauntlet" in shown
    assert f"entered   {first.name}, {second.name}\n" in shown
    lines = (await said("standings", cup)).splitlines()
    assert lines[0].split()[:4] == ["rank", "bot", "points", "of"]
    assert [line.split()[1] for line in lines[1:]] == [first.name, second.name]
    table = (await said("crosstable", cup)).splitlines()
    assert table[1].split() == ["1", first.name, "x", "-", "-"]
    told = await said("explain", cup)
    assert f"{first.name} is not connected. What waits for it: 1 block." in told
    await said("withdraw", cup, by=token_of(second))
    assert f"{second.name} (withdrawn)" in await said("standings", cup)
    await said("cancel", cup, "--why", "rain", by="admin")
    assert "called off: rain" in await said("show", cup)
    assert f"{cup}  called off: rain\n" in await said("list")


def test_every_problem_of_a_file_is_a_line(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And each names its field; nothing is sent anywhere."""
    (files / "bad.toml").write_text('name = ""\nseats = [9]\n[format]\nkind = "swiss"\nround = 1\n')
    assert run(["tournament", "create", "bad.toml", "--token-file", "none"]) == 2
    told = capsys.readouterr().err.replace("shoal: ", "").splitlines()
    assert {line.split(": ")[1] for line in told} == {"format.round", "name", "seats", "seats[0]"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "not TOML"),
        ("a = " + 3000 * "[" + 3000 * "]", "nested too deep"),
        ("a = " + 5000 * "9", "not TOML"),
        ('name = "x"', "format: must be given"),
        ('name = "x"\nentrants = 3\n[format]\nkind = "swiss"', "entrants: must be a list of bots"),
        ('name = "x"\n[format]\nkind = "ladder"', "format.kind: a ladder is no tournament"),
        ('name = "x"\n[format]\nkind = "swiss"', "entrants: list two at least"),
        (
            'name = "x"\nentrants = ["planner", "planner"]\n[format]\nkind = "swiss"',
            "entrants: a name is listed twice",
        ),
        (
            'name = "x"\nentrants = ["planner", "nobody"]\n[format]\nkind = "swiss"',
            "'nobody' is none of random, greedy, planner",
        ),
    ],
)
async def test_what_cannot_be_played_is_refused_before_anything_starts(
    files: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    """In one line that names the field of the file."""
    (files / "cup.toml").write_text(text)
    assert await asyncio.to_thread(run, ["tournament", "run", "cup.toml"]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what to do."""
    assert run(["tournament", "run", str(files / "none.toml")]) == 2
    assert "none.toml: No such file or directory: check the path" in capsys.readouterr().err


async def test_what_the_server_finds_wrong_is_said_of_the_file(
    server: Server, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the path that its author wrote: the request has another one, which is longer."""
    (files / "admin").write_text(dict(await server.admin())["authorization"].split()[1])
    (files / "cup.toml").write_text(CUP.format(challenger="nobody"))
    assert await shoal(server, "tournament", "create", "cup.toml", "--token-file", "admin") == 2
    told = capsys.readouterr().err
    assert told == "shoal: cup.toml: format.challengers[0]: there is no bot 'nobody'\n"
