"""Running a bot on a terminal: signals, the status line, the summary."""

import asyncio
import os
import signal
import sys
import threading
from typing import NoReturn

from shoal.cli.interrupt import INTERRUPTED, leave_at_interrupt
from shoal.cli.output import note, say, say_json
from shoal.cli.pauses import tell_pauses
from shoal.client import Bot, StreamRefused, Tally, run_bot
from shoal.client.runner import THREAD_NAME

_BLINK = 0.5
"""Seconds between two states of the status line."""

_PACE = 1.0
"""Seconds between two lines of progress at the least, where there is no terminal."""

_LONG = 3
"""So many looks, each a pace apart, at which a bot had no match: it waits for one."""

_GRACE = 0.5
"""Seconds that a choose() which is running has at the end."""


def play(  # noqa: PLR0913 - one for each flag
    bot: Bot,
    server: str,
    token: str,
    *,
    tls: bool,
    max_matches: int | None,
    matches: int | None,
    wait: float,
    json: bool,
    quiet: bool = False,
    with_parent: bool = False,
) -> None:
    """Run the bot until Ctrl-C or SIGTERM, and print what it added up to.

    A second Ctrl-C ends the process at once. With `with_parent` the end of standard input is as the first.
    Also when the run ends by an error, the summary of what was played before is printed, if the server had
    let it in at all.
    """
    tally = Tally()

    async def work() -> None:
        stop = asyncio.Event()
        _listen(stop)
        if with_parent:
            _follow_parent(stop)
        status = None if quiet else asyncio.create_task(_status(tally, stop))
        pauses = None if quiet else asyncio.create_task(tell_pauses(server, token, tally, tls=tls))
        try:
            await run_bot(
                bot,
                server,
                token,
                max_matches=max_matches,
                matches=matches,
                stop=stop,
                tls=tls,
                tally=tally,
                patience=wait,
            )
        finally:
            if pauses is not None:
                pauses.cancel()
            if status is not None:
                status.cancel()
                _clear()

    try:
        asyncio.run(work())
    except StreamRefused:
        if tally.connections:
            _summary(tally, json=json)
        raise
    _summary(tally, json=json)


def _listen(stop: asyncio.Event) -> None:
    """Let the first SIGINT or SIGTERM stop the run, and a second end the process."""

    def handle() -> None:
        if stop.is_set():
            os._exit(INTERRUPTED)
        stop.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, handle)
        except NotImplementedError:  # Windows: Ctrl-C is a KeyboardInterrupt there
            return


def _follow_parent(stop: asyncio.Event) -> None:
    """Let the end of standard input, which whoever started us holds open, stop the run."""
    loop = asyncio.get_running_loop()

    def hear() -> None:
        if not os.read(sys.stdin.fileno(), 4096):
            loop.remove_reader(sys.stdin.fileno())
            stop.set()

    loop.add_reader(sys.stdin.fileno(), hear)


async def _status(tally: Tally, stop: asyncio.Event) -> None:
    """Keep one line on the terminal current; without one, write a line when matches have finished.

    There it is also said, once, that nobody plays with the bot for longer than a moment.
    """
    told = 0
    waited = 0
    while not sys.stderr.isatty():
        waited = waited + 1 if tally.connected and not tally.live else 0
        if tally.matches > told or waited == _LONG:
            told = tally.matches
            note(_line(tally, stop))
        await asyncio.sleep(_PACE)
    while True:
        sys.stderr.write(f"\r\x1b[K{_line(tally, stop)}")
        sys.stderr.flush()
        await asyncio.sleep(_BLINK)


def _line(tally: Tally, stop: asyncio.Event) -> str:
    """Return what the run adds up to now."""
    playing = "playing" if tally.live else "waiting for a match"
    going = playing if tally.connected else "connecting"
    where = "ending" if stop.is_set() else going
    return (
        f"{tally.bot_name or 'bot'}: {where}, {tally.live} open, {tally.matches} finished, "
        f"{tally.wins} won, {tally.moves} moves"
    )


def _clear() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _summary(tally: Tally, *, json: bool) -> None:
    """Print what the run added up to."""
    if json:
        say_json(tally.as_dict())
        return
    placement = tally.average_placement
    mean = "" if placement is None else f", average placement {placement:.2f}"
    say(
        f"{tally.bot_name or 'bot'}: {tally.matches} matches, {tally.wins} won{mean}, "
        f"{tally.moves} moves in {tally.seconds:.0f} s"
    )
    if tally.live:
        one = tally.live == 1
        matches = "1 match is" if one else f"{tally.live} matches are"
        note(
            f"{matches} still open on the server, and will be lost by silence when "
            f"{'its' if one else 'their'} time is up: "
            "run the bot again to play on"
        )
    if tally.faults:
        note(f"choose() failed {tally.faults} times, and the default was played")
    if tally.late:
        note(f"choose() was too slow {tally.late} times")
    for reason, count in tally.refused.most_common():
        note(f"{count} moves were refused: {reason}")


def end(code: int) -> NoReturn:
    """End the process, although a choose() may never return: Python would wait for its thread."""
    leave_at_interrupt()
    sys.stdout.flush()
    sys.stderr.flush()
    for thread in threading.enumerate():
        if thread.name.startswith(THREAD_NAME):
            thread.join(_GRACE)
            if thread.is_alive():
                os._exit(code)
    sys.exit(code)
