"""Who calls: from the bearer token of a call to a Caller. The only place that reads tokens from calls."""

import time
from collections import OrderedDict
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import final

from shoal.server.errors import Reason, Refusal
from shoal.server.store.tokens import TokenInfo, TokenStore

CACHE_SECONDS = 4.0
"""For how long a token that was looked up is trusted: a revoked one works no longer than this."""

CACHED_TOKENS = 10_000

HEADER = "authorization"
SCHEME = "bearer "


@final
@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls. `bot_id` is "" for a token that plays for no bot; nobody has `owner` "".

    An anonymous caller has neither, and no `token_id`.
    """

    owner: str = ""
    bot_id: str = ""
    admin: bool = False
    token_id: str = ""

    @property
    def anonymous(self) -> bool:
        """Whether the call came without a token."""
        return not self.owner

    def known(self) -> "Caller":
        """Return this caller; raise Refusal when it is anonymous."""
        if self.anonymous:
            raise Refusal(Reason.TOKEN_INVALID, "this call needs a token: authorization: Bearer …")
        return self

    def playing(self) -> str:
        """Return the bot of this caller; raise Refusal when it has none."""
        if not self.known().bot_id:
            raise Refusal(Reason.NOT_ALLOWED, "this token belongs to no bot: register one")
        return self.bot_id

    def organizing(self) -> "Caller":
        """Return this caller; raise Refusal unless it has an admin token."""
        if not self.known().admin:
            raise Refusal(Reason.NOT_ALLOWED, "only an admin token may do this")
        return self


ANONYMOUS = Caller()

_caller: ContextVar[Caller] = ContextVar("caller", default=ANONYMOUS)


def current_caller() -> Caller:
    """Return who makes the call that is being handled."""
    return _caller.get()


def set_caller(caller: Caller) -> None:
    """Note who makes the call that is being handled; for the interceptor alone."""
    _caller.set(caller)


@final
class Authenticator:
    """Turns tokens into callers, remembering each for a few seconds."""

    def __init__(self, tokens: TokenStore) -> None:
        """Look tokens up in `tokens`."""
        self._tokens = tokens
        self._cache: OrderedDict[str, tuple[float, Caller]] = OrderedDict()

    async def authenticate(self, metadata: Mapping[str, str]) -> Caller:
        """Return the caller of these metadata, anonymous without a token.

        Raise Refusal for a token that is malformed, unknown or revoked; StoreUnavailable.
        """
        header = metadata.get(HEADER)
        if header is None:
            return ANONYMOUS
        if not header.lower().startswith(SCHEME):
            raise Refusal(Reason.TOKEN_INVALID, "authorization must be: Bearer <token>")
        text = header[len(SCHEME) :].strip()
        now = time.monotonic()
        cached = self._cache.get(text)
        if cached is not None and cached[0] > now:
            return cached[1]
        self._cache.pop(text, None)
        caller = _caller_of(await self._tokens.look_up(text))
        self._cache[text] = (now + CACHE_SECONDS, caller)
        if len(self._cache) > CACHED_TOKENS:
            self._cache.popitem(last=False)
        return caller


def _caller_of(info: TokenInfo | None) -> Caller:
    """Return the caller of a token that was looked up; raise Refusal."""
    if info is None:
        raise Refusal(Reason.TOKEN_INVALID, "the server does not know this token")
    if info.revoked:
        raise Refusal(Reason.TOKEN_REVOKED, "this token was revoked")
    return Caller(info.owner, info.bot_id or "", info.admin, info.token_id)
