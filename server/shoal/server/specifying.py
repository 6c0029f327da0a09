"""The refusal of a specification that cannot be held: all its problems at once."""

from collections.abc import Sequence
from typing import Final

from shoal.competition.problems import Problem
from shoal.server.errors import LONGEST_ECHO, Reason, Refusal

MOST_PROBLEMS: Final = 20
"""How many problems of a specification are told at once: errors travel in headers, which are small."""


def bad_specification(problems: Sequence[Problem]) -> Refusal:
    """Return the refusal of a specification, with its first problems, each by the path of its field."""
    told = [
        (problem.path[:LONGEST_ECHO], problem.message[: 2 * LONGEST_ECHO])
        for problem in problems[:MOST_PROBLEMS]
    ]
    text = "; ".join(f"{path}: {message}" for path, message in told[:3])
    more = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
    return Refusal(Reason.MALFORMED, text + more, violations=told)
