"""Laws of a simulated ladder: nothing is lost, nobody is overworked, and a seed says it all."""

from collections.abc import Iterable, Sequence

import pytest

from shoal.competition.block import Ending, State
from shoal.competition.ladder_pairing import pair
from shoal.competition.pool import Candidate, Table, Terms
from shoal.server.simulation.ladder import Ladder
from shoal.server.simulation.outcomes import ModelOutcomes
from shoal.server.simulation.report import Figure, report
from tests.simulation.plans import SHORT, figures, part, played

MEASURED = {"cpu_ms_per_match", "scheduler", "memory"}
"""What depends on the machine."""


def drawn(found: dict[str, Figure]) -> dict[str, Figure]:
    """The figures that follow from the seed."""
    return {name: figure for name, figure in found.items() if name not in MEASURED}


def test_the_same_seed_gives_the_same_figures() -> None:
    assert drawn(figures(drift=50.0)) == drawn(figures(drift=50.0))


def test_another_seed_gives_others() -> None:
    assert drawn(figures()) != drawn(figures(seed=2))


@pytest.mark.parametrize("seed", range(1, 4))
def test_every_match_and_block_that_started_has_ended_or_is_in_play(seed: int) -> None:
    ladder = played(seed=seed)
    ledger = ladder.ledger
    assert ledger.started_blocks == ledger.over + len(ladder.in_play)
    ended = sum(ledger.matches.values())
    assert ledger.started_matches == ended + len(ladder.in_play), "a block plays one at a time"
    assert ledger.started_blocks == sum(ledger.by_size.values())
    assert sum(ledger.met) == sum(
        size * (size - 1) * number for size, number in ledger.by_size.items()
    )


def test_a_complete_block_is_as_many_matches_as_seats_and_all_are_rated() -> None:
    """Each as soon as it is over."""
    ladder = played(crashing=0.0, churn=0.0)
    ledger = ladder.ledger
    assert ledger.matches[Ending.NO_SHOW] == 0
    assert ledger.blocks[State.FORFEIT] == ledger.blocks[State.VOID] == 0
    begun = sum(len(table.block.tries) for table in ladder.in_play)
    playing = sum(len(block.members) for block in ladder.in_play)
    seats = sum(size * number for size, number in ledger.by_size.items())
    assert ledger.matches[Ending.PLAYED] == seats - playing + begun
    rated = sum(member.rated_matches for member in ladder.members)
    over = sum(size * size * number for size, number in ledger.by_size.items())
    assert rated == over - sum(
        len(table.members) * (len(table.members) - len(table.block.tries))
        for table in ladder.in_play
    )


def test_a_table_is_dissolved_as_soon_as_a_bot_does_not_come() -> None:
    """Nobody waits for it, as on a ladder that a director runs; what was played of the block stays rated."""
    ladder = played(crashing=1.0, blocks=400)
    ledger = ladder.ledger
    assert ledger.matches[Ending.NO_SHOW] == ledger.blocks[State.VOID] > 0
    assert ledger.blocks[State.FORFEIT] == 0
    complete = ledger.blocks[State.COMPLETE]
    assert ledger.matches[Ending.PLAYED] > complete
    rated = sum(member.rated_matches for member in ladder.members)
    assert rated >= 2 * ledger.matches[Ending.PLAYED]


def test_nobody_plays_more_than_it_has_room_for() -> None:
    """At no moment, and neither is anybody seated who is not there (T77)."""
    plan = SHORT
    ladder = Ladder(plan, ModelOutcomes(), pair)
    while ladder.ledger.over < plan.blocks:
        ladder.step()
        assert all(0 <= each.at_tables <= each.profile.at_once for each in ladder.members)
        assert sum(each.at_tables for each in ladder.members) == sum(
            len(block.members) for block in ladder.in_play
        )


def test_the_scheduler_sees_those_who_are_here_with_the_room_that_they_have() -> None:
    seen: set[str] = set()

    def looking(pool: Iterable[Candidate], terms: Terms, seed: int) -> Sequence[Table]:
        pool = list(pool)
        seen.update(who.bot_id for who in pool)
        assert all(0 <= who.room <= who.at_once for who in pool)
        assert all(who.idle == (who.room == who.at_once) for who in pool)
        assert all(len(who.recent) <= who.blocks for who in pool)
        assert all(who.waited_ms >= 0 and who.share >= 0 for who in pool)
        return pair(pool, terms, seed)

    ladder = played(looking, churn=0.5)
    came = {each.profile.bot_id for each in ladder.members if each.present_ms}
    assert seen == came
    assert 0 < len(came) <= SHORT.bots


def test_the_times_of_all_bots_at_tables_sum_up_to_those_of_all_tables() -> None:
    ladder = played()
    at_tables = ladder.ledger.seat_ms + sum(
        (ladder.now_ms - block.began_ms) * len(block.members) for block in ladder.in_play
    )
    assert sum(each.table_ms for each in ladder.members) == pytest.approx(at_tables)
    assert all(
        each.table_ms <= each.present_ms * each.profile.at_once + 1e-6 for each in ladder.members
    )
    assert all(each.present_ms <= ladder.now_ms for each in ladder.members)


def test_what_is_kept_depends_on_the_bots_and_not_on_how_long_it_runs() -> None:
    """After a tenth of a run it keeps no more than something for each bot."""
    ladder = played(blocks=1000, churn=0.0)
    early, *_, late = ladder.meter.objects
    assert late - early < 30 * len(ladder.members) < ladder.ledger.over


def test_a_strength_drifts_with_time_and_only_if_it_is_asked_for() -> None:
    start = {each.number: each.strength for each in Ladder(SHORT, ModelOutcomes(), pair).members}
    still = {each.number: each.strength for each in played().members}
    moved = {each.number: each.strength for each in played(drift=100.0).members}
    assert still == start
    assert all(moved[number] != start[number] for number in start)


def test_a_report_has_the_figures_that_are_promised() -> None:
    ladder = played()
    found = report(SHORT, ladder)
    assert 0 <= part(found, "coverage") <= 1
    assert part(found, "rank_correlation", "25") <= part(found, "rank_correlation", "end") + 0.2
    assert 0 < part(found, "share", "least") <= part(found, "share", "median") <= 1
    waits = [each.longest_wait for each in ladder.members]
    assert 0 < part(found, "longest_wait") == pytest.approx(max(waits), abs=1e-3)
    assert part(found, "cpu_ms_per_match") > 0
    assert part(found, "memory", "end_mib") > 0
    bots = found["bots"]
    assert isinstance(bots, list)
    assert len(bots) == SHORT.bots
    assert sum(bot["table_h"] for bot in bots) * 3_600_000 == pytest.approx(
        sum(each.table_ms for each in ladder.members), rel=1e-3
    )
