"""Lists that are read page by page: the tokens, and the walk through all partitions."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shoal.server.store import keys
from shoal.server.store.errors import BadPageToken
from shoal.server.store.pipe import Pipe

_AT_ONCE: Final = 8

_SPARE: Final = 8
"""So many times its share of a page each partition is asked for, and so many ids more."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some ids of a list; an empty `next_token` is the only sign of the end."""

    ids: tuple[str, ...]
    next_token: str


def make_token(kind: str, last_id: str) -> str:
    """Return the token of the page that begins behind this id of a list of this kind."""
    return base64.urlsafe_b64encode(f"{kind}:{last_id}".encode()).decode().rstrip("=")


def read_token(kind: str, token: str) -> str:
    """Return the id behind which the page begins, '' for the first; raise BadPageToken."""
    if not token:
        return ""
    try:
        padded = token + "=" * (-len(token) % 4)
        text = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
    except (ValueError, binascii.Error):
        raise BadPageToken(token) from None
    found, _, last_id = text.partition(":")
    if found != kind or not keys.is_id(last_id):
        raise BadPageToken(token)
    return last_id


async def page_of_all(
    pipe: Pipe, kind: str, indexes: Sequence[str], page_size: int, token: str
) -> Page:
    """Return up to `page_size` (at least 1) ids, partition after partition, each by time.

    `indexes` are the sorted sets of the partitions. Raises BadPageToken.
    """
    last_id = read_token(kind, token)
    first = keys.partition_of(last_id) if last_id else 0
    start = f"({last_id}" if last_id else "-"
    found: list[str] = []
    for at in range(first, len(indexes), _AT_ONCE):
        limit = ("LIMIT", 0, page_size + 1 - len(found))
        replies = await pipe.many(
            ("ZRANGEBYLEX", index, start if at + offset == first else "-", "+", *limit)
            for offset, index in enumerate(indexes[at : at + _AT_ONCE])
        )
        found += [id_.decode() for ids in replies for id_ in ids]
        if len(found) > page_size:
            ids = tuple(found[:page_size])
            return Page(ids, make_token(kind, ids[-1]))
    return Page(tuple(found), "")


async def newest_of_all(
    pipe: Pipe, kind: str, indexes: Sequence[str], page_size: int, token: str
) -> Page:
    """Return up to `page_size` (at least 1) ids of all partitions, the newest first.

    `indexes` are the sorted sets of the partitions. What is read is bounded by the page, not by what
    there is: each partition gives a few ids, and those count that are newer than anything that was not
    read. A page is short where one partition holds many of the newest. Raises BadPageToken.
    """
    last_id = read_token(kind, token)
    share = _SPARE * page_size // len(indexes) + _SPARE
    replies = await pipe.many(
        ("ZREVRANGEBYLEX", index, _below(last_id, partition), "-", "LIMIT", 0, share)
        for partition, index in enumerate(indexes)
    )
    listed = [[keys.by_time(id_.decode()) for id_ in ids] for ids in replies]
    least = max((ids[-1] for ids in listed if len(ids) == share), default="")
    found = sorted((id_ for ids in listed for id_ in ids if id_ >= least), reverse=True)
    ids = tuple(map(keys.from_time, found[:page_size]))
    more = bool(least) or len(found) > page_size
    return Page(ids, make_token(kind, ids[-1]) if more else "")


def _below(last_id: str, partition: int) -> str:
    """Return the bound below which a partition's ids are older than this one; `+` without one."""
    if not last_id:
        return "+"
    same_moment = "[" if partition < keys.partition_of(last_id) else "("
    return f"{same_moment}{partition:02x}{last_id[2:]}"
