"""All that is kept, in Redis: nothing outside knows its commands or the names of its keys.

Bytes, text and numbers go in and out; no protobuf, no gRPC, no rules.
"""

from shoal.server.store.bells import Bells
from shoal.server.store.bots import Bot, BotStore
from shoal.server.store.checks import Summary, check_store
from shoal.server.store.commits import (
    Already,
    Commit,
    Committed,
    Conflict,
    Early,
    Expired,
    Guard,
    Missing,
    Outcome,
)
from shoal.server.store.errors import (
    BadPageToken,
    FolderInUse,
    MatchCondemned,
    NameTaken,
    NoRedisBinary,
    RequestIdReused,
    StoreError,
    StoreRefused,
    StoreUnavailable,
)
from shoal.server.store.folder import default_folder
from shoal.server.store.keys import (
    LADDER_BELL,
    OUTBOX_BELL,
    PARTITIONS,
    bot_bell,
    is_id,
    match_bell,
    new_id,
    partition_of,
    partition_of_name,
    time_of,
)
from shoal.server.store.launcher import PrivateRedis, launch_redis
from shoal.server.store.matches import MatchStore, NewMatch, StoredMatch, Tick
from shoal.server.store.node import Limits
from shoal.server.store.outbox import Finished, Outbox
from shoal.server.store.paging import Page
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Claim, Presence, PresenceStore
from shoal.server.store.requests import RequestStore, Reservation
from shoal.server.store.tokens import TokenInfo, TokenStore

__all__ = [
    "LADDER_BELL",
    "OUTBOX_BELL",
    "PARTITIONS",
    "Already",
    "BadPageToken",
    "Bells",
    "Bot",
    "BotStore",
    "Claim",
    "Commit",
    "Committed",
    "Conflict",
    "Early",
    "Expired",
    "Finished",
    "FolderInUse",
    "Guard",
    "Limits",
    "MatchCondemned",
    "MatchStore",
    "Missing",
    "NameTaken",
    "NewMatch",
    "NoRedisBinary",
    "Outbox",
    "Outcome",
    "Page",
    "Pipe",
    "Presence",
    "PresenceStore",
    "PrivateRedis",
    "RequestIdReused",
    "RequestStore",
    "Reservation",
    "StoreError",
    "StoreRefused",
    "StoreUnavailable",
    "StoredMatch",
    "Summary",
    "Tick",
    "TokenInfo",
    "TokenStore",
    "bot_bell",
    "check_store",
    "default_folder",
    "is_id",
    "launch_redis",
    "match_bell",
    "new_id",
    "partition_of",
    "partition_of_name",
    "time_of",
]
