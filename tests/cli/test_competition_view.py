"""What organizers did, as people are told."""

import pytest

from shoal.cli.competition_view import show_actions, show_open_blocks
from shoal.client import pb


def test_a_long_line_makes_no_other_line_longer(capsys: pytest.CaptureFixture[str]) -> None:
    """The faults of a paused bot are many ids."""
    actions = [
        pb.Action(who="owner a", action="pause", detail="b1", why="lunch"),
        pb.Action(who="director", action="pause bot", detail=400 * "x", why="three silences"),
    ]
    show_actions(actions, {})
    head, short, long = capsys.readouterr().out.splitlines()
    assert len(head) < 80
    assert len(short) < 80
    assert long.endswith(f"{400 * 'x'}  three silences")


def test_blocks_that_are_waited_for_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Of very many the first."""
    show_open_blocks([f"{number}.0.0" for number in range(22)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "waits for block 0.0.0"
    assert lines[-1] == "and for 2 more, which --json lists"
