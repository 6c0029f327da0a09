"""The Lua scripts: what must happen in Redis as one step. Their text is beside this module."""

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Final


@dataclass(frozen=True, slots=True)
class Script:
    """A script as Redis knows it; `sha` is the hexadecimal SHA-1 of its source."""

    name: str
    source: str
    sha: str

    @classmethod
    def of(cls, name: str, source: str) -> "Script":
        """Make a script from its text."""
        digest = hashlib.sha1(source.encode(), usedforsecurity=False)
        return cls(name, source, digest.hexdigest())


def _read(name: str) -> str:
    """Return the text of one file beside this module."""
    return files(__package__).joinpath(f"{name}.lua").read_text(encoding="utf-8")


def _script(name: str, *, clock: bool = False, silences: bool = False) -> Script:
    """Build the script of this name, after those that say what time it is, and who has been silent."""
    parts = [*(["clock"] if clock else []), *(["silences"] if silences else []), name]
    return Script.of(name, "".join(map(_read, parts)))


CREATE: Final = _script("create", clock=True)
CONDEMN: Final = _script("condemn")
COMMIT: Final = _script("commit", clock=True)
ALIVE: Final = _script("alive", clock=True, silences=True)
TICK: Final = _script("tick", clock=True, silences=True)
WHERE: Final = _script("where", clock=True)
CLAIM: Final = _script("claim")
OFFER: Final = _script("offer")
POLLED: Final = _script("polled")
RENEW: Final = _script("renew")
RELEASE: Final = _script("release", clock=True)
RESERVE: Final = _script("reserve")
ANNUL: Final = _script("annul")
AMEND: Final = _script("amend")
FIRST_ADMIN: Final = _script("first_admin")
TAKE_NAME: Final = _script("take_name")
DIRECTOR_LEASE: Final = _script("director_lease")
ARCHIVE_REMOVE: Final = _script("archive_remove")
COMPETITION_CREATE: Final = _script("competition_create")
COMPETITION_ENTER: Final = _script("competition_enter")
COMPETITION_AMEND: Final = _script("competition_amend")
COMPETITION_TURN: Final = _script("competition_turn")
COMPETITION_RESERVE: Final = _script("competition_reserve")
COMPETITION_COUNT: Final = _script("competition_count")
COMPETITION_END: Final = _script("competition_end")
COMPETITION_DROP: Final = _script("competition_drop")
COMPETITION_RECOUNT: Final = _script("competition_recount")
COMPETITION_LEDGER: Final = _script("competition_ledger")
COMPETITION_LUCK: Final = _script("competition_luck")
COMPETITION_NOTE: Final = _script("competition_note")
CHALLENGE_CREATE: Final = _script("challenge_create")
CHALLENGE_PLACE: Final = _script("challenge_place")
CHALLENGE_TURN: Final = _script("challenge_turn")
COMPETITION_RELEASE: Final = _script("competition_release")
MEMBERSHIP: Final = _script("membership")
COMPETITION_PUBLISH: Final = _script("competition_publish")
COMPETITION_ADOPT: Final = _script("competition_adopt")
