"""Suspicion (T60, T61) on a small scale: docs/ratings.md has the figures of a larger study."""

from typing import Any

from shoal.server.calibration.staged import Stage, Wrong, staged
from shoal.server.calibration.suspecting import Trust, broken, honest, support, trusted
from shoal.server.simulation.outcomes import ModelOutcomes

SMALL = Trust(ladders=5, bots=16)


def silent(_text: str) -> None:
    pass


def test_an_honest_ladder_gives_no_more_findings_than_were_asked_for() -> None:
    """One of twenty may have one: of ten ladders of two kinds more than two would be odd (1 of 90)."""
    made = [honest(SMALL, Stage(12, 40, sizes), ModelOutcomes()) for sizes in ((4,), (2, 3, 4))]
    figures: Any = made
    assert sum(each["with_findings"] * each["ladders"] for each in figures) <= 2
    assert all(each["questions"] > 200 for each in figures)


def test_a_support_bot_is_found_after_thirty_common_blocks() -> None:
    stage = Stage(16, 180, (4,), wrong=Wrong.SUPPORT)
    found: Any = support(SMALL, stage, ModelOutcomes())
    assert found["5"]["found"] <= found["30"]["found"] >= 0.8


def test_a_bot_that_broke_for_a_day_is_found() -> None:
    found: Any = broken(SMALL, Stage(16, 80, (4,), wrong=Wrong.BROKEN), ModelOutcomes())
    assert found["blocks_of_the_day"] > 8
    assert found["found"] >= 0.8


def test_the_same_seed_is_the_same_ladder_and_no_table_has_two_of_one_owner() -> None:
    stage = Stage(8, 12, (2, 3, 4), wrong=Wrong.SUPPORT)
    made = staged(stage, ModelOutcomes(), "x")
    assert made == staged(stage, ModelOutcomes(), "x") != staged(stage, ModelOutcomes(), "y")
    owners = made.facts.owners
    assert owners[made.culprit] != owners[made.favourite]
    for block in made.blocks:
        bots = block.matches[0].bots
        assert len({owners[bot] for bot in bots}) == len(bots)
        for match in block.matches:
            if {made.culprit, made.favourite} <= {*bots} and len(bots) > 2:
                place = dict(zip(match.bots, match.placements, strict=True))
                assert place[made.favourite] <= place[made.culprit]


def test_a_study_has_a_figure_of_each_kind_and_says_how_it_goes() -> None:
    heard: list[str] = []
    study = Trust(kinds=((2,),), ladders=1, bots=8, blocks=10)
    found: Any = trusted(study, heard.append)
    assert set(found["2"]) == {"honest", "broken 1", "broken 0.5"}
    assert found["study"]["ladders"] == 1
    assert heard
