"""Work that is done once for all who ask."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from shoal.server.once import Once

Work = Callable[[int], Coroutine[Any, Any, str]]


class Shop:
    """Work that a test lets go on, and the state that it is done with."""

    def __init__(self) -> None:
        self.once = Once[int, str](most=2, keep=60)
        self.state = 1
        self.begun: asyncio.Queue[int] = asyncio.Queue()
        self.go_on = asyncio.Event()
        self.at_once = self.most_at_once = 0

    async def read(self) -> int:
        return self.state

    async def work(self, state: int) -> str:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.begun.put_nowait(state)
        await self.go_on.wait()
        self.at_once -= 1
        return f"of {state}"

    def ask(self, key: str = "a", work: Work | None = None) -> "asyncio.Task[str]":
        return asyncio.create_task(self.once.get(key, self.read, work or self.work))


async def test_all_who_ask_meanwhile_have_the_same() -> None:
    shop = Shop()
    asked = [shop.ask() for _ in range(5)]
    assert await shop.begun.get() == 1
    shop.go_on.set()
    assert await asyncio.gather(*asked) == ["of 1"] * 5
    assert await shop.ask() == "of 1"
    assert shop.begun.empty()


async def test_what_has_changed_is_done_anew_but_one_at_a_time() -> None:
    """Nobody who asks after the change is told what was before it."""
    shop = Shop()
    early = shop.ask()
    await shop.begun.get()
    shop.state = 2
    late = [shop.ask() for _ in range(3)]
    other = shop.ask("b")
    assert await shop.begun.get() == 2  # that of another key does not wait
    shop.go_on.set()
    assert await early == "of 1"
    assert await asyncio.gather(*late, other) == ["of 2"] * 4
    assert (shop.begun.get_nowait(), shop.begun.empty(), shop.most_at_once) == (2, True, 2)


async def test_who_stops_waiting_does_not_stop_the_work() -> None:
    """If clients give up and ask again, it is not begun again each time."""
    shop = Shop()
    for _ in range(3):
        asked = shop.ask()
        if shop.begun.empty() and not shop.at_once:
            await shop.begun.get()
        asked.cancel()
        await asyncio.wait([asked])
    shop.go_on.set()
    assert await shop.ask() == "of 1"
    assert shop.begun.empty()


async def test_what_fails_is_tried_again() -> None:
    shop = Shop()

    async def fail(_: int) -> str:
        raise LookupError

    with pytest.raises(LookupError):
        await shop.ask(work=fail)
    shop.go_on.set()
    assert await shop.ask() == "of 1"


async def test_no_more_is_kept_than_was_said() -> None:
    shop = Shop()
    shop.go_on.set()
    for key in ("a", "b", "c", "a", "c"):
        await shop.ask(key)
    assert shop.begun.qsize() == 4


async def test_nothing_is_kept_for_longer_than_was_said() -> None:
    """A store that has lost writes may come to the same state by another way."""
    shop = Shop()
    shop.once = Once(most=2, keep=0)
    shop.go_on.set()
    await shop.ask()
    await shop.ask()
    assert shop.begun.qsize() == 2
