"""Work that many tasks have at the same moment, a turn at a time."""

import asyncio

from shoal.server.services.turn import Turn


def test_the_loop_looks_between_two_turns() -> None:
    """What comes in while one task works is taken in before the next one works (T47)."""
    happened: list[str] = []

    async def work(name: str, turn: Turn) -> None:
        async with turn:
            happened.append(name)
            asyncio.get_running_loop().call_soon(happened.append, f"came in during {name}")

    async def work_together() -> None:
        turn = Turn()
        await asyncio.gather(*[work(name, turn) for name in ("a", "b", "c")])

    asyncio.run(work_together())
    assert happened == [
        "a",
        "came in during a",
        "b",
        "came in during b",
        "c",
        "came in during c",
    ]


def test_who_is_cancelled_passes_the_turn_on() -> None:
    """In the middle of its work, and while it waits."""

    async def cancel_each() -> None:
        turn = Turn()
        inside = asyncio.Event()

        async def stay() -> None:
            async with turn:
                inside.set()
                await asyncio.Event().wait()

        staying, waiting = asyncio.create_task(stay()), asyncio.create_task(stay())
        await inside.wait()
        waiting.cancel()
        staying.cancel()
        await asyncio.wait([staying, waiting])
        async with turn:
            pass

    asyncio.run(asyncio.wait_for(cancel_each(), 10))
