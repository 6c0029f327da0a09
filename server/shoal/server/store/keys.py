"""The names of things in Redis: partitions, ids, keys and channels. No other module knows them."""

import secrets
import time
from binascii import crc32
from typing import Final

PARTITIONS: Final = 64
"""Into how many parts all keys are split; each part is one slot of a Redis Cluster."""

NAMESPACE: Final = "shoal:"
"""What every key and every channel begins with."""

_HEX: Final = frozenset("0123456789abcdef")
_TIME_DIGITS: Final = 12
_RANDOM_BYTES: Final = 8
_ID_LENGTH: Final = 2 + _TIME_DIGITS + 2 * _RANDOM_BYTES


def new_id(partition: int | None = None) -> str:
    """Make an id: partition (2 hex digits), wall time (12, in ms) and 64 random bits (16).

    Ids of one partition sort by the time they were made. Without a partition it is random.
    """
    if partition is None:
        partition = secrets.randbelow(PARTITIONS)
    return f"{partition:02x}{now_ms():0{_TIME_DIGITS}x}{secrets.token_hex(_RANDOM_BYTES)}"


def now_ms() -> int:
    """Return the wall time, which ids are made of."""
    return time.time_ns() // 1_000_000


def is_id(text: str) -> bool:
    """Tell whether the text has the form of an id; nothing is said about its existence."""
    return len(text) == _ID_LENGTH and _HEX.issuperset(text) and text[:2] < f"{PARTITIONS:02x}"


def partition_of(id_: str) -> int:
    """Return the partition an id carries; raise ValueError when it is no id."""
    if not is_id(id_):
        msg = f"not an id: {id_!r}"
        raise ValueError(msg)
    return int(id_[:2], 16)


def time_of(id_: str) -> int:
    """Return when an id was made, in ms of wall time since 1970."""
    return int(id_[2 : 2 + _TIME_DIGITS], 16)


def by_time(id_: str) -> str:
    """Turn an id round so that it sorts by time: the partition goes to the end."""
    return id_[2:] + id_[:2]


def from_time(member: str) -> str:
    """Undo `by_time`."""
    return member[-2:] + member[:-2]


def partition_of_name(name: str) -> int:
    """Return the partition of what has a name and no id: bot names, ladders, callers."""
    return crc32(name.encode()) % PARTITIONS


TAGGED: Final = tuple(f"{NAMESPACE}{{p{partition:02x}}}" for partition in range(PARTITIONS))
"""What all keys of each partition begin with; the braces are the hash tag, all of one length."""

_PREFIX: Final = tuple(f"{tagged}:" for tagged in TAGGED)
_BY_DIGITS: Final = {f"{partition:02x}": prefix for partition, prefix in enumerate(_PREFIX)}


def _of_id(kind: str, id_: str) -> str:
    """Return the key of this kind that belongs to an id; raise ValueError when it is no id."""
    try:
        return f"{_BY_DIGITS[id_[:2]]}{kind}:{id_}"
    except KeyError:
        msg = f"not an id: {id_!r}"
        raise ValueError(msg) from None


# What belongs to a match.


def match(match_id: str) -> str:
    """Return the key of the hash that holds a match."""
    return _of_id("match", match_id)


def log(match_id: str) -> str:
    """Return the key of the list of a match's entries."""
    return _of_id("log", match_id)


# What belongs to a partition of matches.

MATCHES: Final = tuple(prefix + "matches" for prefix in _PREFIX)
DEADLINES: Final = tuple(prefix + "deadlines" for prefix in _PREFIX)
OUTBOX: Final = tuple(prefix + "outbox" for prefix in _PREFIX)
REJECTED: Final = tuple(prefix + "outbox:rejected" for prefix in _PREFIX)
OUTBOX_CURSOR: Final = tuple(prefix + "outbox:cursor" for prefix in _PREFIX)
CLOCK: Final = tuple(prefix + "clock" for prefix in _PREFIX)
ARCHIVE: Final = tuple(prefix + "archive" for prefix in _PREFIX)
PROCESSES: Final = tuple(prefix + "processes" for prefix in _PREFIX)

