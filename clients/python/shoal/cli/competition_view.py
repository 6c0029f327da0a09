"""Competitions in an organizer's hand, as text."""

import re
from collections.abc import Sequence
from typing import Final

from shoal.cli.moments import moment_text
from shoal.cli.names import Names, called, named
from shoal.cli.output import WIDEST, say, say_table
from shoal.client import pb

_STATE = len("COMPETITION_STATE_")

_MOST_KEYS: Final = 20
"""How many keys of blocks are printed for people."""

_PERIOD: Final = re.compile(r"^(\d+) to (\d+)$")
"""A time, as the list of actions has it: in milliseconds since 1970."""


def show_competition(found: pb.Competition, names: Names) -> None:
    """Print how it stands, and a line for each thing that was decided."""
    state = pb.CompetitionState.Name(found.state)[_STATE:].lower()
    ended = f": {found.ended}" if found.ended else ""
    say(f"{found.competition_id}")
    say(f"state     {state}{ended}")
    say(f"blocks    {found.open_blocks} in play")
    again = ", which are just computed again" if found.recounting else ""
    say(f"results   {found.rated_matches} rated{again}")
    if found.forced_block_key:
        say(f"next      block {found.forced_block_key}")
    for bot in found.excluded_bots:
        since = moment_text(bot.since.ToMilliseconds())
        say(f"excluded  {called(bot.bot_id, names)} since {since}{_because(bot.why)}")
    for period in found.excluded_periods:
        end = moment_text(period.until_ms) if period.HasField("until_ms") else "now on"
        whose = f" of {called(period.bot_id, names)}" if period.bot_id else ""
        span = f"from {moment_text(period.from_ms)} to {end}"
        say(f"no result {span}{whose} counts{_because(period.why)}")
    for match in found.voided_matches:
        say(f"void      match {match.match_id}{_because(match.why)}")


def decided(found: pb.Competition) -> list[object]:
    """Return what was decided about it, to be compared; not how far it is."""
    return [
        found.state,
        list(found.excluded_bots),
        list(found.excluded_periods),
        list(found.voided_matches),
        found.forced_block_key,
    ]


def show_open_blocks(keys: Sequence[str]) -> None:
    """Print which blocks are waited for, where many are the first of them."""
    for key in keys[:_MOST_KEYS]:
        say(f"waits for block {key}")
    if len(keys) > _MOST_KEYS:
        say(f"and for {len(keys) - _MOST_KEYS} more, which --json lists")


def show_actions(actions: Sequence[pb.Action], names: Names) -> None:
    """Print a line for each."""
    rows = [
        [
            _when(each.time.ToMilliseconds()),
            named(each.who, names),
            each.action,
            named(_PERIOD.sub(_in_words, each.detail), names),
            each.why,
        ]
        for each in actions
    ]
    say_table(["when", "who", "what", "of", "why"], rows, right=set(), widest=WIDEST)


def _when(ms: int) -> str:
    """Write a moment; of what holds from the very beginning there is none."""
    return moment_text(ms) if ms else "from the beginning"


def _in_words(found: re.Match[str]) -> str:
    """Write a time that is given in milliseconds."""
    return f"{moment_text(int(found[1]))} to {moment_text(int(found[2]))}"


def _because(why: str) -> str:
    return f": {why}" if why else ""
