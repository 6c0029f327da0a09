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