# What belongs to a bot.

BOTS: Final = tuple(prefix + "bots" for prefix in _PREFIX)


def bot(bot_id: str) -> str:
    """Return the key of the hash that holds a bot."""
    return _of_id("bot", bot_id)


def live(bot_id: str) -> str:
    """Return the key of the set of a bot's live matches."""
    return _of_id("live", bot_id)


def annulled(bot_id: str) -> str:
    """Return the key of the set of a bot's matches that turned out to be void after their end."""
    return _of_id("annulled", bot_id)


def history(bot_id: str) -> str:
    """Return the key of the sorted set of all matches of a bot."""
    return _of_id("history", bot_id)


def stream(bot_id: str) -> str:
    """Return the key of the hash that says who hosts a bot's stream."""
    return _of_id("stream", bot_id)


def challenges_of(bot_id: str) -> str:
    """Return the key of the sorted set of the challenges that a bot is in."""
    return _of_id("challenges", bot_id)


def challenged(bot_id: str) -> str:
    """Return the key of the set of those matches of a bot that are challenges."""
    return _of_id("challenged", bot_id)


def acceptance(bot_id: str) -> str:
    """Return the key of the JSON that says which challenges a bot accepts."""
    return _of_id("acceptance", bot_id)


def bot_name(name: str) -> str:
    """Return the key that reserves a bot's name."""
    return f"{_PREFIX[partition_of_name(name)]}name:{name}"


# Callers and the store itself.

FORMAT: Final = _PREFIX[0] + "format"
FIRST_ADMIN_PARTITION: Final = 0
FIRST_ADMIN: Final = _PREFIX[FIRST_ADMIN_PARTITION] + "admin"


def token(token_id: str) -> str:
    """Return the key of the hash that holds a token."""
    return _of_id("token", token_id)


def request(caller: str, request_id: str) -> str:
    """Return the key of the hash that remembers a caller's request."""
    return f"{_PREFIX[partition_of_name(caller)]}request:{caller}:{request_id}"


def challenging(owner: str) -> str:
    """Return the key of the sorted set of an owner's challenges that wait."""
    return f"{_PREFIX[partition_of_name(owner)]}challenging:{owner}"


# What belongs to a competition: all of it is in one partition, that of its id or of its name.

DIRECTOR: Final = _PREFIX[0] + "director"
COMPETITIONS: Final = _PREFIX[0] + "competitions"
ACTIVE: Final = _PREFIX[0] + "competitions:active"


def competition(competition_id: str, kind: str = "") -> str:
    """Return the key of the hash that holds a competition, or of one `kind` of what belongs to it.

    A tournament has an id, a ladder a name.
    """
    has_id = is_id(competition_id)
    partition = partition_of(competition_id) if has_id else partition_of_name(competition_id)
    key = f"{_PREFIX[partition]}competition:{competition_id}"
    return f"{key}:{kind}" if kind else key


# What belonged to a ladder before ladders were competitions: a director takes it over.

LADDERS: Final = _PREFIX[0] + "ladders"


def ladder(ladder_id: str, kind: str = "") -> str:
    """Return the key of the hash that held a ladder, or of one `kind` of what belonged to it."""
    key = f"{_PREFIX[partition_of_name(ladder_id)]}ladder:{ladder_id}"
    return f"{key}:{kind}" if kind else key


# Challenges: each is in the partition of its id.

CHALLENGES: Final = _PREFIX[0] + "challenges"


def challenge(challenge_id: str) -> str:
    """Return the key of the hash that holds a challenge."""
    return _of_id("challenge", challenge_id)


# Channels: bells without content, heard in every partition.

OUTBOX_BELL: Final = NAMESPACE + "bell:outbox"
LADDER_BELL: Final = NAMESPACE + "bell:ladder"


def match_bell(match_id: str) -> str:
    """Return the channel that rings when a match has a new version."""
    return f"{NAMESPACE}bell:match:{match_id}"


def bot_bell(bot_id: str) -> str:
    """Return the channel that rings when a bot has something to see."""
    return f"{NAMESPACE}bell:bot:{bot_id}"
