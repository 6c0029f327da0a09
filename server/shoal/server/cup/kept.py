"""What runs on a given server leave for later ones: the tokens of their bots, and what they play.

So a run takes the bots of an earlier one again, and calls off what one that was killed could not. Whatever is
used is locked, and the lock ends with its process, however that ends.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Final, final

from shoal.server.store.folder import default_folder

_MOST: Final = 1000
"""So many runs may use a bot of one name at a time."""

_TOURNAMENT: Final = re.compile(r"[0-9a-f]{1,64}")


def kept_for(address: str) -> Path:
    """Return the folder of what runs on a server leave."""
    return default_folder() / "tournament-run" / re.sub(r"[^A-Za-z0-9.,-]", "_", address)


@final
class Slot:
    """The place of one bot's token, which is ours until the run ends."""

    def __init__(self, file: IO[str], path: Path) -> None:
        """Take an open file that is locked."""
        self._file = file
        self.path = path

    def read(self) -> str:
        """Return the token of an earlier run; "" if there is none."""
        self._file.seek(0)
        return self._file.read().strip()

    def write(self, token: str) -> None:
        """Keep a token."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(f"{token}\n")
        self._file.flush()


@final
class Kept:
    """The folder of one server, while a run holds parts of it."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        """Hold what is taken until `held` ends."""
        self._folder = folder
        self._held = held

    def slot(self, name: str) -> Slot:
        """Return the first place for a bot of this name that no other run uses. May raise OSError."""
        folder = self._made("bots")
        for number in range(_MOST):
            path = folder / (f"{name}.token" if not number else f"{name}~{number}.token")
            if (file := self._hold(path)) is not None:
                return Slot(file, path)
        raise BlockingIOError(0, "too many runs use bots of this name", str(folder / name))

    def begin(self, tournament: str) -> None:
        """Note that we play a tournament; may raise OSError."""
        self._hold(self._made("runs") / tournament)

    def over(self, tournament: str) -> None:
        """Note that a tournament needs nobody any more."""
        (self._folder / "runs" / tournament).unlink(missing_ok=True)

    def abandoned(self) -> list[str]:
        """Return the tournaments whose runs were killed. They are ours now."""
        return [
            path.name
            for path in sorted(self._made("runs").iterdir())
            if _TOURNAMENT.fullmatch(path.name) and self._hold(path) is not None
        ]

    def _made(self, name: str) -> Path:
        folder = self._folder / name
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder

    def _hold(self, path: Path) -> IO[str] | None:
        """Open a file that is nobody's, and lock it; None if it is somebody's."""
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+")
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return self._held.enter_context(file)
        file.close()
        return None


@contextmanager
def keeping(folder: Path) -> Iterator[Kept]:
    """Give the folder of a server; what a run takes of it is free again at the end."""
    with ExitStack() as held:
        yield Kept(folder, held)
