"""For how long a bot had the decision that is open: since the store asked it, less what is excused.

Excused is the union of the times for which it is not the bot that is to blame; so nothing is taken off twice,
however many causes one and the same time has.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, final

from shoal.match import EntryKind, LoggedEntry
from shoal.server.gaps import Interval, clipped, measure, merged
from shoal.server.hub.attention import Attention
from shoal.server.store.partition_clock import PartitionClock


@final
class Credit(NamedTuple):
    """Time that the store gave to a decision: how much, and in partition time when."""

    ms: int
    at_ms: int


@final
class Lost(NamedTuple):
    """Time in which a bot that was here could not hear of what was asked.

    It began at `since`, in monotonic seconds, and lasted `ms`; of these the store has surely counted
    `counted_ms`.
    """

    since: float
    ms: int
    counted_ms: int


def credits_in(entries: Iterable[LoggedEntry]) -> list[Credit]:
    """Return what was given by some entries of a log."""
    return [
        Credit(int(each.entry.value), each.at_ms)
        for each in entries
        if each.entry.kind is EntryKind.CREDIT
    ]


@final
class Age:
    """How old one decision is, or the wait for seats: moments are seconds of the clock of `attention`.

    It is known here since a moment. What the store gave is excused wherever it was given; what
    passed before we could tell, and our own gaps, only once it was this process that put it to its bot.
    """

    __slots__ = (
        "_asked_ms",
        "_attention",
        "_credited_ms",
        "_credits",
        "_known",
        "_partition",
        "_read",
        "_since",
        "_told",
    )

    def __init__(self, partition: PartitionClock, attention: Attention) -> None:
        """Begin when the decision has become known here; `stands` comes before everything else."""
        self._attention = attention
        self._partition = partition
        self._known = self._read = attention.monotonic()
        self._asked_ms = self._credited_ms = 0
        self._credits: list[Credit] = []
        self._since: float | None = None
        self._told = float("-inf")

    def stands(self, asked_ms: int, credited_ms: int, given: Sequence[Credit] = ()) -> None:
        """Take over when it counts as asked for the store, which is later by all that it was credited.

        `given` is the latest of that, as far as is known. Of all else no more is known than that it was
        given before now.
        """
        self._asked_ms = asked_ms - credited_ms
        new_ms = credited_ms - self._credited_ms
        if new_ms < 0:  # the log took another course
            self._credits.clear()
            new_ms = credited_ms
        for credit in reversed(given):
            if credit.ms > new_ms:
                break  # it was for an earlier decision
            self._credits.append(credit)
            new_ms -= credit.ms
        if new_ms:
            self._read = self._attention.monotonic()
        self._credited_ms = credited_ms

    def told(self) -> None:
        """Note that this process has asked it, and hears of that only now."""
        self._told = self._known

    def put(self, since: float) -> None:
        """Note that it is put to its bot here, by a stream or poll that came at a moment."""
        if self._since is None or since < self._since:
            self._since = since

    @property
    def asked(self) -> float:
        """The moment at which the store asked it."""
        return self._partition.moment(self._asked_ms)

    def ms(self, moment: float) -> int:
        """Return for how many milliseconds the bot had it at a moment, for all we know."""
        begin = self.asked
        partition = self._partition
        if (
            self._since is not None
            and not self._credited_ms
            and self._attention.listened_since(begin)
            and partition.was_heard(begin, self._known)
            and partition.pauses.latest <= begin
        ):
            heard = self._told if self._told >= self._since else begin
            seconds = moment - max(begin, heard)  # nearly always
        else:
            pauses = partition.pauses.within(begin, moment)
            # The store leaves out all that it gave, also what was given ahead, and when it stood still.
            excused = measure(pauses) + self._credited_ms / 1000
            if self._since is not None:
                excused = max(excused, self._excused(begin, self._since, moment, pauses))
            seconds = moment - begin - excused
        return max(0, int(seconds * 1000))

    def unheard_ms(self) -> int:
        """Return for how many milliseconds it was open unheard of by this process, while its bot was here."""
        if self._since is None:
            return 0
        unheard = self._partition.unheard(max(self.asked, self._since), self._known)
        return 0 if unheard is None else int((unheard[1] - unheard[0]) * 1000)

    def lost(self, since: float, cut_from: float) -> Lost | None:
        """Return when it was open unheard of for a bot that is here `since`; None when it was not.

        That is for a cut from some moment on, not for one before. A time in which the store stood still
        is not counted by it.
        """
        unheard = self._partition.unheard(max(self.asked, since, cut_from), self._known)
        if unheard is None:
            return None
        ms = int((unheard[1] - unheard[0]) * 1000)
        counted_ms = self._partition.counted_ms(self._asked_ms, self._known)
        return Lost(unheard[0], ms, min(ms, counted_ms))

    def _excused(self, begin: float, since: float, moment: float, pauses: list[Interval]) -> float:
        """Return for how many of the seconds from its asking to a moment it is not the bot's time.

        `pauses` are those in which no time passed for the store.
        """
        here = max(begin, since)
        ours = self._attention.gaps_within(here, moment)
        if unheard := self._partition.unheard(here, min(self._known, moment)):
            ours.append(unheard)
        ours = merged(clipped([*ours, (here, self._told)], begin, moment))
        given = (self._placed(credit, ours) for credit in self._credits)
        placed = merged(clipped([*ours, *given], begin, moment))
        excused = measure([*placed, *pauses])
        unplaced_ms = self._credited_ms - sum(credit.ms for credit in self._credits)
        if not unplaced_ms:
            return excused
        # It was given for something before it was read, perhaps for the very gaps that we had until then.
        before = measure(clipped(placed, begin, self._read))
        return excused + max(0.0, unplaced_ms / 1000 - before)

    def _placed(self, credit: Credit, ours: list[Interval]) -> Interval:
        """Return for when a credit was given: up to when it was noted, or for what had ended just before."""
        end = self._partition.moment(credit.at_ms)
        begin = end - credit.ms / 1000
        for first, last in ours:
            if first < begin <= last < end:
                late = min(begin - first, end - last)
                return begin - late, end - late
        return begin, end
