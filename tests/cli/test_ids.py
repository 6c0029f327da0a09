"""Ids as people find them: what one command prints without --json, another takes."""

import json
from pathlib import Path

import pytest

from shoal.cli.main import run
from tests.cli.place import place

__all__ = ["place"]


@pytest.fixture(autouse=True)
def here(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder of the server's bot."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("SHOAL_SERVER", f"127.0.0.1:{(place / 'port').read_text()}")
    monkeypatch.setenv("SHOAL_TOKEN_FILE", "token")


def say(capsys: pytest.CaptureFixture[str], words: str) -> list[list[str]]:
    """The words of each line that a command prints."""
    assert run(words.split()) == 0
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_bots_are_listed_with_the_ids_that_a_match_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """From the list of bots to a match between two of them, with every clock that it may have."""
    say(capsys, "bot register rival --owner-token-file token --token-file rival")
    header, *bots = say(capsys, "bot list")
    assert header == ["bot", "id", "owner"]
    ids = {name: bot_id for name, bot_id, *_ in bots}
    owners = {name: owner for name, _, owner in bots}
    assert owners["one"] == owners["rival"]
    assert say(capsys, "bot list riv")[1:] == [["rival", ids["rival"], owners["rival"]]]
    assert say(capsys, f"challenge accept listed --owner {owners['one']}")[0][-4:] == [
        "1",
        "at",
        "a",
        "time",
    ]
    say(capsys, f"challenge create {ids['one']} {ids['rival']}")
    assert say(capsys, "challenge list")[1][-2:] == ["one,", "rival"]
    clocks = "--move-ms 500 --bank 60000+1000 --max-strikes 7 --max-illegal 8 --match-ms 90000"
    made = say(capsys, f"match create --bots {ids['one']},{ids['rival']} {clocks}")
    assert run(["match", "show", made[0][0], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["match"]["timeControl"] == {
        "moveMs": 500,
        "bankMs": 60000,
        "incrementMs": 1000,
        "maxStrikes": 7,
        "maxIllegal": 8,
        "matchMs": 90000,
    }
    clock = "0.5 s for a decision, 60 s beyond that in the match, 1 s more with each move"
    assert ["clock", *clock.split()] in say(capsys, f"match show {made[0][0]}")
    assert say(capsys, f"match list --bot {ids['rival']}")[1][0] == made[0][0]


def test_ladders_are_listed_and_their_standings_have_ids(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whoever plays on a ladder can be looked up."""
    assert say(capsys, "ladder list")[1] == ["main", "base", "2,", "3,", "4", "running", "0", "0"]
    say(capsys, "ladder join")
    header, line = say(capsys, "ladder standings")
    assert header[-1] == "id"
    assert line[1] == "one"
    assert say(capsys, f"match list --bot {line[-1]}")[0][0] == "match"


def test_a_match_says_what_its_clocks_are_in(capsys: pytest.CaptureFixture[str]) -> None:
    """Units, and what is taken where nothing is said."""
    assert run(["match", "create", "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Milliseconds after which the match is void" in said
    assert "the server's default, 14400000 (four hours)" in said
