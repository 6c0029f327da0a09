"""Which slot of a Redis Cluster a command belongs to."""

from binascii import crc_hqx
from typing import Final

from shoal.server.store import keys
from shoal.server.store.link import Part

SLOTS: Final = 16384
"""Into how many slots a cluster splits all keys."""

_TAGGED_LENGTH: Final = len(keys.TAGGED[0])


def slot_of(key: Part) -> int:
    """Return the slot of any key: the CRC16 of its hash tag, or of all of it when it has none."""
    data = key if isinstance(key, bytes) else str(key).encode()
    begin = data.find(b"{") + 1
    end = data.find(b"}", begin) if begin else 0
    return crc_hqx(data[begin:end] if end > begin else data, 0) % SLOTS


_BY_TAGGED: Final = {tagged: slot_of(tagged) for tagged in keys.TAGGED}

PARTITION_SLOTS: Final = tuple(_BY_TAGGED.values())
"""The slot of each partition; no two share one."""


def slot_of_command(parts: tuple[Part, ...]) -> int:
    """Return the slot of the first key of a command.

    A script has it behind the number of keys, anything else directly behind its name. A command
    without a key may go to any node, so whatever word stands there decides; without one it is slot 0.
    """
    at = 3 if parts[0] == "EVALSHA" else 1
    if len(parts) <= at:
        return 0
    key = parts[at]
    if isinstance(key, str):
        known = _BY_TAGGED.get(key[:_TAGGED_LENGTH])
        if known is not None:
            return known
    return slot_of(key)
