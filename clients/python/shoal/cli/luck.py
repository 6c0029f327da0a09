"""The luck of a match as lines for people, and as JSON."""

from collections.abc import Iterator, Sequence

from shoal.engine import card_name, event_name
from shoal.luck import Adjustment, Use, UseKind

WIDTH = 54
"""Letters of the column that says what came; the cards of a lobster may take more."""

_DID = {
    UseKind.STARTER: "begins the match",
    UseKind.DEAL: "the piles begin with",
    UseKind.EVENT_CARD: "the event card is",
    UseKind.DRAW: "draws",
    UseKind.FISH: "fishes",
    UseKind.THEFT: "steals",
    UseKind.LOBSTER: "is shown by the lobster",
    UseKind.DOLPHINS: "gets from the dolphins",
    UseKind.JELLYFISH: "draws, stung",
}


def luck_lines(adjustment: Adjustment, most: int = 0) -> Iterator[str]:
    """Yield the uses of chance, the `most` largest alone if that is not 0, and the sums."""
    seats = range(len(adjustment.shares))
    uses = list(adjustment.uses)
    if most:
        least = sorted((_size(use) for use in uses), reverse=True)[:most][-1] if uses else 0.0
        uses = [use for use in uses if _size(use) >= least]
    yield ""
    yield f"luck, in parts of the win ({adjustment.model})"
    names = "".join(f"   seat {seat}" for seat in seats)
    yield f"round  {'what came':{WIDTH}}{names}"
    for use in uses:
        yield f"{use.round:5}  {_told(use):{WIDTH}}{_numbers(use.luck)}"
    yield ""
    yield f"{'':7}{'the result':{WIDTH}}{_numbers(adjustment.shares)}"
    yield f"{'':7}{'luck, all of it':{WIDTH}}{_numbers(adjustment.luck)}"
    yield f"{'':7}{'the result without luck':{WIDTH}}{_numbers(adjustment.adjusted)}"


def luck_fields(adjustment: Adjustment) -> dict[str, object]:
    """Return the same for programs."""
    return {
        "model": adjustment.model,
        "shares": list(adjustment.shares),
        "luck": list(adjustment.luck),
        "adjusted": list(adjustment.adjusted),
        "uses": [
            {
                "kind": use.kind.value,
                "round": use.round,
                "seat": use.seat,
                "cards": [card_name(card) for card in use.came],
                "event_card": None if use.event_card is None else event_name(use.event_card),
                "value": list(use.value),
                "mean": list(use.mean),
                "luck": list(use.luck),
            }
            for use in adjustment.uses
        ],
    }


def _told(use: Use) -> str:
    """Return what came, and to whom."""
    who = "" if use.seat is None else f"seat {use.seat} "
    came = ", ".join(card_name(card).replace("_", " ") for card in use.came)
    if use.event_card is not None:
        came = event_name(use.event_card).replace("_", " ")
    return f"{who}{_DID[use.kind]} {came}".rstrip()


def _numbers(numbers: Sequence[float]) -> str:
    return "".join(f"{number:+9.3f}" for number in numbers)


def _size(use: Use) -> float:
    return max(map(abs, use.luck))
