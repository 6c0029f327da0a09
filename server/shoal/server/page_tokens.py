"""Page tokens of lists that are put together here rather than by the store."""

import base64
import binascii
import re

from shoal.server.errors import Refusal, malformed


def make_token(kind: str, text: str) -> str:
    """Return the opaque token of a list of this kind."""
    return base64.urlsafe_b64encode(f"{kind}:{text}".encode()).decode()


def read_token(kind: str, token: str, field: str = "page_token") -> str:
    """Return what a token of a list of this kind holds, "" for the first page; raise Refusal.

    `field` is where the request has it.
    """
    if not token:
        return ""
    try:
        found, _, text = (
            base64.b64decode(token, altchars=b"-_", validate=True).decode().partition(":")
        )
    except (binascii.Error, ValueError):
        found = text = ""
    if found != kind or not text:
        raise _bad_token(field)
    return text


def read_number(kind: str, token: str) -> int:
    """Return the number of items before the page; raise Refusal."""
    text = read_token(kind, token)
    if not re.fullmatch(r"[0-9]{0,9}", text):
        raise _bad_token("page_token")
    return int(text or 0)


def next_token(kind: str, end: int, total: int) -> str:
    """Return the token of the page that begins behind `end` items, "" if that is all of them."""
    return make_token(kind, str(end)) if end < total else ""


def _bad_token(field: str) -> Refusal:
    return malformed(field, "not one that this list gave out")
