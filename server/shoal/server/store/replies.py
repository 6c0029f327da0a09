"""How a reply of Redis about a whole hash is read."""

from collections.abc import Iterator, Sequence


def pairs(flat: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """Read the reply of HGETALL."""
    return ((flat[i].decode(), flat[i + 1]) for i in range(0, len(flat), 2))
