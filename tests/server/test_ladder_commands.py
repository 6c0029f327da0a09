"""`shoal ladder` against a server, as an organizer and the owners of bots use it."""

from pathlib import Path

import pytest

from shoal.cli.main import run
from tests.server.support import Server, new_name, shoal

LADDER = """
name = "{name}"
rulesets = ["salt", "base"]
seats = [2]
names_hidden = true

[time_control]
move_ms = 500

[format]
kind = "ladder"
trial = false
faults = 5
releases = false
official = "adjusted"
anchors = [{{ bot_id = "{other}", rating = 1800 }}]

[format.stopping]
blocks_per_bot = 30
minutes = 90

[entry]
invited = ["{bot}", "{other}"]
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for files, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_a_ladder_from_its_file_to_its_end(
    server: Server, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Made, joined, shown, explained and ended."""
    bot, other, name = await server.register(), await server.register(), new_name()
    (files / "weekly.toml").write_text(LADDER.format(name=name, bot=bot.name, other=other.name))
    (files / "admin").write_text(dict(await server.admin())["authorization"].split()[1])
    (files / "bot").write_text(bot.token)

    async def said(*words: str, by: str = "") -> str:
        token = ("--token-file", by) if by else ()
        code = await shoal(server, "ladder", *words, *token)
        out, err = capsys.readouterr()
        assert code == 0, err
        told.append(err)
        return out

    told: list[str] = []
    assert await said("create", "weekly.toml", by="admin") == f"{name}\n"
    await said("join", "--ladder", name, by="bot")
    shown = (await said("show", "--ladder", name)).splitlines()
    assert shown == [
        name,
        "state     running",
        "plays     salt, base at tables of 2",
        "matches   rated, 0 rated so far",
        "clock     0.5 s for a decision",
        "bots      1 (2 invited)",
        "trial     none: who joins is paired at once",
        "pause     when 5 of a bot's latest matches went wrong by it",
        "releases  all versions of a bot have one rating",
        "official  the rating without luck: standings go by it",
        "names     hidden: who sits at a match is told when it is over",
        "blocks    0 over, 0 in play",
        "begins    at once",
        "ends      when every bot has played 30 blocks, or after 90 minutes",
        f"anchor    {other.name} ({other.bot_id}) is rated 1800, whatever it plays",
    ]
    assert f'"ladderId": "{name}"' in await said("show", "--ladder", name, "--json")
    hidden = "Who plays whom is hidden here until the table is over, and so is what others' bots wait for."
    assert await said("explain", "--ladder", name) == f"{bot.name}:\n{hidden}\n"
    assert (
        told[-1]
        == "names are hidden here: tables in play are shown to an organizer, with --token-file\n"
    )
    explained = await said("explain", "--ladder", name, by="bot")
    assert explained == f"{bot.name} is not connected.\n"
    standings = (await said("standings", "--ladder", name)).splitlines()
    assert standings[1].split()[:2] == ["-", bot.name]
    assert '"sentences"' in await said("explain", "--ladder", name, "--bot", bot.bot_id, "--json")
    assert await shoal(server, "ladder", "explain", "--ladder", name, "--bot", other.bot_id) == 2
    assert "there is no entrant" in capsys.readouterr().err
    await said("end", "--ladder", name, "--why", "rain", by="admin")
    assert "ending: ended: rain" in await said("show", "--ladder", name)
    assert name in await said("list")


async def test_the_most_usual_ladder_needs_no_file(
    server: Server, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name is enough, and everything that options say is shown."""
    (files / "admin").write_text(dict(await server.admin())["authorization"].split()[1])
    name = new_name()
    words = ("--seats", "2,3", "--rulesets", "pepper", "--casual", "--minutes", "60")
    assert await shoal(server, *f"ladder create --token-file admin --name {name}".split()) == 0
    made = new_name()
    assert (
        await shoal(server, *f"ladder create --token-file admin --name {made}".split(), *words) == 0
    )
    capsys.readouterr()
    assert await shoal(server, "ladder", "show", "--ladder", name) == 0
    shown = capsys.readouterr().out
    assert "plays     base at tables of 2\n" in shown
    assert "ends      when an organizer ends it\n" in shown
    assert await shoal(server, "ladder", "show", "--ladder", made) == 0
    shown = capsys.readouterr().out
    assert "plays     pepper at tables of 2 and 3\n" in shown
    assert "matches   casual" in shown
    assert "ends      after 60 minutes\n" in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", {"not TOML"}),
        ('name = ""\nseats = [9]\nsize = 2', {"name", "seats[0]", "size"}),
        ('name = "x"\nentrants = ["random"]', {"entrants"}),
        ('name = "x"\nnames_hidden = 1', {"names_hidden"}),
        ('name = "x"\n[format]\nkind = "swiss"', {"format.kind"}),
        (
            'name = "x"\nformat.kind = "ladder"\nformat.stopping = { blocks_per_bot = 5, interval = 1 }',
            {"format.stopping.interval"},
        ),
    ],
)
def test_every_problem_of_a_file_is_a_line(
    files: Path, capsys: pytest.CaptureFixture[str], text: str, said: set[str]
) -> None:
    """And each names its field; nothing is sent anywhere (T57)."""
    (files / "bad.toml").write_text(text)
    assert run(["ladder", "create", "bad.toml", "--token-file", "none"]) == 2
    told = capsys.readouterr().err.replace("shoal: ", "").splitlines()
    assert {line.split(": ")[1] for line in told} == said


async def test_what_the_server_finds_wrong_is_said_of_what_was_written(
    server: Server, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a field of the file by its path there, a line for each, and of an option by its name."""
    (files / "admin").write_text(dict(await server.admin())["authorization"].split()[1])
    name, other = new_name(), await server.register()
    await server.make_ladder(name)

    async def refused(*words: str) -> list[str]:
        assert await shoal(server, "ladder", "create", *words, "--token-file", "admin") == 2
        return capsys.readouterr().err.splitlines()

    (files / "weekly.toml").write_text(
        LADDER.format(name=new_name(), bot="nobody", other="never").replace("salt", "pepper")
    )
    assert await refused("weekly.toml") == [
        "weekly.toml: entry.invited[1]: there is no bot 'never'",
        "weekly.toml: format.anchors[0].bot_id: there is no bot 'never'",
        "shoal: weekly.toml: entry.invited[0]: there is no bot 'nobody' (2 more above)",
    ]
    taken = f"name: a ladder is called {name!r} already"
    (files / "weekly.toml").write_text(
        LADDER.format(name=name, bot=other.name, other=(await server.register()).name)
    )
    assert await refused("weekly.toml") == [f"shoal: weekly.toml: {taken}"]
    assert await refused("--name", name) == [f"shoal: --{taken}"]
    assert await refused("--name", "0" * 30) == [
        "shoal: --name: has the form of an id, which tournaments have"
    ]
