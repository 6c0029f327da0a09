"""States as bytes. The encoding holds all secrets, the seed included: it never leaves the server.

A state is a JSON array that starts with a format number. Cards are hexadecimal, two digits each.
What follows from the cards (counts, points, options) is not stored.
"""

import json
from collections import Counter
from itertools import chain
from typing import Any

from shoal.engine.cards import Card
from shoal.engine.chance import KeyedChance, Purpose
from shoal.engine.errors import CorruptState, EngineError, UnknownFormat
from shoal.engine.model import Decision, DecisionKind, Pending, State
from shoal.engine.questions import QUESTIONS
from shoal.engine.results import Ending, Result
from shoal.engine.ruleset import ruleset
from shoal.engine.terms import terms_under
from shoal.engine.zones import recount

FORMAT = 1
"""The format that `encode` writes; a change of the layout adds one."""

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
                [pending.kind, pending.seat, bytes(pending.drawn).hex(), pending.pile]
                for pending in state.pending
            ],
            None if result is None else [result.ending.value, result.ranks],
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
        if fields[0] != FORMAT:
            raise UnknownFormat(f"format {fields[0]!r}, this engine reads {FORMAT}")
        return _checked(_read(fields))
    except EngineError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise CorruptState(f"not an encoded state: {error}") from error


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
        Pending(DecisionKind(kind), seat, tuple(_cards(drawn)), pile)
        for kind, seat, drawn, pile in pending
    ]
    state.result = None if result is None else _result(state, *result)
    state.terms = [terms_under(state.rules)] * state.seats
    state.asked = None
    return state


def _cards(text: str) -> list[Card]:
    """Return the cards of a hexadecimal text."""
    return list(bytes.fromhex(text))


def _result(state: State, ending: str, ranks: list[int]) -> Result:
    """Return the outcome of a match that is over."""
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    return Result(Ending(ending), tuple(ranks), winners, tuple(state.totals))


def _checked(state: State) -> State:
    """Derive what is not stored and return the state; raise CorruptState if it cannot be."""
    seats = range(state.seats)
    by_seat = (state.hands, state.tables, state.revealed, state.totals, state.last_points)
    named = [state.starter, state.active, *state.left, *(asked.seat for asked in state.pending)]
    if state.caller is not None:
        named.append(state.caller)
    if state.seats not in state.rules.targets or any(len(part) != state.seats for part in by_seat):
        raise CorruptState("the number of seats does not fit")
    if not all(seat in seats for seat in named) or len(state.piles) != 2:
        raise CorruptState("a seat or a pile is missing")
    drawn = chain.from_iterable(asked.drawn for asked in state.pending)
    laid = chain.from_iterable(chain.from_iterable(state.tables))
    cards = chain(state.deck, *state.piles, *state.hands, laid, drawn)
    if Counter(cards) != Counter(state.rules.deck):
        raise CorruptState("the cards are not those of the ruleset")
    if any(hand != sorted(hand) for hand in state.hands):
        raise CorruptState("a hand is not sorted")
    recount(state)
    if (state.result is None) != bool(state.pending):
        raise CorruptState("a match is either over or asks something")
    if state.pending:
        state.asked = _open_decision(state, state.pending[-1])
    return state


def _open_decision(state: State, pending: Pending) -> Decision:
    """Return what the top of the stack asks; raise CorruptState if that is nothing."""
    is_pick = pending.kind is DecisionKind.PICK
    is_keep = pending.kind is DecisionKind.KEEP
    if is_pick != (pending.pile is not None and bool(state.piles[pending.pile])):
        raise CorruptState("a searched pile without cards, or without a search")
    if is_keep != bool(pending.drawn):
        raise CorruptState("drawn cards without a question, or the other way round")
    asked = QUESTIONS[pending.kind](state, pending)
    if asked is None:
        raise CorruptState("the open decision has no answer")
    return asked
