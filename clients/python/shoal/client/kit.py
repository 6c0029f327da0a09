"""Whether this kit is recent enough for a server."""

import logging
import re

from shoal.client import pb
from shoal.client.channel import kit_version

log = logging.getLogger("shoal.client")


def warn_if_old(snapshot: pb.Snapshot) -> None:
    """Log a line when the server wants, or would rather have, a newer kit than this one."""
    own = kit_version()
    if _older(own, snapshot.least_kit_version):
        log.error(
            "the server needs version %s of the kit, this is %s: pip install -U shoal",
            snapshot.least_kit_version,
            own,
        )
    elif _older(own, snapshot.recommended_kit_version):
        log.warning(
            "version %s of the kit is there, this is %s: pip install -U shoal",
            snapshot.recommended_kit_version,
            own,
        )


def _older(own: str, other: str) -> bool:
    """Return whether a version is less than another; one that is empty is less than all."""
    return _numbers(own) < _numbers(other)


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers that a version begins with, without zeros at its end."""
    release = re.match(r"[\d.]*", version)
    numbers = [int(part) for part in (release.group() if release else "").split(".") if part]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
