"""Competitions in an organizer's hand, as text."""

from collections.abc import Sequence

from shoal.cli.moments import moment_text
from shoal.cli.output import say, say_table
from shoal.client import pb

_STATE = len("COMPETITION_STATE_")


def show_competition(found: pb.Competition) -> None:
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
        say(
            f"excluded  {bot.bot_id} since {moment_text(bot.since.ToMilliseconds())}{_because(bot.why)}"
        )
    for period in found.excluded_periods:
        end = moment_text(period.until_ms) if period.HasField("until_ms") else "now on"
        whose = f" of {period.bot_id}" if period.bot_id else ""
        span = f"from {moment_text(period.from_ms)} to {end}"
        say(f"no result {span}{whose} counts{_because(period.why)}")
    for match in found.voided_matches:
        say(f"void      match {match.match_id}{_because(match.why)}")


def show_actions(actions: Sequence[pb.Action]) -> None:
    """Print a line for each."""
    rows = [
        [moment_text(each.time.ToMilliseconds()), each.who, each.action, each.detail, each.why]
        for each in actions
    ]
    say_table(["when", "who", "what", "of", "why"], rows, right=set())


def _because(why: str) -> str:
    return f": {why}" if why else ""
