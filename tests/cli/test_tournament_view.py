"""Tournaments, and why bots wait, as people are told."""

import pytest

from shoal.cli.tournament_view import show_explanations, show_standings, show_tournament
from shoal.client import pb
from shoal.client.tournaments import Placings

NAMES = {"a1": "anna", "b1": "bert", "c1": "cleo"}


def explanation(sentence: str, *bots: str) -> pb.Explanation:
    """One sentence about these bots."""
    return pb.Explanation(bot_ids=bots, sentences=[sentence])


def test_what_bots_wait_for_alike_is_said_once_with_their_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of a paused ladder everybody is told the same, and nobody would know whose line it is."""
    paused = "The ladder is paused: no table is made."
    found = [explanation(paused, "a1"), explanation("cleo rests.", "c1"), explanation(paused, "b1")]
    show_explanations(found, NAMES)
    assert capsys.readouterr().out == f"anna, bert:\n{paused}\n\ncleo rests.\n"


def test_tables_that_are_alike_stay_two(capsys: pytest.CaptureFixture[str]) -> None:
    """Their bots would seem to sit at one."""
    show_explanations([explanation("New.", "a1", "b1"), explanation("New.", "c1", "d1")], NAMES)
    assert capsys.readouterr().out == "anna, bert:\nNew.\n\ncleo, d1:\nNew.\n"


def test_who_is_excluded_has_not_withdrawn(capsys: pytest.CaptureFixture[str]) -> None:
    """It was somebody else who did it, for a reason."""
    lines = [
        pb.TournamentStanding(bot_name="anna", withdrawn=True),
        pb.TournamentStanding(
            bot_name="bert", withdrawn=True, excluded=True, excluded_why="it floods us"
        ),
        pb.TournamentStanding(bot_name="cleo", excluded=True),
    ]
    show_standings(Placings(lines, ()))
    said = capsys.readouterr().out.splitlines()[1:]
    assert [" ".join(line.split("  ")[1].split()) for line in (each.strip() for each in said)] == [
        "anna (withdrawn)",
        "bert (excluded: it floods us)",
        "cleo (excluded)",
    ]


def test_a_tournament_says_what_it_plays_who_has_entered_and_when_it_begins(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As a ladder does; of very many who have entered, the first."""
    cup = pb.Tournament(
        tournament_id="1c",
        specification=pb.TournamentSpecification(
            name="cup",
            format=pb.TournamentFormat(swiss=pb.SwissFormat()),
            rulesets=["base"],
            seats=[2],
            starts_ms=1_790_000_000_000,
            rated=True,
            names_hidden=True,
            entry=pb.TournamentEntry(bots_per_owner=2),
        ),
        state=pb.TOURNAMENT_STATE_OPEN,
        entrant_count=50,
    )
    show_tournament(cup, [f"bot-{number}" for number in range(50)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[4:9] == [
        "matches   rated",
        "clock     10 s for a decision (the default)",
        "names     hidden: who sits at a match is told when it is over",
        "entrants  50 (2 of each owner at most)",
        "entered   bot-0, bot-1, bot-2, bot-3, bot-4, bot-5",
    ]
    assert lines[-4] == "          and 2 more, which `shoal tournament standings` shows"
    assert lines[-2:] == ["begins    2026-09-21 14:13 UTC", "ends      when all has been played"]
