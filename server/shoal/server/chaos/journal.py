"""What one bot saw, said and was told, as it happened: the testimony that is held against the records."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

from shoal.client import pb


@final
@dataclass(frozen=True, slots=True)
class Ack:
    """A move that the service said counts."""

    option: int
    version: int
    think_ms: int
    already: bool
    at: float


@final
@dataclass(frozen=True, slots=True)
class Refused:
    """A move that the service said does not count, and why; `option` is what was tried."""

    option: int
    reason: str
    metadata: Mapping[str, str]
    at: float = field(default_factory=time.monotonic)


@final
@dataclass(slots=True)
class Answer:
    """One decision and all that was said about it. Times are of `time.monotonic`."""

    match_id: str
    decision: pb.Decision
    seen: float
    option: int | None = None
    """What the bot chose first; it is what counts unless the service says otherwise."""

    sent: float | None = None
    said: set[int] = field(default_factory=set)
    """Every option that was ever sent for it."""

    times: int = 0
    """How often one was."""

    acks: list[Ack] = field(default_factory=list)
    refusals: list[Refused] = field(default_factory=list)
    asked_again: int = 0
    """How often it was asked after it had been acknowledged."""


@final
@dataclass(frozen=True, slots=True)
class End:
    """The end of a match as a result tells it: termination, and of every seat placement and total."""

    termination: int
    seats: tuple[tuple[int, int], ...]
    void_reason: int = 0


def end_of(result: pb.MatchResult) -> End:
    """Return what a result tells."""
    seats = tuple((each.placement, each.total) for each in result.seats)
    return End(result.termination, seats, result.void_reason)


@final
class Journal:
    """The journal of one bot, in memory and as lines of JSON in a file."""

    def __init__(self, bot: str, bot_id: str, file: Path) -> None:
        """Begin an empty one."""
        self.bot = bot
        self.bot_id = bot_id
        self.answers: dict[tuple[str, str], Answer] = {}
        self.ends: dict[str, list[End]] = {}
        self.told: dict[str, float] = {}
        """When the bot was told last that a match is over."""

        self.voided: dict[str, float] = {}
        """When the bot was told first that moves of a match are lost."""

        self.acknowledged: dict[str, float] = {}
        """When a move in a match was acknowledged last."""

        self.begun: dict[str, float] = {}
        self.resigned: dict[str, bool] = {}
        """Matches that the bot left, and whether the service said so."""

        self._stream = file.open("w")

    def close(self) -> None:
        """Write what is left to the file."""
        self._stream.close()

    @property
    def held(self) -> set[str]:
        """The matches that the bot was told of, and of no end."""
        return self.begun.keys() - self.ends.keys()

    def begins(self, match_id: str) -> None:
        """Note a match that the bot was told of."""
        if match_id not in self.begun:
            self.begun[match_id] = time.monotonic()
            self._write("begins", match_id)

    def sees(self, match_id: str, decision: pb.Decision) -> Answer:
        """Note a decision that is asked, perhaps again; return what is known of it."""
        key = (match_id, decision.decision_id)
        answer = self.answers.get(key)
        again = answer is not None
        if answer is None:
            answer = self.answers[key] = Answer(match_id, decision, time.monotonic())
        elif answer.acks:
            answer.asked_again += 1
        self._write("sees", match_id, decision=decision.decision_id, again=again)
        return answer

    def says(self, answer: Answer, option: int) -> None:
        """Note an answer that is about to be sent, perhaps again."""
        answer.said.add(option)
        answer.times += 1
        if answer.option is None:
            answer.option, answer.sent = option, time.monotonic()
        decision_id = answer.decision.decision_id
        self._write("says", answer.match_id, decision=decision_id, option=option)

    def hears(self, match_id: str, decision_id: str, receipt: pb.MoveReceipt) -> Answer | None:
        """Note a receipt; return the answer that it is for, None when it is for none of ours."""
        answer = self.answers.get((match_id, decision_id))
        ack = Ack(
            receipt.option_id,
            receipt.version,
            receipt.think_ms,
            receipt.already,
            time.monotonic(),
        )
        if answer is not None:
            answer.acks.append(ack)
            self.acknowledged[match_id] = ack.at
        self._write(
            "acknowledged",
            match_id,
            decision=decision_id,
            option=ack.option,
            version=ack.version,
            think_ms=ack.think_ms,
            already=ack.already,
        )
        return answer

    def refuses(self, answer: Answer, refused: Refused) -> None:
        """Note a refusal."""
        answer.refusals.append(refused)
        self._write(
            "refused",
            answer.match_id,
            decision=answer.decision.decision_id,
            option=refused.option,
            reason=refused.reason,
            **refused.metadata,
        )

    def resigns(self, match_id: str, *, told: bool) -> None:
        """Note a resignation that is about to be sent, or that was acknowledged."""
        self.resigned[match_id] = told
        self._write("resigns", match_id, told=told)

    def ends_with(self, match_id: str, result: pb.MatchResult) -> None:
        """Note that a match is over."""
        self.ends.setdefault(match_id, []).append(end_of(result))
        self.told[match_id] = time.monotonic()
        if result.void_reason == pb.VOID_REASON_LOST_MOVES:
            self.voided.setdefault(match_id, self.told[match_id])
        self._write("ends", match_id, termination=pb.Termination.Name(result.termination))

    def loses(self, match_id: str) -> None:
        """Note that the service has a match no more, which says that it is void: nobody tells of it."""
        result = pb.MatchResult(
            termination=pb.TERMINATION_VOID, void_reason=pb.VOID_REASON_LOST_MOVES
        )
        self.ends_with(match_id, result)

    def _write(self, what: str, match_id: str, **facts: object) -> None:
        """Write a line."""
        line = {"at": round(time.monotonic(), 4), "what": what, "match": match_id, **facts}
        self._stream.write(json.dumps(line) + "\n")
