"""Leaks: what is left when nobody plays any more, in Redis (T32) and in the processes (T101)."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from shoal.server.chaos.findings import Finding
from shoal.server.chaos.stack import Process, footprint_of

_ID: Final = "[0-9a-f]{30}"

STAYS: Final = re.compile(
    r"shoal:\{p[0-3][0-9a-f]\}:(?:"
    # Matches are archives, with what leads to them and what the director has read of them.
    rf"match:{_ID}|log:{_ID}|matches|outbox|outbox:cursor|clock"
    # Bots, their names and tokens, what they played, and which challenges they accept and were in.
    rf"|bot:{_ID}|bots|history:{_ID}|name:[^:]+|token:{_ID}|acceptance:{_ID}|challenges:{_ID}"
    # Competitions: only their blocks in play are none when nobody plays.
    r"|competition:[^:]*(?::(?:entrants|scores|results|matches|finished|order|memberships|releases))?"
    r"|competition:[^:]*:(?:ledger|luck|published)"
    r"|competition:[^:]*:(?:audit|noted|uncounted)"
    r"|competitions|competitions:active|director|processes|format|admin)"
)
"""The keys that stay, as the table of docs/design.md has them."""

PASSES: Final = re.compile(
    r"shoal:\{p[0-3][0-9a-f]\}:(?:"
    rf"request:.+|annulled:{_ID}|challenge:{_ID}|competition:[^:]*:waits)"
)
"""Keys that stay for some seconds up to a week, and must have an end."""

MORE_DESCRIPTORS: Final = 12
MORE_THREADS: Final = 24
"""What gRPC makes in a process when it is first needed, and keeps."""


def check_keys(keys: Mapping[str, bool]) -> Iterator[Finding]:
    """Look at all keys, given with whether they stay for ever."""
    for key, lasts in keys.items():
        if not STAYS.fullmatch(key) and (lasts or not PASSES.fullmatch(key)):
            yield Finding("leaked_keys", key)


def check_footprint(process: Process) -> Iterator[Finding]:
    """Look at what a server or the director holds when all bots have gone."""
    before, after = process.footprint, footprint_of(process)
    family = process.family()
    guests = [
        each
        for member in family
        for each in member.net_connections("tcp")
        if each.raddr and each.laddr.port == process.port
    ]
    if guests:
        ends = [f"{each.status} from {each.raddr.port}" for each in guests]
        what = f"{process.name}: {len(guests)} connections of nobody: {ends}"
        yield Finding("leaked_descriptors", what)
    expected = 1 + (process.workers if process.workers > 1 else 0) + process.helpers
    for child in family[expected:]:
        yield Finding("leaked_descriptors", f"{process.name}: process {child.pid} of nobody")
    if after.descriptors > before.descriptors + MORE_DESCRIPTORS * process.workers:
        what = f"{process.name}: {before.descriptors} descriptors, now {after.descriptors}"
        yield Finding("leaked_descriptors", what)
    if after.threads > before.threads + MORE_THREADS * process.workers:
        what = f"{process.name}: {before.threads} threads, now {after.threads}"
        yield Finding("leaked_descriptors", what)
