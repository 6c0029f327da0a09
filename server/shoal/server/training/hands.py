"""What a hand is made of, as a row: the columns are the numbers of a model that are to be found."""

from shoal.engine import Kind
from shoal.engine.cards import DUO_KINDS
from shoal.engine.counts import count
from shoal.luck import Model, Scene
from shoal.luck.strength import Strength

IN_HAND = {Kind.CRAB: 4, Kind.BOAT: 4, Kind.FISH: 4, Kind.LOBSTER: 1, Kind.JELLYFISH: 2}
"""The kinds of which those in hand are counted, up to so many."""

HELD = {
    Kind.SHELL: 5,
    Kind.OCTOPUS: 4,
    Kind.PENGUIN: 3,
    Kind.SAILOR: 2,
    Kind.MERMAID: 3,
    Kind.LIGHTHOUSE: 1,
    Kind.SHOAL_OF_FISH: 1,
    Kind.PENGUIN_COLONY: 1,
    Kind.CAPTAIN: 1,
    Kind.CAST_OF_CRABS: 1,
    Kind.STARFISH: 2,
    Kind.SEAHORSE: 1,
}
"""The kinds of which all that a seat holds are counted, up to so many."""

MOST_SURPLUS = 2
"""Swimmers beyond the cards that they are played with, or the other way round, up to so many."""


def hand_row(scene: Scene, seat: int, model: Model) -> dict[str, float]:
    """Return what a seat has: each thing once as it is, and once times the part of the deck left."""
    in_hand = scene.in_hand[seat]
    held = in_hand + scene.on_table[seat]
    points = Strength(model, scene, seat, 0.5).points
    found = {"point": float(points)}
    if points >= scene.terms[seat].call_points:
        found["ready"] = 1.0
    for kinds, counts in ((IN_HAND, in_hand), (HELD, held)):
        for kind, most in kinds.items():
            if number := min(count(counts, kind), most):
                found[f"{kind.name.lower()} {number}"] = 1.0
    sharks = count(in_hand, Kind.SHARK) + count(in_hand, Kind.JELLYFISH)
    surplus = count(in_hand, Kind.SWIMMER) - sharks
    if surplus:
        found[f"surplus {max(-MOST_SURPLUS, min(MOST_SURPLUS, surplus))}"] = 1.0
    d = scene.deck / len(scene.rules.deck)
    return found | {f"{name} early": number * d for name, number in found.items()}


def model_fields(found: dict[str, float], name: str) -> dict[str, object]:
    """Return the document of a model from what was found for the columns."""

    def pair(column: str) -> list[float]:
        return [round(found.get(column, 0.0), 3), round(found.get(f"{column} early", 0.0), 3)]

    steps = {
        kind.name.lower(): [pair(f"{kind.name.lower()} {number}") for number in range(1, most + 1)]
        for kind, most in (IN_HAND | HELD).items()
    }
    assert not set(HELD) & set(DUO_KINDS)
    steps["mermaid"].append([WINNING, 0.0])
    surplus = {
        str(number): pair(f"surplus {number}") if number else [0.0, 0.0]
        for number in range(-MOST_SURPLUS, MOST_SURPLUS + 1)
    }
    return {
        "name": name,
        "point": pair("point"),
        "ready": pair("ready"),
        "steps": steps,
        "surplus": surplus,
        **SET_BY_HAND,
    }


WINNING = 40.0
"""Points that a fourth mermaid is worth: it wins the match."""

SET_BY_HAND: dict[str, object] = {
    "spread": {seats: [5.0, 1.5, 8.0] for seats in ("2", "3", "4")},
    "stop": 1.0,
    "take": 0.6,
    "take_from": 2.0,
}
"""What is not fitted, but was chosen among some values by how much variance was left."""
