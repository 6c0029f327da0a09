"""The settings: what is wrong with one is said by name."""

import pytest
from pydantic import ValidationError

from shoal.server.settings import Settings


def test_ladders_are_named_with_their_ruleset() -> None:
    assert Settings(ladders="main=base, pepper=salt-pepper-double,").ladder_rulesets == {
        "main": "base",
        "pepper": "salt-pepper-double",
    }
    assert Settings(ladders="").ladder_rulesets == {}


@pytest.mark.parametrize(
    ("retention", "seconds"), [("10m", 600), ("36h", 129_600), ("7d", 604_800)]
)
def test_a_retention_has_a_unit(retention: str, seconds: float) -> None:
    assert Settings(retention=retention).retention_seconds == seconds


@pytest.mark.parametrize("retention", ["", "7", "7w", "-7d", "1.5h", "9m", "0d"])
def test_a_retention_that_cannot_be_is_refused(retention: str) -> None:
    """Also one that is over while a failover may still bring a match up again."""
    with pytest.raises(ValidationError, match=r"such as 7d, 36h or 90m|10m or more"):
        Settings(retention=retention)


def test_without_a_folder_there_is_no_archive() -> None:
    assert Settings().archive is None
    archive = Settings(archive_dir="/var/lib/shoal/archive").archive
    assert archive is not None
    assert archive.place.endswith(":/var/lib/shoal/archive")


@pytest.mark.parametrize(
    ("ladders", "said"),
    [
        ("main", "'main' is not name=ruleset"),
        ("main=chess", "no ruleset is called 'chess'; there are base"),
        ("main=base,main=salt", "the ladder 'main' is named twice"),
        ("Main=base", "'Main=base' is not name=ruleset"),
        ("a=base;b=salt", "'a=base;b=salt' is not name=ruleset"),
    ],
)
def test_a_ladder_that_cannot_be_is_refused_by_name(ladders: str, said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Settings(ladders=ladders)
