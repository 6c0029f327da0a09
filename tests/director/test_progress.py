"""What a finished match makes of its block."""

import json
from dataclasses import replace

import pytest

from shoal.competition.block import Attempt, Ending
from shoal.server.director.progress import after, dissolved, finished, goes_on, without
from shoal.server.director.result import Finished
from shoal.server.director.result import finished as read
from shoal.server.store.competition_nouns import Block, Ended

BLOCK = Block("3.1.0", ("a", "b"), "base", rated=True, match_id="m0")


def match(block: Block, **more: object) -> Finished:
    """Return the match in play of a block, as the first seat has won it, but for what is given."""
    fields = {
        "match": block.match_id,
        "ladder": "cup",
        "rated": True,
        "bots": list(block.bots),
        "placements": [1, 2],
        "termination": "target",
        "left": ["", ""],
    }
    return read(json.dumps({**fields, **more}).encode())


def played(block: Block | Ended, *matches: dict[str, object]) -> Block | Ended:
    """Return a block after several matches."""
    for number, fields in enumerate(matches, start=1):
        assert isinstance(block, Block)
        became = after(block, match(block, **fields))
        block = became if isinstance(became, Ended) else replace(became, match_id=f"m{number}")
    return block


NO_SHOW = {"termination": "no_show", "placements": [0, 0]}


def test_every_rotation_is_played_once() -> None:
    """If each was played, the block is complete, and its placements are by place in the table."""
    half = played(BLOCK, {})
    assert isinstance(half, Block)
    assert (half.rotation, half.match_id) == (1, "m1")
    whole = played(BLOCK, {}, {"placements": [2, 1]})
    assert isinstance(whole, Ended)
    assert (whole.state, whole.matches) == ("complete", ((1, 2), (1, 2)))
    assert [each.match_id for each in whole.block.tries] == ["m0", "m1"]
    assert finished(whole).was_played


@pytest.mark.parametrize("termination", ["void", "aborted"])
def test_what_was_not_played_is_played_again(termination: str) -> None:
    """In the same rotation; the third time nothing of the block counts."""
    void: dict[str, object] = {"termination": termination, "placements": [0, 0]}
    again = played(BLOCK, void)
    assert isinstance(again, Block)
    assert again.rotation == 0
    over = played(BLOCK, void, void, void)
    assert isinstance(over, Ended)
    assert (over.state, over.matches) == ("void", ())


VOID: dict[str, object] = {"termination": "void", "void": "lost_moves", "placements": [0, 0]}


def test_a_match_that_is_void_after_all_is_played_again_after_the_one_in_play() -> None:
    """If its block is in play, that match goes on, and then its rotation comes again."""
    half = played(BLOCK, {})
    assert isinstance(half, Block)
    void = without(half, match(BLOCK, **VOID))
    assert isinstance(void, Block)
    assert (void.rotation, void.match_id) == (1, "m1")
    assert void.tries[0].attempt == Attempt(0, Ending.VOID)
    again = played(void, {})
    assert isinstance(again, Block)
    assert again.rotation == 0
    assert isinstance(played(again, {}), Ended)


def test_a_match_that_is_void_after_all_is_played_again_at_once_when_its_block_waits() -> None:
    """Unless its rotation has failed too often with it; and what is not of the block changes nothing."""
    half = after(BLOCK, match(BLOCK))
    assert isinstance(half, Block)
    void = without(half, match(BLOCK, **VOID))
    assert isinstance(void, Block)
    assert (void.rotation, void.match_id) == (0, "")
    assert without(half, match(replace(BLOCK, match_id="other"), **VOID)) is None
    third = played(BLOCK, VOID, VOID)
    assert isinstance(third, Block)
    waiting = after(third, match(third))
    assert isinstance(waiting, Block)
    over = without(waiting, match(third, **VOID))
    assert isinstance(over, Ended)
    assert over.state == "void"


def test_who_never_comes_forfeits() -> None:
    """If the same seat says nothing three times, or that it does not want to, it is behind."""
    silent = {**NO_SHOW, "left": ["", "no_show"]}
    over = played(BLOCK, silent, {**NO_SHOW, "left": ["", "resigned"]}, silent)
    assert isinstance(over, Ended)
    assert (over.state, over.matches) == ("forfeit", ((1, 2), (1, 2)))


def test_a_seat_that_left_a_match_that_was_played_was_there() -> None:
    """If a bot resigned or struck out in play, the match counts as it was placed."""
    half = played(BLOCK, {"termination": "last_seat", "left": ["", "strikes"]})
    assert isinstance(half, Block)
    assert half.tries[0].attempt == Attempt(0, Ending.PLAYED, (1, 2))


def test_a_table_of_a_ladder_goes_on_while_all_are_there() -> None:
    """If one was silent or has left, it is dissolved, and counts as no block."""
    assert goes_on(BLOCK, [], {"a", "b", "c"})
    assert not goes_on(BLOCK, ["b"], {"a", "b"})
    assert not goes_on(BLOCK, [], {"a"})
    assert dissolved(BLOCK) == Ended(replace(BLOCK, match_id=""), "void", ())
