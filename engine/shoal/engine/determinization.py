"""Worlds that a seat may be in: full states drawn from what it knows, for bots that search.

`sample` fills in what an observation hides. Every way to deal the hidden cards to the places where
they may lie is equally likely; what is drawn is that way, and a fresh seed for all later chance.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Protocol

from shoal.engine.awards import set_terms
from shoal.engine.cards import KIND_OF, Card
from shoal.engine.chance import KeyedChance
from shoal.engine.errors import BadSetup
from shoal.engine.memory import clear_memory, without
from shoal.engine.model import DecisionKind, Pending, State
from shoal.engine.observation import Observation
from shoal.engine.piles import NOBODY_FORGOT
from shoal.engine.questions import QUESTIONS
from shoal.engine.ruleset import SHIELD_KIND, DuoEffect, ruleset
from shoal.engine.scoring import has_winning_mermaids
from shoal.engine.zones import recount

_SEED_BYTES = 32

_AFTER_PLAY = (DecisionKind.PICK, DecisionKind.CATCH, DecisionKind.SWAP, DecisionKind.EQUAL_TOP)
"""What a seat is asked right after it was asked to play."""


class Dice(Protocol):
    """What is needed of a `random.Random`."""

    def shuffle(self, cards: list[Card], /) -> None:
        """Put the cards in an order, each equally likely."""

    def randbytes(self, number: int, /) -> bytes:
        """Return so many random bytes."""


def sample(observation: Observation, rng: Dice) -> State:
    """Return a state that this seat, or spectator, would observe just so.

    What the observation does not have is not kept either: of discards that the seat does not know any
    order of any hidden cards is as likely, and of seats that left the lower number counts as the first.

    A world in which winning mermaids would have ended the match before is not returned (rules 6).
    Not excluded are such hands where a seat may have got them since it was last asked to play: where
    there are jellyfish, or somebody may swap, of seats that are not in the midst of their turn; at
    the second search of a hermit crab; and while a seat chooses between event cards. Nor does it
    follow for a match that is over how that came.

    Raise UnknownRuleset for a ruleset of another engine, and BadSetup for another version of one.
    """
    rules = ruleset(observation.ruleset)
    if observation.ruleset_version != rules.version:
        raise BadSetup(f"version {observation.ruleset_version} of ruleset {rules.name}")
    while True:
        state = _known_part(observation)
        state.chance = KeyedChance(rng.randbytes(_SEED_BYTES))
        _deal_hidden(state, observation, rng)
        recount(state)
        if observation.question is None:
            return state
        state.asked = QUESTIONS[observation.question.kind](state, state.pending[-1])
        if state.asked is not None and not _would_be_over(state, observation):
            return state


def _would_be_over(state: State, seen: Observation) -> bool:
    """Tell whether a seat has cards with which it has won already, for certain (rules 6).

    Whenever a seat is asked to play its mermaids are looked at, so that it cannot hold winning ones
    but for those that it got since then. A hand that the observation tells is as it is.
    """
    return any(
        has_winning_mermaids(state, seat)
        and len(_known_hand(seen, seat)) < len(state.hands[seat])
        and not _may_have_gained(state, seat)
        for seat in range(state.seats)
    )


def _may_have_gained(state: State, seat: int) -> bool:
    """Tell whether a seat may have got a mermaid since it was last asked to play."""
    asked = state.pending[-1]
    if asked.kind is DecisionKind.KEEP_EVENT_CARD:
        return True
    if asked.seat == seat and asked.kind in _AFTER_PLAY:
        return asked.pile == 1 and DuoEffect.SEARCH_BOTH_PILES in _effects(state, seat)
    return any(
        effect in (DuoEffect.STING, DuoEffect.SWAP)
        for other in range(state.seats)
        for effect in _effects(state, other)
    )


def _effects(state: State, seat: int) -> list[DuoEffect]:
    """Return what a seat's duos may do."""
    return [duo.effect for duo in state.terms[seat].rules.duos]


def _known_part(seen: Observation) -> State:
    """Return a state with all that the observation tells, and without the hidden cards."""
    state = State()
    state.rules = ruleset(seen.ruleset)
    state.seats = seen.seats
    state.uses = {}
    state.round = seen.round
    state.starter = seen.starter
    state.active = seen.active
    state.caller = seen.caller
    state.piles = [[] if pile.top is None else [pile.top] for pile in seen.piles]
    state.hands = [[] for _ in seen.players]
    state.tables = [list(player.table) for player in seen.players]
    state.revealed = [player.revealed_hand is not None for player in seen.players]
    state.totals = [player.total for player in seen.players]
    # The tie-break of a round that is scored later, and that sets it anew.
    state.last_points = [0] * seen.seats
    state.left = [player.seat for player in seen.players if player.left]
    state.result = seen.result
    state.asked = None
    state.stung = tuple(player.seat for player in seen.players if player.stung)
    state.shields = [None] * seen.seats
    state.event_card = seen.event_card
    state.event_discards = seen.event_discards
    state.event_cards = tuple(player.event_cards for player in seen.players)
    set_terms(state)
    state.pending = _pending(state, seen)
    _remember(state, seen)
    return state


