"""A tournament in which block after block ends: who is excluded or withdraws has to be heard all the same."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import grpc
import pytest

from shoal.competition import tournament
from shoal.competition.plan import Departure
from shoal.competition.specification import Format, Knockout, RoundRobin, Swiss
from shoal.server.organizing import TRIES
from shoal.server.reckoning import Reckoning
from shoal.server.store.competition_nouns import Competition
from shoal.v1 import competition_service_pb2 as organizing
from shoal.v1 import tournament_service_pb2 as pb
from tests.director.reads import ended_of
from tests.server.rpcs import read_error
from tests.server.support import Bot, Server
from tests.server.test_reckoning import end
from tests.server.test_tournaments import enter, start


class Busy:
    """A tournament whose next block ends whenever somebody works out when a bot would be gone."""

    def __init__(self, server: Server, cup: str, bots: Sequence[Bot]) -> None:
        self.server = server
        self.cup = cup
        self.bots = bots
        self.asked = 0

    async def end_one(self) -> None:
        """End a block that is due."""
        competitions = self.server.stores.competitions
        found = await competitions.get(self.cup)
        entrants = await competitions.entrants(self.cup)
        over = await ended_of(competitions, self.cup)
        due = tournament.due(found.specification, entrants, ())
        left = {str(each.key): each.bots for each in due if str(each.key) not in over}
        another = {f"7.0.{len(over)}": due[0].bots}
        key, bots = next(iter((left or another).items()))
        await end(self.server, self.cup, key, bots)

    async def exclude(self, bot: Bot) -> int | None:
        """Exclude a bot; return from which round on it is gone."""
        await self.server.competitions.ExcludeBot(
            organizing.ExcludeBotRequest(competition_id=self.cup, bot_id=bot.bot_id),
            metadata=await self.server.admin(),
        )
        return await self.gone_from(bot)

    async def withdraw(self, bot: Bot) -> int | None:
        """Withdraw a bot; return from which round on it is gone."""
        await self.server.tournaments.WithdrawFromTournament(
            pb.WithdrawFromTournamentRequest(tournament_id=self.cup), metadata=bot.metadata
        )
        return await self.gone_from(bot)

    async def gone_from(self, bot: Bot) -> int | None:
        entrant = await self.server.stores.entries.get(self.cup, bot.bot_id)
        assert entrant is not None
        return entrant.gone_from


MakeBusy: TypeAlias = Callable[..., Awaitable[Busy]]


@pytest.fixture
def busy(server: Server, monkeypatch: pytest.MonkeyPatch) -> MakeBusy:
    """Make a tournament in which so many blocks end at the `first` question, and at each `later` one."""

    async def make(form: Format, first: int = 1, later: int = 1) -> Busy:
        cup = await server.make_tournament(format=form, seats=(2,))
        bots = await server.team(6)
        await enter(server, cup, *bots)
        await start(server, cup)
        made = Busy(server, cup, bots)
        work_out = Reckoning.departure

        async def departure(self: Reckoning, found: Competition, bot_id: str) -> Departure:
            departure = await work_out(self, found, bot_id)
            made.asked += 1
            for _ in range(first if made.asked == 1 else later):
                await made.end_one()
            return departure

        monkeypatch.setattr(Reckoning, "departure", departure)
        return made

    return make


@pytest.mark.parametrize("form", [Swiss(rounds=3, blocks_per_pairing=2), RoundRobin()], ids=str)
async def test_a_block_that_ends_meanwhile_does_not_matter(busy: MakeBusy, form: Format) -> None:
    """Who leaves is gone from the round after this one on, or from all rounds of a plan, at the first try."""
    cup = await busy(form)
    first = 1 if isinstance(form, Swiss) else 0
    assert await cup.exclude(cup.bots[0]) == first
    assert await cup.withdraw(cup.bots[1]) == first
    assert cup.asked == 2
    request = organizing.ReadmitBotRequest(competition_id=cup.cup, bot_id=cup.bots[0].bot_id)
    await cup.server.competitions.ReadmitBot(request, metadata=await cup.server.admin())
    assert await cup.gone_from(cup.bots[0]) is None
    assert cup.asked == 3


async def test_a_round_that_ends_meanwhile_does_matter(busy: MakeBusy) -> None:
    """The next one may be paired by now, so whoever leaves is gone from the one after it."""
    cup = await busy(Swiss(rounds=3, blocks_per_pairing=1), 3, 0)
    assert await cup.exclude(cup.bots[0]) == 2
    assert cup.asked == 2


async def test_what_never_comes_to_rest_is_refused(busy: MakeBusy) -> None:
    """In a knock-out each block may decide who is out, so it is worked out anew, but not for ever."""
    cup = await busy(Knockout())
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await cup.exclude(cup.bots[0])
    assert read_error(caught.value).reason == "WRONG_STATE"
    assert cup.asked == TRIES
