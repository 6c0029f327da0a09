"""States as bytes. The encoding holds all secrets, the seed included: it never leaves the server.

A state is a JSON array that starts with a format number. Cards are hexadecimal, two digits each.
What follows from the cards (counts, points, options) is not stored.
"""

import json
from itertools import chain
from typing import Any

from shoal.engine.awards import set_terms
from shoal.engine.cards import Card
from shoal.engine.chance import KeyedChance, Purpose
from shoal.engine.errors import CorruptState, EngineError, UnknownFormat
from shoal.engine.event_cards import EventCard
from shoal.engine.memory import without
from shoal.engine.model import Decision, DecisionKind, Pending, State
from shoal.engine.moves import PILES
from shoal.engine.piles import forget_all_but_tops
from shoal.engine.questions import QUESTIONS
from shoal.engine.results import Ending, Result
from shoal.engine.ruleset import ruleset
from shoal.engine.zones import recount

FORMAT = 2
"""The format that `encode` writes; a change of the layout adds one."""

_BEFORE_EXPANSIONS = 1
"""The previous format, which is still read: it had no fields from `stung` on."""

_dump = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def encode(state: State) -> bytes:
    """Return the state as bytes; equal states give equal bytes."""
    result = state.result
    return _dump(
        [
            FORMAT,
            state.rules.name,
            state.rules.version,
            state.seats,
            state.chance.seed.hex(),
            sorted(state.uses.items()),
            state.round,
            state.starter,
            state.active,
            state.caller,
            bytes(state.deck).hex(),
            [bytes(pile).hex() for pile in state.piles],
            [bytes(hand).hex() for hand in state.hands],
            [[bytes(group).hex() for group in table] for table in state.tables],
            state.revealed,
            state.totals,
            state.last_points,
            state.left,
            [
                [
                    pending.kind,
                    pending.seat,
                    bytes(pending.drawn).hex(),
                    pending.pile,
                    pending.victim,
                ]
                for pending in state.pending
            ],
            None if result is None else [result.ending.value, result.ranks],
            state.stung,
            state.shields,
            state.event_card,
            state.event_deck,
            state.event_discards,
            state.event_cards,
            [bytes(sorted(cards)).hex() for cards in state.shown],
            [
                [place, bytes(sorted(cards)).hex()]
                for place, cards in enumerate(state.seen)
                if cards
            ],
            state.buried,
        ]
    ).encode()


def decode(data: bytes) -> State:
    """Return the state that was encoded.

    Raise UnknownFormat for a format or ruleset version of another engine, UnknownRuleset for a
    ruleset that this one does not have, and CorruptState for anything that `encode` cannot have
    written.
    """
    try:
        fields = json.loads(data)
        if not isinstance(fields, list) or not fields:
            raise CorruptState("not an encoded state")
        if fields[0] == _BEFORE_EXPANSIONS:
            state = _read(_with_expansions(fields))
            forget_all_but_tops(state)
        elif fields[0] == FORMAT:
            state = _read(fields)
        else:
            raise UnknownFormat(f"format {fields[0]!r}, this engine reads {FORMAT}")
        return _checked(state)
    except EngineError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise CorruptState(f"not an encoded state: {error}") from error


def _with_expansions(fields: list[Any]) -> list[Any]:
    """Return the fields of the previous format in the layout of this one."""
    seats = fields[3]
    return [
        FORMAT,
        *fields[1:],
        [],
        [None] * seats,
        None,
        [],
        [],
        [[]] * seats,
        [""] * seats,
        [],
        [],
    ]


def _read(fields: list[Any]) -> State:
    """Return a state from the fields of this format, in the order in which `encode` lists them."""
    state = State()
    (
        _,
        name,
        version,
        state.seats,
        seed,
        uses,
        state.round,
        state.starter,
        state.active,
        state.caller,
        deck,
        piles,
        hands,
        tables,
        state.revealed,
        state.totals,
        state.last_points,
        state.left,
        pending,
        result,
        stung,
        state.shields,
        event_card,
        event_deck,
        event_discards,
        event_cards,
        shown,
        seen,
        buried,
    ) = fields
    state.rules = ruleset(name)
    if version != state.rules.version:
        raise UnknownFormat(f"version {version!r} of ruleset {name}")
    state.chance = KeyedChance(bytes.fromhex(seed))
    state.uses = {Purpose(purpose): count for purpose, count in uses}
    state.deck = _cards(deck)
    state.piles = [_cards(pile) for pile in piles]
    state.hands = [_cards(hand) for hand in hands]
    state.tables = [[tuple(_cards(group)) for group in table] for table in tables]
    state.pending = [
        Pending(DecisionKind(kind), seat, tuple(_cards(drawn)), *whom)
        for kind, seat, drawn, *whom in pending
    ]
    state.result = None if result is None else _result(state, *result)
    state.asked = None
    state.stung = tuple(stung)
    state.event_card = None if event_card is None else EventCard(event_card)
    state.event_deck = _event_cards(event_deck)
    state.event_discards = _event_cards(event_discards)
    state.event_cards = tuple(_event_cards(owned) for owned in event_cards)
    state.shown = [tuple(_cards(known)) for known in shown]
    known = {place: tuple(_cards(cards)) for place, cards in seen}
    state.seen = [known.pop(place, ()) for place in range(state.seats**2)]
    if known:
        raise CorruptState("a seat that is missing knows cards")
    state.buried = tuple(buried)
    return state


