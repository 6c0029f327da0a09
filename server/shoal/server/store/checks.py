"""What a Redis must be before a server trusts it with matches; nothing is written before."""

from dataclasses import dataclass, replace
from typing import Final

from shoal.server.store import keys
from shoal.server.store.binary import OLDEST, parse_version
from shoal.server.store.errors import StoreError, StoreRefused, StoreUnavailable
from shoal.server.store.node import Node
from shoal.server.store.pipe import Pipe

FORMAT: Final = 1
"""The number of the format of all keys; it grows when an older server would misread them."""

_SCAN_COUNT: Final = 1000

_AFTER_FSYNC: Final = {
    "always": "an acknowledged move survives the loss of Redis and of the machine",
    "everysec": "moves of the last second, or of some on a slow disk, may be lost",
    "no": "moves of the last half minute may be lost with the machine",
}


_FAILOVER: Final = "a failover may lose what its replica had not heard"


@dataclass(frozen=True, slots=True)
class Summary:
    """What a Redis that passed is like."""

    version: str
    persistence: str
    """One line for the log: what an acknowledged move survives."""


async def check_store(pipe: Pipe) -> Summary:
    """Check the Redis, or each master of a cluster, and mark it as ours when it is empty of our names.

    Raises StoreRefused, saying what is wrong and what to do, and then has written nothing.
    """
    masters = pipe.masters
    summaries = [await _check_master(master) for master in masters]
    await _check_format(pipe)
    await pipe.command("SETNX", keys.FORMAT, FORMAT)
    return _together(masters, summaries)


async def _check_master(master: Node) -> Summary:
    """Check one Redis by itself."""
    info = _fields(await master.command("INFO"))
    _check_version(info)
    _check_place(info)
    _check_eviction(info)
    return Summary(_version(info), await _persistence(master, info))


def _together(masters: tuple[Node, ...], summaries: list[Summary]) -> Summary:
    """Return what all masters have in common, or else what each is like."""
    if len(masters) > 1:
        summaries = [
            replace(each, persistence=f"{each.persistence}; {_FAILOVER}") for each in summaries
        ]
    if len(set(summaries)) == 1:
        return summaries[0]
    versions = ", ".join(sorted({each.version for each in summaries}))
    lines = [
        f"{master.address}: {each.persistence}"
        for master, each in zip(masters, summaries, strict=True)
    ]
    return Summary(versions, "; ".join(lines))


def _fields(info: bytes) -> dict[str, str]:
    """Read the answer of INFO."""
    lines = info.decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def _version(info: dict[str, str]) -> str:
    """Return the version: Valkey says its own beside that of the Redis it replaces."""
    return info.get("valkey_version") or info.get("redis_version", "")


def _check_version(info: dict[str, str]) -> None:
    """Refuse what is too old for the scripts."""
    version = _version(info)
    if (parse_version(version) or (0, 0)) < OLDEST:
        msg = f"Redis {version or 'of no version'} is too old: use 6.2 or newer, or Valkey"
        raise StoreRefused(msg)


def _check_place(info: dict[str, str]) -> None:
    """Refuse a replica; in a cluster the role may change at any time, and who has it is looked up."""
    if info.get("role") != "master" and info.get("cluster_enabled") != "1":
        msg = "this Redis is a replica and cannot be written: give the URL of its primary"
        raise StoreRefused(msg)


def _check_eviction(info: dict[str, str]) -> None:
    """Refuse a Redis that may throw matches away when its memory is full."""
    policy = info.get("maxmemory_policy", "")
    if int(info.get("maxmemory", "0")) > 0 and policy != "noeviction":
        msg = (
            f"this Redis may evict (maxmemory-policy {policy}), and matches would be lost: "
            "set maxmemory-policy noeviction"
        )
        raise StoreRefused(msg)


async def _check_format(pipe: Pipe) -> None:
    """Refuse keys that are not ours, or of a format that is not ours."""
    kept = await pipe.command("GET", keys.FORMAT)
    if kept is None:
        stranger = await _any_key(pipe.masters)
        if stranger is not None:
            msg = (
                f"this Redis has keys under {keys.NAMESPACE!r} that no server of ours has made "
                f"({stranger!r}): use another database, or remove them"
            )
            raise StoreRefused(msg)
    elif kept != str(FORMAT).encode():
        msg = (
            f"this Redis holds data of format {kept.decode(errors='replace')}, this server reads "
            f"format {FORMAT}: run the server that wrote it, or use another database"
        )
        raise StoreRefused(msg)


async def _any_key(masters: tuple[Node, ...]) -> str | None:
    """Return some key of our namespace, or None when there is none."""
    for master in masters:
        cursor = None
        while cursor != b"0":
            cursor, found = await master.command(
                *("SCAN", cursor or 0, "MATCH", f"{keys.NAMESPACE}*", "COUNT", _SCAN_COUNT)
            )
            if found:
                return str(found[0].decode(errors="replace"))
    return None


async def _persistence(master: Node, info: dict[str, str]) -> str:
    """Say what an acknowledged move survives, as far as this Redis tells its settings."""
    try:
        told = await master.many([("CONFIG", "GET", "appendfsync"), ("CONFIG", "GET", "save")])
    except StoreUnavailable:
        raise
    except StoreError:
        return "unknown (CONFIG is forbidden): ask whoever runs this Redis what it survives"
    fsync, save = (values[1].decode() for values in told)
    if info.get("aof_enabled") == "1":
        return f"appendonly yes, appendfsync {fsync}: {_AFTER_FSYNC.get(fsync, 'unknown')}"
    if save:
        return f"snapshots only (save {save}): moves since the last snapshot are lost with Redis"
    return "none: every match is lost when Redis ends"
