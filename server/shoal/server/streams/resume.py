"""Resume tokens: what a bot that polls was told, for it to bring along. Nobody else knows what is in one.

So whichever server the next poll reaches knows what is news, and no server has to remember it.
"""

import base64
import binascii
import struct
from collections.abc import Mapping

from shoal.server.errors import malformed
from shoal.server.store.keys import is_id, time_of

FORMAT = b"\x01"
MOST_MATCHES = 2_000
"""Of how many matches a token tells, the newest; a bot that plays more hears no end of the others."""

_ENTRY = struct.Struct(">15sI")
"""A match id, which is 30 hexadecimal digits, and the version that the bot was told up to."""


def make_token(told: Mapping[str, int]) -> str:
    """Return the token for the version of each match that the bot was told up to."""
    newest = sorted(told, key=time_of, reverse=True)[:MOST_MATCHES]
    packed = (_ENTRY.pack(bytes.fromhex(match_id), told[match_id]) for match_id in newest)
    return base64.urlsafe_b64encode(FORMAT + b"".join(packed)).decode().rstrip("=")


def read_token(token: str) -> dict[str, int] | None:
    """Return what `make_token` was given, None for no token; raise the refusal of any other text."""
    if not token:
        return None
    try:
        padded = token + "=" * (-len(token) % 4)
        data = base64.b64decode(padded, altchars=b"-_", validate=True)
        told = {match_id.hex(): version for match_id, version in _ENTRY.iter_unpack(data[1:])}
    except (ValueError, binascii.Error, struct.error):
        raise _bad_token() from None
    if data[:1] != FORMAT or len(told) > MOST_MATCHES or not all(map(is_id, told)):
        raise _bad_token()
    return told


def _bad_token() -> Exception:
    """Return the refusal of what is no token."""
    return malformed("resume_token", "not one that a poll was answered with")
