"""Scores agree with the reference implementation's."""

import pytest

from shoal.engine import (
    DecisionKind,
    Ending,
    EndTurn,
    EventCard,
    MatchEnded,
    RoundEnded,
    RoundEnding,
    Score,
    State,
    Stop,
    apply,
    decision,
    event_name,
    ruleset,
    score,
)
from shoal.engine.model import Pending
from shoal.engine.play import _ask
from shoal.engine.zones import recount
from tests.engine.support import Row, position, recorded_card, recorded_rules, recording

TRICKY_HANDS = recording("tricky_scoring")
EVENT_CARDS = {event_name(card): card for card in EventCard}


def scored(row: Row) -> Score:
    """Return our score of a recorded hand; what lies face down is left out, and so counts nothing."""
    hand = [recorded_card(card) for card in row["hand"]]
    table = [[recorded_card(card) for card in group] for group in row["table"]]
    names = row.get("events") or ([row["event"]] if row.get("event") else [])
    return score(hand, table, ruleset("salt"), [EVENT_CARDS[name] for name in names])


def agrees(row: Row) -> None:
    """Compare points, color bonus and parts; the rodeo's duos in hand count here (K26)."""
    ours = scored(row)
    more = row.get("points_rulebook", row["points"]) - row["points"]
    assert (ours.points, ours.color_bonus) == (row["points"] + more, row["color_bonus"]), row
    parts = {name: getattr(ours, name) for name in row["detail"]}
    assert parts == row["detail"] | {"duos": row["detail"]["duos"] + more}, row


@pytest.mark.parametrize(("name", "number"), [("base", 2500), ("salt", 2500), ("pepper", 1500)])
def test_all_recorded_hands_score_the_same(name: str, number: int) -> None:
    """The points, color bonus and parts of all recorded hands are ours."""
    rows = recording(f"scoring_{name}")
    for row in rows:
        agrees(row)
    assert len(rows) == number


@pytest.mark.parametrize("row", TRICKY_HANDS, ids=lambda row: row["id"])
def test_tricky_hands_score_as_recorded(row: Row) -> None:
    """Each tricky hand scores as recorded (11.1)."""
    agrees(row)


def end_of_round(row: Row) -> tuple[State, EndTurn | Stop]:
    """Return the position before the recorded round ended, and the move that ended it."""
    seats, caller = row["n"], row["caller"]
    rules = recorded_rules(row)
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
    """The bet, round points, totals and winners of 1,500 recorded ends of rounds are ours."""
    rows = recording("round_outcomes")
    for row in rows:
        assert ruleset(recorded_rules(row)).targets[row["n"]] == row["target"]
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
    assert len(rows) == 1500
