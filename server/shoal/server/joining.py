"""What a bot's entering a ladder means for its membership: a trial before it is paired, or one sooner."""

from contextlib import suppress
from dataclasses import replace
from typing import final

from shoal.competition.plan import Entrant
from shoal.competition.specification import Format, Ladder
from shoal.server.director import asked_again
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Competition, Note
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.keys import now_ms
from shoal.server.store.memberships import Membership, MembershipStore, Stage


@final
class Joining:
    """The first state of memberships."""

    def __init__(self, competitions: CompetitionStore, memberships: MembershipStore) -> None:
        """Read and write in these."""
        self._competitions = competitions
        self._memberships = memberships

    async def prepare(
        self, ladder: Competition, entrant: Entrant, asked: Note | None = None
    ) -> None:
        """Put a bot on trial that is about to enter; let one that is paused be tried again soon.

        The arena's own bots need no trial. `asked` is the line of who lets somebody else's be tried again:
        that it enters has one by itself.
        """
        ladder_id, bot_id = ladder.competition_id, entrant.bot_id
        while True:
            with suppress(Stale):
                here = await self._competitions.take_part(ladder_id, [bot_id])
                known = (await self._memberships.of(ladder_id, [bot_id])).get(bot_id)
                form = ladder.specification.format
                after = joined(form, known, entrant, has_entered=bool(here))
                if after is not None and after != known:
                    note = asked if bool(here) else None
                    await self._memberships.change(ladder_id, bot_id, known, after, note)
                return


def joined(
    form: Format, known: Membership | None, entrant: Entrant, *, has_entered: bool
) -> Membership | None:
    """Return the membership of a bot that is entered; None where there is nothing to note.

    Leaving and joining forgets nothing: neither a pause nor faults.
    """
    now = now_ms()
    if known is not None and known.stage is Stage.PAUSED:
        return asked_again(known, now)
    is_tried = entrant.owner != "" and isinstance(form, Ladder) and form.trial
    if known is not None and known.stage is Stage.UNREADABLE and not has_entered:
        return Membership(Stage.TRIAL if is_tried else Stage.ACTIVE, now)
    if has_entered or not is_tried:
        return None
    if known is None:
        return Membership(Stage.TRIAL, now)
    return known if known.stage is Stage.TRIAL else replace(known, stage=Stage.TRIAL, since_ms=now)
