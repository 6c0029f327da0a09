"""What bots are called, where a server says ids: people know bots by their names, and commands by both."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from shoal.client import Client

Names: TypeAlias = Mapping[str, str]
"""The names of bots by their ids."""

_ID: Final = re.compile(r"\b[0-9a-f]{30,32}\b")


async def names_of(client: Client, ids: Iterable[str]) -> Names:
    """Return the names of all bots of the server; nothing is asked where there is no id."""
    if not any(ids):
        return {}
    return {bot.bot_id: bot.name for bot in await client.list_bots()}


def named(text: str, names: Names) -> str:
    """Return a text with the name before each id of a bot."""
    return _ID.sub(lambda found: called(found[0], names), text)


def called(bot_id: str, names: Names) -> str:
    """Return the name of a bot with its id, which commands take; the id alone if nobody knows it."""
    name = names.get(bot_id)
    return f"{name} ({bot_id})" if name else bot_id