def _pending(state: State, seen: Observation) -> list[Pending]:
    """Return the stack of decisions: what is asked now, and what is asked after it."""
    question = seen.question
    if question is None:
        return []
    kind, seat = question.kind, question.seat
    asked = Pending(kind, seat, (), question.pile, question.victim)
    if kind in (DecisionKind.EQUAL_TOP, DecisionKind.KEEP_EVENT_CARD):
        return [asked]
    stack = [Pending(DecisionKind.PLAY, seat)]
    if kind is not DecisionKind.PLAY:
        both = DuoEffect.SEARCH_BOTH_PILES in _effects(state, seat)
        if both and question.pile == 0 and state.piles[1]:
            stack.append(Pending(DecisionKind.PICK, seat, (), 1))
        stack.append(asked)
    return stack


def _remember(state: State, seen: Observation) -> None:
    """Let the seat know of other hands what it knew; for a spectator, everybody knows it.

    Of the piles everybody knows what the seat knew: nearly always that is so.
    """
    clear_memory(state)
    unknown = [
        pile.size - len(known) for pile, known in zip(seen.piles, seen.pile_cards, strict=True)
    ]
    state.buried = tuple(unknown * (seen.seats + 1)) if any(unknown) else NOBODY_FORGOT
    if seen.seat is None:
        state.shown = list(seen.known)
    else:
        first = seen.seat * seen.seats
        state.seen[first : first + seen.seats] = seen.known


def _deal_hidden(state: State, seen: Observation, rng: Dice) -> None:
    """Deal the hidden cards to all places where they may lie, and the event cards likewise."""
    known_hands = [_known_hand(seen, seat) for seat in range(seen.seats)]
    own_drawn = _own_drawn(seen)
    visible = chain(
        *(chain.from_iterable(player.table) for player in seen.players),
        *known_hands,
        *seen.pile_cards,
        own_drawn,
        [] if seen.shield is None else [seen.shield],
    )
    hidden = list(without(state.rules.deck, visible))
    rng.shuffle(hidden)
    _deal_shields(state, seen, hidden)
    for seat, (player, known) in enumerate(zip(seen.players, known_hands, strict=True)):
        dealt = _take(hidden, player.hand_size - len(known))
        state.hands[seat] = sorted([*known, *dealt])
    for number, (pile, known) in enumerate(zip(seen.piles, seen.pile_cards, strict=True)):
        state.piles[number] = [*_take(hidden, pile.size - len(known)), *known]
    state.deck = _take(hidden, seen.deck_size)
    # What is left was drawn by the seat that is asked.
    drawn = tuple(sorted([*own_drawn, *hidden]))
    if drawn:
        asked = state.pending[-1]
        state.pending[-1] = Pending(asked.kind, asked.seat, drawn)
    used = [*state.event_discards, *chain(*state.event_cards), seen.event_card]
    unused = [int(card) for card in state.rules.event_cards if card not in used]
    rng.shuffle(unused)
    numbers = {int(card): card for card in state.rules.event_cards}
    state.event_deck = tuple(numbers[number] for number in unused)


def _deal_shields(state: State, seen: Observation, hidden: list[Card]) -> None:
    """Lay a hidden card of the right kind face down wherever another seat did, and the own one."""
    for player in seen.players:
        if player.seat == seen.seat:
            state.shields[player.seat] = seen.shield
        elif player.shielded:
            card = next(card for card in hidden if KIND_OF[card] == SHIELD_KIND)
            hidden.remove(card)
            state.shields[player.seat] = card


def _known_hand(seen: Observation, seat: int) -> Sequence[Card]:
    """Return the cards of a hand that the observation tells."""
    revealed = seen.players[seat].revealed_hand
    if seat == seen.seat:
        return seen.hand
    return seen.known[seat] if revealed is None else revealed


def _own_drawn(seen: Observation) -> Sequence[Card]:
    """Return the cards that the seat itself has drawn and is asked about."""
    question = seen.question
    if question is None or question.kind not in (DecisionKind.KEEP, DecisionKind.CATCH):
        return ()
    return seen.shown


def _take(cards: list[Card], number: int) -> list[Card]:
    """Take so many cards off the list, and return them."""
    taken = cards[:number]
    del cards[:number]
    return taken
