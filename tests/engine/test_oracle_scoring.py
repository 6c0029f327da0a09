"""Scores agree with the reference implementation's."""

import pytest

from shoal.engine import (
    DecisionKind,
    Ending,
    EndTurn,
    MatchEnded,
    RoundEnded,
    RoundEnding,
    Score,
    State,
    Stop,
    apply,
    decision,
    ruleset,
    score,
)
from shoal.engine.model import Pending
from shoal.engine.play import _ask
from shoal.engine.zones import recount
from tests.engine.support import Row, position, recorded_card, recording

BASE_ROWS = [
    row
    for row in recording("tricky_scoring")
    if row["id"][0] not in "SE"  # those need Extra Salt's cards or an event
]


def scored(row: Row) -> Score:
    hand = [recorded_card(card) for card in row["hand"]]
    table = [[recorded_card(card) for card in group] for group in row["table"]]
    return score(hand, table)


def agrees(row: Row) -> None:
    ours = scored(row)
    assert (ours.points, ours.color_bonus) == (row["points"], row["color_bonus"]), row
    parts = {name: getattr(ours, name) for name in row["detail"]}
    assert parts == row["detail"], row


def test_all_recorded_hands_of_the_base_game_score_the_same() -> None:
    """The points, color bonus and parts of 2,500 recorded hands are ours."""
    rows = recording("scoring_base")
    for row in rows:
        agrees(row)
    assert len(rows) == 2500


@pytest.mark.parametrize("row", BASE_ROWS, ids=lambda row: row["id"])
def test_tricky_hands_score_as_recorded(row: Row) -> None:
    """Each tricky hand of the base game scores as recorded (11.1)."""
    agrees(row)


def test_no_tricky_hand_of_the_base_game_is_left_out() -> None:
    """The recording has 23 tricky hands that need no expansion."""
    assert len(BASE_ROWS) == 23


def end_of_round(row: Row) -> tuple[State, EndTurn | Stop]:
    """Return the position before the recorded round ended, and the move that ended it."""
    seats, caller = row["n"], row["caller"]
    rules = "base-double" if row["double_points"] else "base"
    ending = RoundEnding(row["ending"])
    before = {
        RoundEnding.STOP: caller,
        RoundEnding.LAST_CHANCE: None if caller is None else (caller - 1) % seats,
        RoundEnding.EMPTY_DECK: 0,
    }[ending]
    state = position(*[""] * seats, rules=rules, totals=row["totals_before"], active=before)
    for seat, player in enumerate(row["players"]):
        state.hands[seat] = sorted(recorded_card(card) for card in player["hand"])
        state.tables[seat] = [
            tuple(sorted(recorded_card(card) for card in group)) for group in player["table"]
        ]
    recount(state)
    if ending is RoundEnding.EMPTY_DECK:
        state.deck = []
    if ending is RoundEnding.LAST_CHANCE:
        state.caller = caller
        state.revealed = [seat != before for seat in range(seats)]
    state.pending = [Pending(DecisionKind.PLAY, before)]
    _ask(state, [])
    return state, Stop() if ending is RoundEnding.STOP else EndTurn()


def test_all_recorded_ends_of_rounds_settle_the_same() -> None:
    """The bet, round points, totals and winners of 1,004 recorded ends of rounds are ours."""
    rows = [row for row in recording("round_outcomes") if not row["extra_salt"]]
    for row in rows:
        assert (
            ruleset("base-double" if row["double_points"] else "base").targets[row["n"]]
            == (row["target"])
        )
        state, move = end_of_round(row)
        events = apply(state, move)
        (ended,) = (event for event in events if isinstance(event, RoundEnded))
        assert ended.ending.value == row["ending"]
        assert ended.bet_won == {"won": True, "lost": False, None: None}[row["bet"]]
        assert list(ended.round_points) == row["round_points"], row
        assert list(ended.totals) == row["totals_after"], row
        if row["ending"] != "empty_deck":
            assert list(ended.card_points) == row["points"]
            assert list(ended.color_bonus) == row["color_bonus"]
        assert (decision(state) is None) == row["game_over"]
        if row["game_over"]:
            assert isinstance(events[-1], MatchEnded)
            assert events[-1].result.ending is Ending.TARGET
            assert list(events[-1].result.winners) == row["winners"], row
    assert len(rows) == 1004
