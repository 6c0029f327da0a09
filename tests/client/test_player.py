"""What the author's code may do wrong without harm."""

import asyncio
import logging
from collections.abc import Callable

import grpc
import pytest

from shoal.client import Bot, MatchEnd, pb, run_bot
from shoal.client.faults import Faults
from tests.client.conftest import Line, Scripted, match_update, status_of


async def one_match(line: Line) -> None:
    """A match with two decisions."""
    await line.snapshot()
    for version, name in enumerate(("d1", "d2"), start=1):
        update = match_update(version=version, decision_id=name)
        update.events.add(version=version).turn_ended.seat = 1
        await line.say(match_update=update)
        await line.accept((await line.hear_moves(version))[-1])
    await line.finish()
    await line.until_closed()


def bot_that(choose: Callable[[pb.Decision], object]) -> Bot:
    """Return a bot that chooses so."""

    class Written(Bot):
        ended: MatchEnd

        def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
            return choose(decision)  # type: ignore[return-value]

        def on_match_end(self, end: MatchEnd) -> None:
            self.ended = end

    return Written()


def stop_iteration(_: pb.Decision) -> object:
    return next(iter(()))


def zero_division(_: pb.Decision) -> object:
    return 1 / 0


@pytest.mark.parametrize(
    "choose",
    [
        zero_division,
        stop_iteration,
        lambda _: None,
        lambda _: 7,
        lambda _: pb.Option(option_id=99),
        lambda decision: decision,
    ],
    ids=["raises", "StopIteration", "None", "a number", "no such option", "another message"],
)
async def test_a_failing_choose_plays_the_default(
    server: Scripted, choose: Callable[[pb.Decision], object], caplog: pytest.LogCaptureFixture
) -> None:
    """A choose that fails costs the default and a log line; it is counted, and the bot is told."""
    server.scripts = [one_match]
    bot = bot_that(choose)
    with caplog.at_level(logging.WARNING, "shoal.client"):
        tally = await run_bot(bot, server.address, "secret", matches=1)
    assert [move.option_id for move in server.lines[0].moves] == [1, 1]
    assert (tally.faults, bot.ended.faults, tally.matches) == (2, 2, 1)
    assert "default" in caplog.text


async def test_failing_hooks_do_no_harm(server: Scripted) -> None:
    """A hook that raises is logged, and the match goes on."""

    class Broken(Bot):
        def for_match(self, match: pb.Match) -> Bot:
            raise RuntimeError(match.match_id)

        on_match_start = on_match_end = for_match

        def on_events(self, match_id: str, events: object) -> None:
            raise RuntimeError(match_id, events)

        def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
            return decision.options[1]

    server.scripts = [one_match]
    tally = await run_bot(Broken(), server.address, "secret", matches=1)
    assert (tally.matches, tally.faults) == (1, 0)
    assert [move.option_id for move in server.lines[0].moves] == [2, 2]


async def test_hooks_are_called_in_order_on_the_player_of_the_match(server: Scripted) -> None:
    """Each match has its player, which hears of the start, of events before it chooses, of the end."""
    heard: list[str] = []

    class Player(Bot):
        async def on_match_start(self, match: pb.Match) -> None:
            heard.append(f"start {match.match_id}")

        def on_events(self, match_id: str, events: list[pb.Event]) -> None:
            heard.append(f"events {match_id} {[event.version for event in events]}")

        async def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
            await asyncio.sleep(0.01)
            heard.append(f"choose {decision.decision_id}")
            return decision.options[0]

        async def on_match_end(self, end: MatchEnd) -> None:
            heard.append(f"end {end.placement} {end.won}")

    class Club(Bot):
        def for_match(self, match: pb.Match) -> Bot:
            heard.append(f"for {match.match_id}")
            return Player()

    server.scripts = [one_match]
    await run_bot(Club(), server.address, "secret", matches=1)
    assert heard == [
        "for m1",
        "start m1",
        "events m1 [1]",
        "choose d1",
        "events m1 [2]",
        "choose d2",
        "end 1 True",
    ]


