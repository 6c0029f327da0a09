"""How bots stand on ladders, as people are told."""

import pytest

from shoal.cli.bot_view import standing_of
from shoal.cli.ladder_view import show_standings
from shoal.client import pb

RATED = pb.PublishedRating(rating=1600, interval=40, group=1, block_count=9)

NONE = ("-", "-", "-")
"""Of who has no rating without luck."""


def test_who_has_no_published_rating_has_no_rank(capsys: pytest.CaptureFixture[str]) -> None:
    """A newcomer's 1500 says nothing. A question mark says that a rating may be off by a lot."""
    sure = pb.PublishedRating(rating=1623, interval=40, group=1, block_count=90)
    sure.adjusted_rating, sure.adjusted_interval, sure.adjusted_match_count = 1640, 31, 170
    unsure = pb.PublishedRating(rating=1510, interval=180, provisional=True, group=1, block_count=3)
    apart = pb.PublishedRating(rating=1500, interval=300, provisional=True, group=2, block_count=1)
    show_standings(
        [
            pb.Standing(rank=1, bot_name="a", published=sure, rating=1588.4, joined=True),
            pb.Standing(rank=2, bot_name="b", published=unsure, rating=1700),
            pb.Standing(rank=1, bot_name="c", published=apart, rating=1500, joined=True),
            pb.Standing(bot_name="new", rating=1500, joined=True),
        ]
    )
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert rows == [
        ["1", "a", "1623", "±40", "1640", "±31", "170", "90", "0", "0", "-", "1588"],
        ["2", "b", "(left)", "1510?", "±180", *NONE, "3", "0", "0", "-", "1700"],
        ["1", "c", "(group", "2)", "1500?", "±300", *NONE, "1", "0", "0", "-", "1500"],
        ["-", "new", "-", "-", *NONE, "0", "0", "0", "-", "1500"],
    ]


def test_who_is_excluded_is_said_to_be_so(capsys: pytest.CaptureFixture[str]) -> None:
    """With the reason where there is one; however long that is, it moves no other line."""
    long = "x" * 200
    show_standings(
        [
            pb.Standing(rank=1, bot_name="anna", published=RATED, joined=True, excluded=True),
            pb.Standing(rank=2, bot_name="bert", published=RATED, excluded=True, excluded_why=long),
            pb.Standing(rank=3, bot_name="cleo", published=RATED),
        ]
    )
    _, anna, bert, cleo = capsys.readouterr().out.splitlines()
    assert anna.startswith("   1  anna (excluded)  ")
    assert f"bert (excluded: {long})" in bert
    assert cleo.startswith("   3  cleo (left)      ")
    assert len(cleo) == len(anna)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "paired whenever it runs and has room"),
        (2, "paired, but 2 of its latest matches went wrong by it (paused after 3)"),
    ],
)
def test_matches_that_went_wrong_are_counted(count: int, said: str) -> None:
    membership = pb.Membership(
        stage=pb.MEMBERSHIP_STAGE_ACTIVE,
        ladder_state=pb.LADDER_STATE_RUNNING,
        fault_count=count,
        most_faults=3,
    )
    assert standing_of(membership) == said
