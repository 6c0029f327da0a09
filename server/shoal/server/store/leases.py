"""The lease of the one director, and the tokens by which its writes are told from those of an older one."""

from dataclasses import dataclass
from typing import final

from shoal.server.store import keys, scripts
from shoal.server.store.pipe import Pipe


@dataclass(frozen=True, slots=True)
class Lease:
    """The answer to asking for the lease: a token, or 0 and how long another holds it."""

    token: int
    wait_ms: int


@final
class LeaseStore:
    """The lease in Redis."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def acquire(self, holder: str, ttl_ms: int) -> Lease:
        """Ask for the lease of the one director; a holder's name is of one run of one process."""
        return Lease(*await self._lease(holder, ttl_ms, 0))

    async def renew(self, holder: str, ttl_ms: int, token: int) -> bool:
        """Keep the lease for `ttl_ms` from now, 0 to give it up; false when it is somebody else's."""
        kept, _ = await self._lease(holder, ttl_ms, token)
        return bool(kept)

    async def _lease(self, holder: str, ttl_ms: int, token: int) -> tuple[int, int]:
        granted, wait_ms = await self._pipe.call(
            scripts.DIRECTOR_LEASE, (keys.DIRECTOR,), (holder, ttl_ms, token)
        )
        return granted, wait_ms
