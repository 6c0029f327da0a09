"""One whole match of every ruleset and number of seats; its first round as everybody saw it.

Run with SHOAL_REGENERATE=1 to write the files anew, and review the difference.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from shoal.engine import (
    RULESETS,
    Card,
    Event,
    EventAwarded,
    EventDiscarded,
    EventRevealed,
    HandRevealed,
    MatchEnded,
    Move,
    Observation,
    RoundEnded,
    RoundStarted,
    State,
    Stop,
    apply,
    card_name,
    decision,
    event_name,
    format_event,
    format_move,
    new_match,
    observe,
    redact,
    ruleset,
)

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 7
ROUND_EVENTS = (
    RoundStarted,
    RoundEnded,
    HandRevealed,
    MatchEnded,
    EventRevealed,
    EventAwarded,
    EventDiscarded,
)
MATCHES = [(rules, seats) for rules in RULESETS for seats in (2, 3, 4)]


def file_of(rules: str, seats: int) -> Path:
    return FOLDER / f"{rules}_{seats}p_seed{SEED}.txt"


def choice(state: State, number: int) -> Move:
    """Return the move to play: a call or a duo where there is one, so that much happens."""
    options = decision(state).options
    if Stop() in options:
        return options[1 + number % 2]
    return options[-1 - number * 5 % 3 % len(options)]


def sight(seen: Observation) -> str:
    """Return what the seat that is asked sees, in one line."""
    parts = [
        f"deck {seen.deck_size}",
        "piles " + " ".join(f"{pile.size}:{_name(pile.top)}" for pile in seen.piles),
        "hand " + (", ".join(map(card_name, seen.hand)) or "empty"),
        f"points {seen.points}+{seen.color_bonus}",
    ]
    if any(seen.known):
        parts.append(
            "known "
            + "; ".join(
                f"of {seat} {', '.join(map(card_name, cards))}"
                for seat, cards in enumerate(seen.known)
                if cards
            )
        )
    if seen.shield is not None:
        parts.append("shield " + card_name(seen.shield))
    if seen.event_card is not None:
        parts.append("event " + event_name(seen.event_card))
    if seen.shown:
        parts.append("shown " + ", ".join(map(card_name, seen.shown)))
    return " | ".join(parts)


def _name(card: Card | None) -> str:
    return "-" if card is None else card_name(card)


def told(event: Event, seats: int) -> Iterator[str]:
    """Yield how the event is told: as it was, to a spectator, and to seats that are told more."""
    whole, public = format_event(event), format_event(redact(event, None))
    yield f"      {whole}"
    if public != whole:
        yield f"        spectator: {public}"
    for seat in range(seats):
        line = format_event(redact(event, seat))
        if line != public:
            yield f"        seat {seat}: {'the same' if line == whole else line}"


def playthrough(rules: str, seats: int) -> str:
    """Return the text of a match: each question, answer and event, and who sees what of it.

    After the first round there are only the moves and what everybody is told.
    """
    state = new_match(ruleset(rules), seats, SEED.to_bytes(32, "big"))
    lines = [f"# {rules}, {seats} seats, seed {SEED}"]
    number = 0
    while (open_decision := decision(state)) is not None:
        seat, kind = open_decision.seat, open_decision.kind.name
        move = choice(state, number)
        if state.round > 1:
            lines.append(f"{number} seat {seat} {kind} > {format_move(move)}")
            lines += [
                f"      {format_event(event)}"
                for event in apply(state, move)
                if isinstance(event, ROUND_EVENTS)
            ]
        else:
            lines.append(f"{number} seat {seat} {kind} | {sight(observe(state, seat))}")
            lines.append("    options: " + "; ".join(map(format_move, open_decision.options)))
            lines.append(f"    > {format_move(move)}")
            for event in apply(state, move):
                lines.extend(told(event, seats))
        number += 1
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("rules", "seats"), MATCHES)
def test_a_match_is_played_and_seen_as_recorded(rules: str, seats: int) -> None:
    """The match of this ruleset and number of seats goes as in its file, for everybody."""
    text = playthrough(rules, seats)
    if os.environ.get("SHOAL_REGENERATE"):
        FOLDER.mkdir(exist_ok=True)
        file_of(rules, seats).write_text(text)
    assert text == file_of(rules, seats).read_text()


def test_no_playthrough_is_missing() -> None:
    """There is a file for every ruleset and number of seats, and no other."""
    assert set(FOLDER.iterdir()) == {file_of(rules, seats) for rules, seats in MATCHES}
