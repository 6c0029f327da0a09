"""What explanations are asked for by, and how they come: a page at a time."""

from typing import NamedTuple, final

from shoal.competition.explanation import Explanation


@final
class Asked(NamedTuple):
    """What is to be explained: the table of a match, or a bot, or with neither everybody."""

    bot_id: str = ""
    match_id: str = ""


@final
class ExplanationPage(NamedTuple):
    """Explanations, and the token of the next page."""

    explanations: list[Explanation]
    next_token: str
