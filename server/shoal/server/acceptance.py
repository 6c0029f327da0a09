"""Whether bots accept a challenge, and whether they can play it now. Pure."""

from collections.abc import Iterator
from typing import Final

from shoal.server.store.bots import Bot
from shoal.server.store.challenges import (
    Acceptance,
    AcceptFrom,
    Challenge,
    Decline,
    Objection,
)
from shoal.server.store.presence import Presence

OF_BASELINES: Final = Acceptance(
    AcceptFrom.ANYONE,
    most_move_ms=60_000,
    most_bank_ms=600_000,
    most_increment_ms=10_000,
    most_match_ms=24 * 3_600_000,
    at_once=2,
)
"""What one of the arena's own bots accepts if nothing was set: its places are for the ladders."""

OF_OTHERS: Final = Acceptance(AcceptFrom.LISTED)
"""What any other bot accepts if nothing was set: challenges of its own owner."""


def accepted_by(bot: Bot, known: Acceptance | None) -> Acceptance:
    """Return what a bot accepts."""
    return known or (OF_BASELINES if bot.baseline else OF_OTHERS)


def declined(challenge: Challenge, bot: Bot, acceptance: Acceptance) -> Iterator[Objection]:
    """Yield why a bot does not accept a challenge at all."""
    if acceptance.accept_from is AcceptFrom.NOBODY:
        yield Objection(bot.bot_id, Decline.NOBODY, f"{bot.name} accepts no challenges")
        return
    if challenge.owner == bot.owner:
        return  # who sets what the bot accepts need not be held to it
    if acceptance.accept_from is AcceptFrom.LISTED and challenge.owner not in acceptance.owners:
        text = f"{bot.name} accepts challenges of some owners only"
        yield Objection(bot.bot_id, Decline.OWNER, text)
    if acceptance.rulesets and challenge.ruleset not in acceptance.rulesets:
        text = f"{bot.name} accepts {', '.join(acceptance.rulesets)}, not {challenge.ruleset}"
        yield Objection(bot.bot_id, Decline.RULESET, text)
    size = len(challenge.bots)
    if acceptance.seats and size not in acceptance.seats:
        sizes = ", ".join(map(str, acceptance.seats))
        text = f"{bot.name} accepts tables of {sizes}, not of {size}"
        yield Objection(bot.bot_id, Decline.TABLE_SIZE, text)
    for name, value, limit, is_over in _clock(challenge, acceptance):
        most = "most" if is_over else "least"
        text = f"{bot.name} accepts {limit} as {name} at {most}, not {value}"
        yield Objection(bot.bot_id, Decline.CLOCK, text)


def hindered(
    challenge: Challenge,
    bot: Bot,
    acceptance: Acceptance,
    *,
    there: Presence | None,
    taken: int,
    in_play: int,
    rests: bool = False,
) -> Objection | None:
    """Return why a bot that accepts a challenge cannot play it now.

    `taken` are the places that it has promised beside its live matches, `in_play` its challenges. It `rests`
    when one has just ended, so that competitions have a turn.
    """
    if there is None:
        text = f"{bot.name} is not connected, or did not answer just now"
        return Objection(bot.bot_id, Decline.AWAY, text)
    if challenge.ruleset not in there.rulesets or len(challenge.bots) not in there.seats:
        text = f"{bot.name} does not offer {challenge.ruleset} at a table of {len(challenge.bots)}"
        return Objection(bot.bot_id, Decline.NOT_OFFERED, text)
    if there.max_matches <= there.live_count + taken:
        text = f"{bot.name} plays {there.max_matches} at a time, and has no place free"
        return Objection(bot.bot_id, Decline.BUSY, text)
    is_own = challenge.owner == bot.owner
    if rests or (in_play >= acceptance.at_once and not is_own):
        text = f"{bot.name} plays {acceptance.at_once} challenges at a time, or has just played one"
        return Objection(bot.bot_id, Decline.ENOUGH, text)
    return None


def _clock(challenge: Challenge, acceptance: Acceptance) -> Iterator[tuple[str, int, int, bool]]:
    """Yield what is out of bounds: its name, how much it is, the bound, and whether it is above it."""
    control = challenge.time_control
    for name in ("move_ms", "bank_ms", "increment_ms", "match_ms"):
        value, most = getattr(control, name), getattr(acceptance, f"most_{name}")
        if most and value > most:
            yield name, value, most, True
    if control.move_ms < acceptance.least_move_ms:
        yield "move_ms", control.move_ms, acceptance.least_move_ms, False
