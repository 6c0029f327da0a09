"""Loading the bots of a test: two versions of one bot, in two folders, each with modules of its own.

Their files have the same names then, and Python keeps modules by name: the second bot would be given the
helpers of the first. So what came from a bot's folder is forgotten before the next bot is loaded; the first
keeps what it has imported by then.
"""

import hashlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Final, final

from shoal.cli.spec import load_bot
from shoal.client import Bot

_OTHERS: Final = {"site-packages", "dist-packages"}
"""What lies there was installed, also where that is below the folder of a bot."""


@final
class Loader:
    """Loads bots one after another, each apart from those before."""

    def __init__(self) -> None:
        """Begin with nothing loaded."""
        self._own: set[str] = set()

    def load(self, spec: str) -> tuple[Bot, str]:
        """Return the bot of a SPEC and a digest of its files; end the command where there is no such bot.

        The files are that of its class, and those below its folder that it has imported by now.
        """
        for name in self._own:
            del sys.modules[name]
        before = set(sys.modules)
        where = spec.rpartition(":")[0]
        folder = Path(where).resolve().parent if where.endswith(".py") else None
        if (
            folder is not None
        ):  # before the folders of the others, of which some may be there already
            sys.path[:] = [str(folder), *(each for each in sys.path if each != str(folder))]
        bot = load_bot(spec)
        fresh = {
            name: file
            for name, module in sys.modules.items()
            if name not in before and folder is not None
            if (file := _file_of(module)) is not None and _is_own(name, file, folder)
        }
        self._own = set(fresh)
        files = set(fresh.values())
        of_class = _file_of(sys.modules.get(type(bot).__module__))
        if of_class is not None:
            files.add(of_class)
        digest = hashlib.sha256()
        for file in sorted(files):
            digest.update(file.read_bytes())
        return bot, digest.hexdigest()


def _is_own(name: str, file: Path, folder: Path) -> bool:
    """Return whether a module that came with a bot is of its folder."""
    if name.startswith("shoal.") or not file.is_relative_to(folder):
        return False
    return not _OTHERS & set(file.relative_to(folder).parts)


def _file_of(module: ModuleType | None) -> Path | None:
    """Return the file of a module; None of one that has none, such as those that are built in."""
    file = getattr(module, "__file__", None)
    path = Path(file).resolve() if isinstance(file, str) else None
    return path if path is not None and path.is_file() else None
