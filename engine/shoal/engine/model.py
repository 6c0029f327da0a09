"""The state of a match and what it asks: the nouns. What happens to them is in the other modules."""

from dataclasses import dataclass
from enum import IntEnum, unique
from typing import final

from shoal.engine.cards import Card
from shoal.engine.chance import Chance, Purpose
from shoal.engine.event_cards import EventCard
from shoal.engine.moves import SEATS, Move
from shoal.engine.results import Result
from shoal.engine.ruleset import Ruleset
from shoal.engine.terms import Terms


@unique
class DecisionKind(IntEnum):
    """What a seat is asked. Numbers are never given a second meaning."""

    TAKE = 1
    KEEP = 2
    PLAY = 3
    PICK = 4
    CATCH = 5
    SWAP = 6
    EQUAL_TOP = 7
    KEEP_EVENT_CARD = 8


@final
@dataclass(slots=True)
class Pending:
    """A decision waiting in the state's stack.

    `drawn` are the cards, ascending, that left the deck and wait for KEEP or CATCH; `pile` is the
    one being searched by PICK, `victim` the seat whose hand is looked at by SWAP.
    """

    kind: DecisionKind
    seat: int
    drawn: tuple[Card, ...] = ()
    pile: int | None = None
    victim: int | None = None


TAKE_PENDING = tuple(Pending(DecisionKind.TAKE, seat) for seat in SEATS)
"""By seat: it is to take a card."""

PLAY_PENDING = tuple(Pending(DecisionKind.PLAY, seat) for seat in SEATS)
"""By seat: it is to play."""


@final
@dataclass(slots=True)
class Decision:
    """A question to one seat. Like a pending decision it is never changed, and shared by copies.

    `options` are all legal answers, in a fixed order (docs/engine.md, "Options"); `default` is the
    one that a seat which has left gets.
    """

    seat: int
    kind: DecisionKind
    options: tuple[Move, ...]
    default: Move


@final
class State:
    """All facts about one match, hidden ones and the seed included. It has one owner.

    By seat: `hands` (ascending), `tables` (groups in the order placed), `totals`, `revealed`.
    `deck` and `piles` have their top card last. `caller` is the seat whose LAST CHANCE is running.
    `pending` is the stack of decisions, of which the last is asked now: `asked`, with its options.
    `last_points` are the points of the last scored round, the tie-break. `left` are the seats that
    left, in order. `uses` counts the uses of chance in this round.

    Expansions: `stung` are the seats that lose their next turn. `shields` are by seat, the card that
    lies face down. `event_card` is the round's, `event_deck` the unseen ones with the top last,
    `event_discards` the used ones, `event_cards` by seat what it owns: two while it is asked which
    to keep. `shown` and `seen` are what seats know of each other's hands (`memory`), `buried` what they
    do not know of the piles (`piles`).

    Kept for speed, and always equal to what the rest says, by seat: `terms`, what applies to it;
    `in_hand` and `on_table`, how many cards of each kind and color there are (`counts` packs them).
    """

    __slots__ = (
        "active",
        "asked",
        "buried",
        "caller",
        "chance",
        "deck",
        "event_card",
        "event_cards",
        "event_deck",
        "event_discards",
        "hands",
        "in_hand",
        "last_points",
        "left",
        "on_table",
        "pending",
        "piles",
        "result",
        "revealed",
        "round",
        "rules",
        "seats",
        "seen",
        "shields",
        "shown",
        "starter",
        "stung",
        "tables",
        "terms",
        "totals",
        "uses",
    )

    rules: Ruleset
    terms: tuple[Terms, ...]
    seats: int
    chance: Chance
    uses: dict[Purpose, int]
    round: int
    starter: int
    active: int
    deck: list[Card]
    piles: list[list[Card]]
    hands: list[list[Card]]
    tables: list[list[tuple[Card, ...]]]
    revealed: list[bool]
    caller: int | None
    totals: list[int]
    last_points: list[int]
    left: list[int]
    pending: list[Pending]
    asked: Decision | None
    result: Result | None
    stung: tuple[int, ...]
    shields: list[Card | None]
    event_card: EventCard | None
    event_deck: tuple[EventCard, ...]
    event_discards: tuple[EventCard, ...]
    event_cards: tuple[tuple[EventCard, ...], ...]
    shown: list[tuple[Card, ...]]
    seen: list[tuple[Card, ...]]
    buried: tuple[int, ...]
    in_hand: list[int]
    on_table: list[int]

    def copy(self) -> "State":
        """Return a state that is equal and shares nothing that changes."""
        twin = State()
        twin.rules = self.rules
        twin.terms = self.terms
        twin.seats = self.seats
        twin.chance = self.chance
        twin.uses = self.uses.copy()
        twin.round = self.round
        twin.starter = self.starter
        twin.active = self.active
        twin.deck = self.deck.copy()
        twin.piles = list(map(list.copy, self.piles))
        twin.hands = list(map(list.copy, self.hands))
        twin.tables = list(map(list.copy, self.tables))
        twin.revealed = self.revealed.copy()
        twin.caller = self.caller
        twin.totals = self.totals.copy()
        twin.last_points = self.last_points.copy()
        twin.left = self.left.copy()
        twin.pending = self.pending.copy()
        twin.asked = self.asked
        twin.result = self.result
        twin.stung = self.stung
        twin.shields = self.shields.copy()
        twin.event_card = self.event_card
        twin.event_deck = self.event_deck
        twin.event_discards = self.event_discards
        twin.event_cards = self.event_cards
        twin.shown = self.shown.copy()
        twin.seen = self.seen.copy()
        twin.buried = self.buried
        twin.in_hand = self.in_hand.copy()
        twin.on_table = self.on_table.copy()
        return twin
