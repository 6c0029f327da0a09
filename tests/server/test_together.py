"""Work side by side: it ends together, and neither a cancellation nor an error is lost."""

import asyncio

import pytest

from shoal.server.together import all_of, first_error, together


async def forever(ended: list[str]) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        ended.append("forever")


async def fails() -> None:
    raise ZeroDivisionError


async def test_when_one_fails_the_others_end_and_its_error_is_raised() -> None:
    """The error arrives as it is, after everything has ended."""
    ended: list[str] = []
    with pytest.raises(ZeroDivisionError):
        await together(forever(ended), fails())
    assert ended == ["forever"]


async def test_when_one_ends_the_others_end_too() -> None:
    """Nothing goes on after the first one has ended."""
    ended: list[str] = []
    await together(forever(ended), asyncio.sleep(0))
    assert ended == ["forever"]


@pytest.mark.parametrize("turns", range(8))
async def test_a_cancellation_that_meets_an_error_is_not_lost(turns: int) -> None:
    """Whenever the cancellation comes, the task ends and works on no more."""

    async def work() -> None:
        while True:
            try:
                await together(forever([]), fails())
            except ZeroDivisionError:
                await asyncio.sleep(0)

    task = asyncio.ensure_future(work())
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=5)
    assert done
    assert task.cancelled()


async def test_all_are_run_to_their_ends_before_an_error_is_raised() -> None:
    """One failure does not keep the others from being done."""
    ended: list[str] = []

    async def late() -> None:
        await asyncio.sleep(0)
        ended.append("late")

    with pytest.raises(ZeroDivisionError):
        await all_of([fails(), late()])
    assert ended == ["late"]


def test_the_first_error_of_a_group_is_found_however_deep_it_is() -> None:
    """That of a task group in a task group, and one that nothing wraps."""
    error = ZeroDivisionError()
    inner = ExceptionGroup("of a task", [error, ValueError()])
    assert first_error(ExceptionGroup("of a task of that", [inner, KeyError()])) is error
    assert first_error(error) is error
