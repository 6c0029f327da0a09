"""Real matches of the kit's baselines on the engine: random tables, each once in every rotation of its seats.

A block is one table: the bots change places, and every match has a fresh deal. What was played is kept in
a folder where one is given, so that a long run goes on where it was stopped.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple, final

from shoal.client import pb
from shoal.client.bots import BASELINES
from shoal.engine import (
    Event,
    apply,
    decision,
    move_from_code,
    new_match,
    observe,
    opening_events,
    result,
    ruleset,
)
from shoal.wire.observation import decision_bytes, observation_bytes

LIMIT_MS = 10_000
"""What a bot is told of its time; nobody here looks at the clock."""


@final
class Played(NamedTuple):
    """A match: the seed of its deal, which entrant of its block sat at each seat, and what was chosen."""

    seed: str
    entrants: tuple[int, ...]
    codes: tuple[int, ...]


@final
class Block(NamedTuple):
    """The baselines of one table, and its matches."""

    names: tuple[str, ...]
    matches: tuple[Played, ...]


def blocks(
    rules: str, seats: int, number: int, seed: int, folder: Path | None = None
) -> Iterator[Block]:
    """Yield so many blocks; the same arguments give the same ones. Raise OSError and ValueError."""
    place = None if folder is None else folder / f"{rules}-{seats}-{seed}.jsonl"
    done = 0
    if place is not None and place.exists():
        for block in _kept(place, number):
            yield block
            done += 1
    for each in range(done, number):
        block = _play(rules, seats, f"luck {seed} {rules} {seats} {each}")
        if place is not None:
            with place.open("a", encoding="ascii") as stream:
                stream.write(json.dumps(block) + "\n")
        yield block


def events_of(rules: str, match: Played) -> list[Event]:
    """Play a match again, and return all that happened in it, with its secrets."""
    state = new_match(ruleset(rules), len(match.entrants), match.seed.encode())
    events = opening_events(state)
    for code in match.codes:
        events += apply(state, move_from_code(code))
    return events


def _kept(place: Path, number: int) -> Iterator[Block]:
    """Yield blocks of a file; the last line may be cut, and is taken off then."""
    whole = 0
    with place.open("r+b") as stream:
        for line in stream:
            if not line.endswith(b"\n"):
                stream.truncate(whole)
                return
            if not number:
                return
            whole += len(line)
            number -= 1
            names, matches = json.loads(line)
            yield Block(
                tuple(names),
                tuple(
                    Played(seed, tuple(entrants), tuple(codes)) for seed, entrants, codes in matches
                ),
            )


def _play(rules: str, seats: int, name: str) -> Block:
    """Draw a table, and play it in every rotation."""
    dice = Random(name)
    names = tuple(dice.choice(list(BASELINES)) for _ in range(seats))
    matches = []
    for rotation in range(seats):
        entrants = tuple((seat + rotation) % seats for seat in range(seats))
        matches.append(_play_match(rules, names, entrants, f"{name} {rotation}"))
    return Block(names, tuple(matches))


def _play_match(rules: str, names: tuple[str, ...], entrants: tuple[int, ...], seed: str) -> Played:
    """Play one match; the bots are asked what a server would ask them."""
    players = [BASELINES[names[each]](f"{seed} {each}") for each in entrants]  # type: ignore[call-arg]
    state = new_match(ruleset(rules), len(players), seed.encode())
    codes = []
    while (asked := decision(state)) is not None:
        view = observation_bytes(observe(state, asked.seat))
        message = pb.Decision.FromString(decision_bytes(asked, "played", LIMIT_MS, LIMIT_MS))
        option = players[asked.seat].choose(pb.Observation.FromString(view), message)
        assert isinstance(option, pb.Option)
        codes.append(option.option_id)
        apply(state, move_from_code(option.option_id))
    assert result(state) is not None
    return Played(seed, entrants, tuple(codes))
