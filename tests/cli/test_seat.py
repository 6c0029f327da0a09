"""A bot in a test is told what it is told at any other table."""

import asyncio
from collections.abc import Sequence
from random import Random

import pytest

from shoal.cli.comparison.block import FIELD, A, B, Chair, Tables
from shoal.cli.comparison.plan import Plan
from shoal.cli.comparison.scoring import Played, Scores, scored
from shoal.cli.game.opponent import Loop, Opponent
from shoal.client import Bot, MatchEnd, Resign, pb
from shoal.engine import (
    Event,
    Ruleset,
    apply,
    new_match,
    observe,
    opening_events,
    redact,
    ruleset,
)


class Diary(Bot):
    """Writes down what it is told, and chooses by dice of its own."""

    def __init__(self, seed: str) -> None:
        self.told: list[bytes] = []
        self._dice = Random(seed)

    def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:
        self.told += [observation.SerializeToString(), decision.SerializeToString()]
        return self._dice.choice(decision.options)

    def on_events(self, match_id: str, events: Sequence[pb.Event]) -> None:
        del match_id
        self.told += [event.SerializeToString() for event in events]

    def on_match_end(self, end: MatchEnd) -> None:
        self.told.append(end.result.SerializeToString())


class Kept:
    """A score that keeps the matches."""

    def __init__(self) -> None:
        self.matches: list[Played] = []

    def __call__(self, match: Played) -> Scores:
        """As where bots are compared."""
        self.matches.append(match)
        return scored(match)


def at_table(rules: Ruleset, deal: bytes, bots: Sequence[Bot]) -> None:
    """The same match as at the terminal."""
    sitting = [pb.Seat(seat=seat, bot_id=f"local-{seat}") for seat in range(len(bots))]
    state = new_match(rules, len(bots), deal)
    with Loop() as loop:
        players = [
            Opponent(bot, pb.Match(match_id="x", seats=sitting), seat, loop, print)
            for seat, bot in enumerate(bots)
        ]
        happened: Sequence[Event] = opening_events(state)
        while True:
            for seat, player in enumerate(players):
                player.hear([redact(event, seat) for event in happened], observe(state, seat))
            if state.asked is None:
                break
            seat = state.asked.seat
            happened = apply(state, players[seat].choose(observe(state, seat)))
        assert state.result is not None
        for player in players:
            player.end(state.result)


@pytest.mark.parametrize("rules", ["base", "salt-pepper"])
def test_a_bot_is_told_the_same_as_at_the_table_of_shoal_play(rules: str) -> None:
    """Byte for byte, and so nothing of what is hidden (T89)."""
    chosen = ruleset(rules)
    plan = Plan("a", "b", ("c",), rules, 2, seed=11)
    here = [Diary("0"), Diary("1")]
    other = Diary("other")
    kept = Kept()
    with asyncio.Runner() as runner:
        chairs = [Chair(A, "a", here[0]), Chair(B, "b", other), Chair(FIELD, "c", here[1])]
        Tables(plan, chosen, chairs, kept, runner).play(4)
    there = [Diary("0"), Diary("1")]
    at_table(chosen, kept.matches[0].deal, there)
    for told, heard in zip(here, there, strict=True):
        assert told.told[: len(heard.told)] == heard.told
        assert len(heard.told) > 20


def test_a_block_has_every_rotation_for_a_and_for_b_with_the_same_deals() -> None:
    plan = Plan("greedy", "random", ("random", "greedy"), "base", 3, seed=5)
    kept = Kept()
    with asyncio.Runner() as runner:
        chairs = [Chair(side, spec, None) for side, spec in _sides(plan)]
        tables = Tables(plan, ruleset("base"), chairs, kept, runner)
        first = tables.play(0)
        assert len(kept.matches) == 6
        assert len({match.deal for match in kept.matches}) == 1
        tables.play(1)
        assert len({match.deal for match in kept.matches}) == 2
        again = tables.play(0)
    assert again.row == first.row
    assert {plan.opponents(block) for block in range(4)} == {(0, 1), (1, 0)}


def _sides(plan: Plan) -> list[tuple[str, str]]:
    return [(A, plan.a), (B, plan.b), *((FIELD, spec) for spec in plan.field)]


class Quitter(Bot):
    """Would leave."""

    def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:
        del observation, decision
        raise Resign


class Wrong(Bot):
    """Chooses what is not there."""

    def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:
        del observation, decision
        return pb.Option(option_id=1)


def test_who_would_leave_gets_defaults_a_wrong_option_is_a_fault_and_no_match_lasts_for_ever() -> (
    None
):
    plan = Plan("a", "b", (), "base", 2, seed=1)
    with asyncio.Runner() as runner:
        chairs = [Chair(A, "a", Quitter()), Chair(B, "b", Wrong())]
        played = Tables(plan, ruleset("base"), chairs, scored, runner).play(0)
    # Nobody ends a round, so the matches never end by themselves (T82).
    broken = "a match was broken off after 5000 decisions, and is tied"
    assert played.row.faults[A] == 2
    assert played.row.faults[B] > 1000
    wrong = "b: choose() returned an option that is not open"
    assert played.said == {A: f"a: {broken}", B: wrong}
    assert played.row.score == (0.5, 0.5)
