"""Work that is done side by side and ends together, and the error that it ends with."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

Item = TypeVar("Item")


def first_error(error: BaseException) -> BaseException:
    """Return the first error of a group that a TaskGroup made, or the error itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def together(*works: Coroutine[Any, Any, object]) -> None:
    """Run all until one ends, then end the others; raise what that one raised.

    Unlike a task group it raises the error itself, and when a cancellation and an error meet, the
    cancellation wins: a task group of Python 3.11 would drop it, and whoever asked would wait for
    ever.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def all_of(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run all to their ends, then raise the first error, if there was any."""
    for outcome in await asyncio.gather(*works, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome


async def for_each(
    items: Iterable[Item], do: Callable[[Item], Coroutine[Any, Any, None]], at_once: int
) -> None:
    """Do something with every item, no more than `at_once` at a time; raise the first error in the end."""
    room = asyncio.Semaphore(at_once)

    async def do_one(item: Item) -> None:
        async with room:
            await do(item)

    await all_of(map(do_one, items))
