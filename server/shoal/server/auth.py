"""Who calls: from the bearer token of a call to a Caller. The only place that reads tokens from calls."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import final

from shoal.server.errors import Reason, Refusal
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.tokens import TokenInfo, TokenStore

CACHE_SECONDS = 4.0
"""For how long a token that was looked up is trusted: a revoked one works no longer than this."""

AWAY_SECONDS = 300.0
"""For how long it is trusted while its part of the store does not answer: a revoked one works no longer."""

SOON_SECONDS = 0.2
"""How long a call of a bot that is known waits for that part."""

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
@dataclass(slots=True)
class _Known:
    """The caller of a token, when the store said so, and until when it is not asked again."""

    caller: Caller
    said: float
    until: float


@final
class Authenticator:
    """Turns tokens into callers, remembering each for a few seconds."""

    def __init__(self, tokens: TokenStore) -> None:
        """Look tokens up in `tokens`."""
        self._tokens = tokens
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._asked: dict[str, asyncio.Task[Caller]] = {}

    async def authenticate(self, metadata: Mapping[str, str]) -> Caller:
        """Return the caller of these metadata, anonymous without a token.

        One that is known goes on while the part of the store that has its token is away: its matches may be
        in others. Raise Refusal for a token that is malformed, unknown or revoked; StoreUnavailable.
        """
        header = metadata.get(HEADER)
        if header is None:
            return ANONYMOUS
        if not header.lower().startswith(SCHEME):
            raise Refusal(Reason.TOKEN_INVALID, "authorization must be: Bearer <token>")
        text = header[len(SCHEME) :].strip()
        now, known = time.monotonic(), self._known.get(text)
        if known is not None and now < known.until:
            return known.caller
        asked = self._ask(text)
        if known is None or now - known.said > AWAY_SECONDS:
            return await asyncio.shield(asked)
        done, _ = await asyncio.wait([asked], timeout=SOON_SECONDS)
        if not done or isinstance(asked.exception(), StoreUnavailable):
            return known.caller
        return asked.result()

    def _ask(self, text: str) -> "asyncio.Task[Caller]":
        """Look a token up, once for all calls that wait for it."""
        asked = self._asked.get(text)
        if asked is None:
            asked = self._asked[text] = asyncio.create_task(self._look_up(text))
            asked.add_done_callback(_heard)
        return asked

    async def _look_up(self, text: str) -> Caller:
        """Look a token up, and remember what was said; raise Refusal, StoreUnavailable."""
        try:
            caller = _caller_of(await self._tokens.look_up(text))
        except Refusal:
            self._known.pop(text, None)
            raise
        except StoreUnavailable:
            if (known := self._known.get(text)) is not None:
                known.until = time.monotonic() + CACHE_SECONDS
            raise
        finally:
            del self._asked[text]
        now = time.monotonic()
        self._known[text] = _Known(caller, now, now + CACHE_SECONDS)
        self._known.move_to_end(text)
        if len(self._known) > CACHED_TOKENS:
            self._known.popitem(last=False)
        return caller


def _heard(asked: "asyncio.Task[Caller]") -> None:
    """Take note of what went wrong: whoever asked may have gone on without."""
    if not asked.cancelled():
        asked.exception()


def _caller_of(info: TokenInfo | None) -> Caller:
    """Return the caller of a token that was looked up; raise Refusal."""
    if info is None:
        raise Refusal(Reason.TOKEN_INVALID, "the server does not know this token")
    if info.revoked:
        raise Refusal(Reason.TOKEN_REVOKED, "this token was revoked")
    return Caller(info.owner, info.bot_id or "", info.admin, info.token_id)
