"""Tokens: what a caller proves who he is with. Only a hash of their secret is kept."""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Final

from shoal.server.store import keys, scripts
from shoal.server.store.pipe import Pipe

_TEXT: Final = re.compile(r"shoal_([0-9a-f]{30})_([0-9a-f]{64})", re.ASCII)
_FIELDS: Final = ("hash", "owner", "bot", "admin", "revoked")
_SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """Whose token it is and what it is good for."""

    token_id: str
    owner: str
    bot_id: str | None
    """The one bot it speaks for, or None when it speaks for its owner."""

    admin: bool
    revoked: bool
    """Whether it is good for nothing any more."""


class TokenStore:
    """The tokens of one Redis."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def issue(self, owner: str, bot_id: str | None = None, *, admin: bool = False) -> str:
        """Make a token and return its text, which nobody can learn again later.

        That of a bot is in the bot's partition: whatever else is away, it is there when its bot is.
        """
        partition = None if bot_id is None else keys.partition_of(bot_id)
        token_id, secret = keys.new_id(partition), secrets.token_hex(_SECRET_BYTES)
        await self._pipe.command(
            *("HSET", keys.token(token_id), "hash", _hash(secret), "owner", owner),
            *("bot", bot_id or "", "admin", int(admin)),
        )
        return f"shoal_{token_id}_{secret}"

    async def has_admin(self) -> bool:
        """Tell whether the first admin token was made, by anybody."""
        return bool(await self._pipe.command("EXISTS", keys.FIRST_ADMIN))

    async def first_admin(self, owner: str = "admin") -> str | None:
        """Make the first admin token; return None when it was made before, by anybody."""
        token_id, secret = keys.new_id(keys.FIRST_ADMIN_PARTITION), secrets.token_hex(_SECRET_BYTES)
        made = await self._pipe.call(
            scripts.FIRST_ADMIN,
            (keys.FIRST_ADMIN, keys.token(token_id)),
            (token_id, _hash(secret), owner),
        )
        return f"shoal_{token_id}_{secret}" if made else None

    async def look_up(self, text: str) -> TokenInfo | None:
        """Return whose token this is, also when it is revoked; None when it is no token of ours."""
        form = _TEXT.fullmatch(text)
        if form is None or not keys.is_id(form[1]):
            return None
        reply = await self._pipe.command("HMGET", keys.token(form[1]), *_FIELDS)
        kept, owner, bot_id, admin, revoked = reply
        if kept is None or not hmac.compare_digest(kept, _hash(form[2]).encode()):
            return None
        return TokenInfo(
            token_id=form[1],
            owner=owner.decode(),
            bot_id=bot_id.decode() or None,
            admin=admin == b"1",
            revoked=revoked is not None,
        )

    async def is_revoked(self, token_id: str) -> bool:
        """Tell whether a token that was looked up before is good for nothing any more."""
        return await self._pipe.command("HGET", keys.token(token_id), "revoked") is not None

    async def revoke(self, token_id: str) -> bool:
        """Make a token good for nothing; return False when there is none with this id."""
        if not keys.is_id(token_id):
            return False
        reply = await self._pipe.call(scripts.AMEND, (keys.token(token_id),), ("revoked", 1))
        return bool(reply)


def _hash(secret: str) -> str:
    """Return what is kept of a secret; it is random and long, so one round of SHA-256 will do."""
    return hashlib.sha256(secret.encode()).hexdigest()
