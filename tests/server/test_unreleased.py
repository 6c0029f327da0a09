"""A stream that ends while the store is away: its bot is away from then on, and nobody can note it (T6)."""

import asyncio
from contextlib import suppress
from typing import Any, cast

import pytest

from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.whereabouts import Left, Whereabouts
from shoal.server.streams.claims import Claims
from shoal.server.streams.offer import Offer
from shoal.server.streams.session import Guest
from shoal.server.streams.sessions import Sessions

BOT, OTHER = 30 * "0", 30 * "1"
OFFER = Offer(1, (), (), {}, follow=False)


class Store:
    """Everything that streams need, without a match; what was said to it is kept in order."""

    def __init__(self) -> None:
        self.away = False
        self.said: list[tuple[str, int, bool, int]] = []

    async def subscribe(self, *_: object) -> None:
        pass

    def unsubscribe(self, *_: object) -> None:
        pass

    async def fill(self, *_: object, **__: object) -> set[str]:
        return set()

    async def fill_past(self, *_: object) -> None:
        pass

    def clear(self, _: object) -> None:
        pass

    async def whereabouts(self, _: list[str]) -> list[Whereabouts]:
        return [Whereabouts(Left(), 6)]

    async def claim(self, *_: object, **__: object) -> int:
        return 7

    async def release(
        self, _bot: str, _process: str, epoch: int, *, left: bool, ago_ms: int
    ) -> None:
        if self.away:
            raise StoreUnavailable("away")
        self.said.append(("release", epoch, left, ago_ms))

    async def make_good(self, *_: object, **__: object) -> None:
        self.said.append(("make good", 0, False, 0))


def sessions_of(store: Store) -> Sessions:
    fake = cast("Any", store)
    return Sessions(Claims("p", fake), fake, fake, fake, fake, comebacks=fake)


async def is_cut_off(store: Store, sessions: Sessions, bot: str, *, ours: bool = True) -> None:
    """A stream ends while the store is away; then that is there again."""
    with suppress(StoreUnavailable):
        async with sessions.open(Guest(bot, "bot", ""), OFFER) as session:
            session.greet()
            store.away = True
            if ours:
                raise StoreUnavailable("away")
    store.away = False
    store.said.clear()


@pytest.mark.parametrize("ours", [True, False], ids=["cut off", "closed"])
async def test_what_could_not_be_said_then_is_said_when_the_bot_comes_again(*, ours: bool) -> None:
    """And before it is looked what it is given, for the whole time that it was away."""
    store = Store()
    sessions = sessions_of(store)
    await is_cut_off(store, sessions, BOT, ours=ours)
    await asyncio.sleep(0.05)  # time itself is what is tested
    async with sessions.open(Guest(BOT, "bot", ""), OFFER):
        (kind, epoch, left, ago_ms), (then, *_) = store.said
        assert (kind, epoch, left, then) == ("release", 7, not ours, "make good")
        assert ago_ms >= 49  # a timer may ring within its resolution before it is due
    store.said.clear()
    async with sessions.open(Guest(BOT, "bot", ""), OFFER):
        assert [kind for kind, *_ in store.said] == ["make good"]


async def test_bots_that_never_come_again_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.server.streams.claims.UNRELEASED_SECONDS", 0.0)
    store = Store()
    sessions = sessions_of(store)
    await is_cut_off(store, sessions, BOT)
    await is_cut_off(store, sessions, OTHER)
    async with sessions.open(Guest(BOT, "bot", ""), OFFER):
        assert [kind for kind, *_ in store.said] == ["make good"]
    store.said.clear()
    async with sessions.open(Guest(OTHER, "bot", ""), OFFER):
        assert [kind for kind, *_ in store.said] == ["release", "make good"]
