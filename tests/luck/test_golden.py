"""The luck of matches that were played once: a model never changes, however it is worked out."""

import json
from pathlib import Path

import pytest

from shoal.engine import ruleset
from shoal.luck import uses_of
from tests.luck.playing import events_of

GOLDEN = Path(__file__).with_name("golden.json")
SEED = 21


@pytest.mark.parametrize("rules", ["base", "salt", "pepper", "salt-pepper-double"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_luck_of_each_use_is_what_it_was(rules: str, seats: int) -> None:
    """To the last bit where it was written; the exponentials of another machine may differ there.

    A model whose numbers are others has another name, and a file of its own.
    """
    written = json.loads(GOLDEN.read_text())[f"{rules} {seats}"]
    uses = uses_of(ruleset(rules), seats, events_of(rules, seats, SEED))
    assert [use.luck[0] for use in uses] == pytest.approx(written, abs=1e-13, rel=0)