def _cards(text: str) -> list[Card]:
    """Return the cards of a hexadecimal text."""
    return list(bytes.fromhex(text))


def _event_cards(numbers: list[int]) -> tuple[EventCard, ...]:
    """Return the event cards with these numbers."""
    return tuple(EventCard(number) for number in numbers)


def _result(state: State, ending: str, ranks: list[int]) -> Result:
    """Return the outcome of a match that is over."""
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    return Result(Ending(ending), tuple(ranks), winners, tuple(state.totals))


def _checked(state: State) -> State:
    """Derive what is not stored and return the state; raise CorruptState if it cannot be."""
    _check_seats(state)
    _check_cards(state)
    _check_buried(state)
    set_terms(state)
    recount(state)
    if (state.result is None) != bool(state.pending):
        raise CorruptState("a match is either over or asks something")
    if state.pending:
        state.asked = _open_decision(state, state.pending[-1])
    return state


def _check_seats(state: State) -> None:
    """Raise CorruptState unless every number of a seat is one, and nothing is missing by seat."""
    by_seat = (
        state.hands,
        state.tables,
        state.revealed,
        state.totals,
        state.last_points,
        state.shields,
        state.event_cards,
        state.shown,
    )
    if state.seats not in state.rules.targets or any(len(part) != state.seats for part in by_seat):
        raise CorruptState("the number of seats does not fit")
    named = [state.starter, state.active, *state.left, *state.stung]
    named += [seat for asked in state.pending for seat in (asked.seat, asked.victim or 0)]
    named.append(state.caller or 0)
    if not all(seat in range(state.seats) for seat in named) or len(state.piles) != 2:
        raise CorruptState("a seat or a pile is missing")


def _check_cards(state: State) -> None:
    """Raise CorruptState unless the cards are those of the ruleset, and lie as they should."""
    drawn = chain.from_iterable(asked.drawn for asked in state.pending)
    laid = chain.from_iterable(chain.from_iterable(state.tables))
    hidden = (card for card in state.shields if card is not None)
    cards = chain(state.deck, *state.piles, *state.hands, laid, drawn, hidden)
    if tuple(sorted(cards)) != state.rules.deck:
        raise CorruptState("the cards are not those of the ruleset")
    if any(hand != sorted(hand) for hand in state.hands):
        raise CorruptState("a hand is not sorted")
    event_cards = [*state.event_deck, *state.event_discards, *chain(*state.event_cards)]
    event_cards += [] if state.event_card is None else [state.event_card]
    if sorted(event_cards) != list(state.rules.event_cards):
        raise CorruptState("the event cards are not those of the ruleset")
    known = [(holder, shown) for holder, shown in enumerate(state.shown) if shown]
    for place, seen in enumerate(state.seen):
        holder = place % state.seats
        known += [(holder, seen + state.shown[holder])] if seen else []
    for holder, cards_known in known:
        if without(cards_known, state.hands[holder]):
            raise CorruptState("a seat knows a card that is not there")


def _check_buried(state: State) -> None:
    """Raise CorruptState unless everybody knows the tops of the piles, and no more than any seat."""
    buried = state.buried
    if not buried:
        return
    public = buried[-len(PILES) :]
    if len(buried) != len(PILES) * (state.seats + 1) or not any(public):
        raise CorruptState("what observers do not know of the piles does not fit")
    for place, unknown in enumerate(buried):
        pile = place % len(PILES)
        if not 0 <= unknown <= public[pile] <= max(len(state.piles[pile]) - 1, 0):
            raise CorruptState("what observers do not know of the piles does not fit")


def _open_decision(state: State, pending: Pending) -> Decision:
    """Return what the top of the stack asks; raise CorruptState if that is nothing."""
    kind = pending.kind
    is_pick = pending.pile is not None and bool(state.piles[pending.pile])
    if (kind is DecisionKind.PICK) != is_pick:
        raise CorruptState("a searched pile without cards, or without a search")
    if (kind in (DecisionKind.KEEP, DecisionKind.CATCH)) != bool(pending.drawn):
        raise CorruptState("drawn cards without a question, or the other way round")
    if (kind is DecisionKind.SWAP) != (pending.victim is not None):
        raise CorruptState("a hand that nobody looks at, or the other way round")
    asked = QUESTIONS[kind](state, pending)
    if asked is None:
        raise CorruptState("the open decision has no answer")
    return asked
