"""The first admin token of a store: made once, shown once, kept only as a hash."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from shoal.server.files import named_by
from shoal.server.store.tokens import TokenStore


async def show_admin_token(tokens: TokenStore, file: Path | None) -> None:
    """Make the first admin token of a new store, and show it this once, or write it to a new file.

    The file is made first: a token that could not be written would be lost for good. Raise FileRefused.
    """
    if await tokens.has_admin():
        return
    if file is None:
        token = await tokens.first_admin()
        if token is not None:
            _say(
                f"The admin token of this new store, shown this once, kept only as a hash:\n{token}"
            )
        return
    with named_by("--admin-token-file", file):
        place = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(place, "w") as out:
            token = await tokens.first_admin()
            if token is not None:
                out.write(token + "\n")
                out.flush()
                os.fsync(place)
    if token is None:  # another server was faster
        with suppress(OSError):
            os.unlink(file)  # noqa: PTH108 - one call at start, before anything is served
    else:
        _say(f"The admin token of this new store is in {file}.")


def _say(text: str) -> None:
    """Say something to whoever started the server."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
