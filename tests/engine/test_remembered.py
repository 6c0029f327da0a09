"""What is worked out once and kept for good stays small, however long a server runs."""

from shoal.engine import legal_moves
from shoal.engine.questions import _DUO_MOVES
from tests.engine.support import duo, position, random_steps


def test_moves_that_take_a_laid_duo_are_not_remembered() -> None:
    """Positions on all tables are too many different targets to keep."""
    laid = "crab db + crab ye; boat db + boat lb; fish db + fish gn"
    for tables in ("crab db + crab ye", laid, f"crab lb + crab ye; {laid}"):
        state = position(
            "shark db, shark lb, shark bk", "", tables=("", tables), playing=True,
            rules="pepper", event="water_rodeo",
        )  # fmt: skip
        taken = [move for move in legal_moves(state) if getattr(move, "target", None) is not None]
        assert len(taken) == 3 * len(tables.split(";"))
        assert duo("shark db", "shark lb", 32) in taken
    for seed in range(12):
        for _ in random_steps("salt-pepper", 3, seed):
            pass
    assert _DUO_MOVES
    for _, _, targets in _DUO_MOVES:
        assert all(target is None or target < 4 for target in targets)
