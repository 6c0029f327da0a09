"""Whole recorded matches of the reference implementation, decision by decision."""

from collections import Counter

import pytest

from shoal.engine import Color, Kind, card_name, face_id
from tests.engine.replaying import Replay
from tests.engine.support import recording

RECORDINGS = {
    "base": (16_614, 0),
    "edge_base": (8_654, 0),
    "salt": (11_224, 3),
    "edge_salt": (5_497, 75),
    "pepper": (12_185, 1_238),
    "edge_pepper": (8_657, 443),
    "edge_rodeo": (9_070, 221),
    "salt_pepper": (10_519, 1_137),
    "salt_pepper_double": (3_202, 469),
}
"""How many decisions of each recording are compared, and how many steps follow a quirk."""


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_decision_of_the_recorded_matches_is_ours(name: str) -> None:
    """Seat, options, answer, position, points, settlement and winners agree at every decision."""
    compared = Counter()
    for game in recording(f"replays/{name}"):
        replay = Replay(game)
        replay.run()
        compared += replay.compared
    skipped = compared.pop("skipped", 0)
    print(f"{name}: {compared.total()} decisions compared, {skipped} steps skipped")  # noqa: T201
    assert (compared.total(), skipped) == RECORDINGS[name], compared


def test_recorded_names_are_ours() -> None:
    """Every card of the recordings has the same name here."""
    game = recording("replays/base")[0]
    for kind, color in game["cards"].values():
        assert card_name(face_id(Kind[kind.upper()], Color[color.upper()])) == f"{kind} {color}"
