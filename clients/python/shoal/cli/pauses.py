"""Telling whoever runs a bot that a ladder has paused it, which nobody asks for as long as matches come."""

import asyncio
import sys
from typing import Final

from shoal.cli.bot_view import standing_of
from shoal.cli.output import note
from shoal.client import Client, ShoalError, Tally, pb

_PACE: Final = 1.0
"""Seconds between two looks at whether the bot waits for a match."""

_LONG: Final = 3
"""So many looks, one after the other, at which it had none: then the server is asked why."""

_AGAIN: Final = 60
"""So many looks after the last question it is asked again."""


async def tell_pauses(
    server: str, token: str, tally: Tally, *, tls: bool, pace: float = _PACE
) -> None:
    """Say when ladders pause the bot and when they pair it again, until it is cancelled."""
    waited, since, paused = 0, 0, set[str]()
    while True:
        await asyncio.sleep(pace)
        waited = waited + 1 if tally.connected and not tally.live else 0
        since += 1
        if waited == _LONG or (tally.connected and since >= _AGAIN):
            since = 0
            paused = await _tell(server, token, tally, paused, tls=tls)


async def _tell(server: str, token: str, tally: Tally, known: set[str], *, tls: bool) -> set[str]:
    """Say what has changed of the ladders that pause the bot, and return those that do.

    A server that does not answer changes nothing: the bot itself says that it is away.
    """
    try:
        async with Client(server, token, tls=tls) as client:
            status = await client.get_bot_status()
    except ShoalError:
        return known
    over = "\r\x1b[K" if sys.stderr.isatty() else ""  # the status line, which is written again
    name = tally.bot_name or status.bot.name
    paused = set[str]()
    for each in status.memberships:
        if each.stage == pb.MEMBERSHIP_STAGE_PAUSED:
            paused.add(each.ladder_id)
            if each.ladder_id not in known:
                note(f"{over}{name} is paused on {each.ladder_id}: {standing_of(each)}")
        elif each.ladder_id in known:
            note(f"{over}{name} is paused on {each.ladder_id} no more")
    return paused
