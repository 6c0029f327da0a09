"""The lists of what was done: to a competition, and one for what belongs to none.

A line of a list that changes a competition is written by the script that makes the change. Here are those
of what is done in other parts of the store, and how lists are read.
"""

from shoal.server.store import competition_texts as texts
from shoal.server.store import keys, scripts
from shoal.server.store.competition_nouns import Note
from shoal.server.store.pipe import Pipe


async def write_line(pipe: Pipe, competition_id: str, note: Note, mark: str) -> None:
    """Write a line of what is done elsewhere, once for each mark.

    With an empty `competition_id` it is in the list of what belongs to no competition.
    """
    names = tuple(keys.competition(competition_id, kind) for kind in ("audit", "noted"))
    await pipe.call(scripts.COMPETITION_NOTE, names, (mark, texts.note_json(note)))


async def read_lines(
    pipe: Pipe, competition_id: str, count: int, end: int | None = None
) -> tuple[list[Note], int]:
    """Return up to so many lines before the line of this number, the latest first, and what is before.

    None: the latest. Lines are numbered from 0, the first one, and never change.
    """
    key = keys.competition(competition_id, "audit")
    stop = await pipe.command("LLEN", key) if end is None else end
    start = max(0, stop - count)
    lines = await pipe.command("LRANGE", key, start, stop - 1) if stop else []
    return [texts.note_of(line) for line in reversed(lines)], start
