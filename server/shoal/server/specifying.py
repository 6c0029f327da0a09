"""Whether a specification can be held here, and the refusal of one that cannot: all its problems at once."""

from collections.abc import Iterator, Sequence
from typing import Final, final

from shoal.competition.problems import Problem
from shoal.competition.specification import Gauntlet, Ladder, Specification
from shoal.server.errors import LONGEST_ECHO, Reason, Refusal
from shoal.server.store.bots import BotStore

MOST_PROBLEMS: Final = 20
"""How many problems of a specification are told at once: errors travel in headers, which are small."""

_IN_TEXT: Final = 3
"""How many of them the text has, which is for people."""


async def unknown_bots(specification: Specification, bots: BotStore) -> list[Problem]:
    """Return a problem for each bot that a specification names and that is not registered."""
    named = list(_named(specification))
    found = await bots.get_many([bot_id for _, bot_id in named])
    return [
        Problem(path, f"there is no bot {bot_id[:LONGEST_ECHO]!r}")
        for (path, bot_id), bot in zip(named, found, strict=True)
        if bot is None
    ]


@final
class BadSpecification(Refusal):
    """A specification that cannot be held here, with its first problems of `count`."""

    def __init__(self, told: Sequence[tuple[str, str]], count: int) -> None:
        """Say them, each by the path of its field in a file."""
        super().__init__(Reason.MALFORMED, text_of(told, count), violations=told)
        self.count = count


def bad_specification(problems: Sequence[Problem]) -> BadSpecification:
    """Return the refusal of a specification, with its first problems, each by the path of its field."""
    told = [
        (problem.path[:LONGEST_ECHO], problem.message[: 2 * LONGEST_ECHO])
        for problem in sorted(problems)[:MOST_PROBLEMS]
    ]
    return BadSpecification(told, len(problems))


def text_of(told: Sequence[tuple[str, str]], count: int) -> str:
    """Return the first problems of `count` as a sentence: the path of each, and what is wrong with it."""
    text = "; ".join(f"{path}: {message}" for path, message in told[:_IN_TEXT])
    return text + (f"; and {count - _IN_TEXT} more" if count > _IN_TEXT else "")


def _named(specification: Specification) -> Iterator[tuple[str, str]]:
    """Yield the bots of a specification, each with the path of its field; what is empty is none."""
    form = specification.format
    lists: dict[str, Sequence[str]] = {"entry.invited[{}]": specification.entry.invited}
    if isinstance(form, Gauntlet):
        lists["format.challengers[{}]"] = form.challengers
    if isinstance(form, Ladder):
        lists["format.anchors[{}].bot_id"] = [anchor.bot_id for anchor in form.anchors]
    for path, bots in lists.items():
        yield from ((path.format(number), bot) for number, bot in enumerate(bots) if bot)