async def test_no_more_than_max_matches_choose_at_once(server: Scripted) -> None:
    """However many matches ask, only `max_matches` calls of choose run at a time (T18)."""
    running = most = 0

    class Counting(Bot):
        async def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.02)
            running -= 1
            return decision.options[0]

    async def crowd(line: Line) -> None:
        await line.snapshot(*(match_update(f"m{i}", decision_id=f"d{i}") for i in range(9)))
        await line.hear_moves(9)
        for i in range(9):
            await line.finish(f"m{i}")
        await line.until_closed()

    server.scripts = [crowd]
    await run_bot(Counting(), server.address, "secret", max_matches=3, matches=9)
    assert most == 3


def leave(_: pb.Decision) -> object:
    raise SystemExit(3)


@pytest.mark.parametrize("kind", ["plain", "async"])
async def test_sys_exit_is_a_fault_like_any_other(
    server: Scripted, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A choose that calls sys.exit() costs the default; its traceback is logged once."""

    class Leaving(Bot):
        async def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
            raise SystemExit(3)

    server.scripts = [one_match]
    tally = await run_bot(
        bot_that(leave) if kind == "plain" else Leaving(), server.address, "secret", matches=1
    )
    assert (tally.matches, tally.faults) == (1, 2)
    assert len([record for record in caplog.records if record.exc_info]) == 1


def test_a_fault_is_logged_in_full_once_and_then_by_the_hundred(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A bot that always raises does not flood the log; another line is another fault."""
    faults = Faults()
    for _ in range(250):
        try:
            zero_division(pb.Decision())
        except ZeroDivisionError as error:
            faults.say("m1", "choose() failed", error)
    assert [record.exc_info is not None for record in caplog.records] == [True, False, False]
    assert "200 times: choose() failed: ZeroDivisionError at" in caplog.text
    faults.say("m1", "choose() failed", ValueError("another"))
    assert caplog.records[-1].exc_info is not None


async def test_a_slow_bot_is_told_once_and_when_its_seat_is_lost(
    server: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    """Decisions that went to the default for want of an answer are one warning a match."""

    class Slow(Bot):
        async def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
            await asyncio.sleep(2)
            return decision.options[0]

    async def impatient(line: Line) -> None:
        await line.snapshot(match_update(version=1, decision_id="d1"))
        await line.say(match_update=match_update(version=2, decision_id="d2"))
        await line.say(match_update=match_update(version=3, decision_id="d3"))
        seats = [pb.SeatResult(seat=0, placement=2, left=pb.LEAVE_REASON_STRIKES)]
        result = pb.MatchResult(termination=pb.TERMINATION_LAST_SEAT, seats=seats)
        await line.say(match_finished=pb.MatchFinished(match_id="m1", seat=0, result=result))
        await line.until_closed()

    server.scripts = [impatient]
    with caplog.at_level(logging.WARNING, "shoal.client"):
        await run_bot(Slow(), server.address, "secret", matches=1)
    first, second = (record.getMessage() for record in caplog.records)
    assert "m1: no answer within 10000 ms: the default was played; 2 more silences and" in first
    assert second == "match m1: the seat is lost: it was silent too often"


@pytest.mark.parametrize(("metadata", "limit"), [({"limit_ms": "61500"}, 61500), ({}, 2000)])
async def test_an_answer_that_is_late_is_told_the_time_that_it_had(
    server: Scripted, metadata: dict[str, str], limit: int, caplog: pytest.LogCaptureFixture
) -> None:
    """With a bank a decision has more than the time of a move; the refusal names it."""

    async def late(line: Line) -> None:
        update = match_update()
        update.match.time_control.move_ms = 2000
        update.match.time_control.bank_ms = 60_000
        await line.snapshot(update)
        move = (await line.hear_moves())[0]
        status = status_of(grpc.StatusCode.FAILED_PRECONDITION, "TIME_EXPIRED", metadata)
        await line.say(
            move_result=pb.MoveResult(match_id="m1", decision_id=move.decision_id, error=status)
        )
        await line.finish()
        await line.until_closed()

    server.scripts = [late]
    bot = bot_that(lambda decision: decision.options[0])
    await run_bot(bot, server.address, "secret", matches=1)
    assert f"no answer within {limit} ms" in caplog.text


@pytest.mark.parametrize(
    ("left", "why"),
    [
        (pb.LEAVE_REASON_ABANDONED, "you were not connected"),
        (pb.LEAVE_REASON_NO_SHOW, "it was not ready in time"),
        (pb.LEAVE_REASON_ILLEGAL, "it gave too many answers that are no options"),
        (pb.LEAVE_REASON_RESIGNED, ""),
    ],
)
async def test_a_seat_that_left_says_why(
    server: Scripted,
    left: pb.LeaveReason.ValueType,
    why: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Who looks for what to mend is not sent to a slow choose() when the connection was gone."""

    async def over(line: Line) -> None:
        await line.snapshot(match_update(decision_id=None))
        seats = [pb.SeatResult(seat=0, placement=2, left=left)]
        result = pb.MatchResult(termination=pb.TERMINATION_LAST_SEAT, seats=seats)
        await line.say(match_finished=pb.MatchFinished(match_id="m1", seat=0, result=result))
        await line.until_closed()

    server.scripts = [over]
    await run_bot(Bot(), server.address, "secret", matches=1)
    assert caplog.messages == ([f"match m1: the seat is lost: {why}"] if why else [])


@pytest.mark.parametrize(
    ("away", "why"), [(True, "you were not connected"), (False, "it was silent too often")]
)
async def test_a_seat_that_left_a_match_that_goes_on_says_why(
    server: Scripted,
    away: bool,  # noqa: FBT001
    why: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The event names no reason; but what a snapshot tells happened while there was no stream."""

    class Stuck(Bot):
        async def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
            return await asyncio.get_running_loop().create_future()

    gone = match_update(version=9, decision_id=None)
    gone.events.add(version=8).seat_left.seat = 0

    async def first(line: Line) -> None:
        await line.snapshot(match_update())
        if not away:
            await line.say(match_update=gone)
            await second(line, snapshot=False)

    async def second(line: Line, *, snapshot: bool = True) -> None:
        if snapshot:
            await line.snapshot(gone)
        while "the seat is lost" not in caplog.text:
            await line.say(heartbeat=pb.Heartbeat())
            await asyncio.sleep(0.01)
        stop.set()
        await line.until_closed()

    server.scripts = [first, second]
    stop = asyncio.Event()
    async with asyncio.timeout(30):
        await run_bot(Stuck(), server.address, "secret", stop=stop)
    lost = [each for each in caplog.messages if "the seat is lost:" in each]
    assert lost == [f"match m1: the seat is lost: {why}"]


async def test_a_match_that_is_void_after_its_end_is_logged_once(
    server: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    """The player was told the end and is gone; another match goes on, and nothing is counted again."""

    async def taken_back(line: Line) -> None:
        await line.snapshot(match_update(version=1, decision_id="d1"))
        await line.accept((await line.hear_moves(1))[-1])
        await line.finish()
        lost = pb.MatchResult(
            termination=pb.TERMINATION_VOID, void_reason=pb.VOID_REASON_LOST_MOVES
        )
        for _ in range(2):
            await line.say(match_finished=pb.MatchFinished(match_id="m1", seat=0, result=lost))
        await line.say(match_update=match_update("m2", version=1, decision_id="d1"))
        await line.accept((await line.hear_moves(2))[-1])
        await line.finish("m2")
        await line.until_closed()

    server.scripts = [taken_back]
    with caplog.at_level(logging.WARNING, "shoal.client"):
        tally = await run_bot(
            bot_that(lambda decision: decision.options[0]), server.address, "secret", matches=2
        )
    assert (tally.matches, tally.wins) == (2, 2)
    assert [record.getMessage() for record in caplog.records] == [
        "match m1: void after all, the server lost its end"
    ]
