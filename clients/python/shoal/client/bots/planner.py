"""A bot with a plan: it remembers what it saw, values cards by what they may become, and weighs calls."""

from collections.abc import Sequence
from random import Random

from shoal.client import pb
from shoal.client.bot import Bot
from shoal.client.bots.calling import SAMPLES, Call, guess
from shoal.client.bots.extras import extra_gain
from shoal.client.bots.outlook import Outlook
from shoal.client.bots.rulesets import ALL_RULESETS
from shoal.client.bots.seen import cards_of, pile_of, unseen
from shoal.client.cards import Face, event_cards_of, face_of, table_of
from shoal.client.holding import Holding, holding_of

HORIZON = 1.5
"""Cards that a seat is expected to gain before the round ends, while the deck lasts."""

DENIAL = 0.4
"""What a point that the next seat cannot have is worth to us."""

TRIO = 0.1
"""A duo with a starfish is worth no more than the same cards in hand, but it cannot be stolen from there."""

CRAB_LEAST = 0.9
"""A pile is worth two crabs from this gain on."""


class PlannerBot(Bot):
    """Plays by expected value. The same seed guesses the same hands."""

    name = "planner"
    version = "1"
    max_matches = 16
    rulesets = ALL_RULESETS

    def __init__(self, seed: int | str | None = None) -> None:
        """Prepare the dice that guess hands."""
        self._random = Random(seed)

    def for_match(self, match: pb.Match) -> "PlannerBot":  # noqa: ARG002
        """Return a player with dice of its own."""
        return PlannerBot(self._random.getrandbits(64))

    def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:
        """Return the option of the highest value."""
        position = _Position(observation)
        match decision.kind:
            case pb.DECISION_KIND_TAKE:
                return max(decision.options, key=position.take)
            case pb.DECISION_KIND_KEEP:
                return max(decision.options, key=position.keep)
            case pb.DECISION_KIND_PICK:
                return max(decision.options, key=position.pick)
            case pb.DECISION_KIND_PLAY:
                return self._play(position, decision.options)
            case _:
                return max(decision.options, key=position.extra)

    def _play(self, position: "_Position", options: Sequence[pb.Option]) -> pb.Option:
        """Play the best duo; when there is none, end the turn or the round."""
        by_kind = {option.WhichOneof("kind"): option for option in options}
        observation = position.observation
        calls = {"end_turn": 0.0}
        if "last_chance" in by_kind or "stop" in by_kind:
            guesses = [guess(observation, position.unseen, self._random) for _ in range(SAMPLES)]
            call = Call(observation, guesses)
            calls = {
                "end_turn": call.play_on(),
                "stop": call.stop(),
                "last_chance": call.last_chance(),
            }
        best = max((name for name in calls if name in by_kind), key=lambda name: calls[name])
        ends = best != "end_turn" or observation.HasField("last_chance_caller")
        duos = [
            option for option in options if option.WhichOneof("kind") in ("play_duo", "play_trio")
        ]
        chosen = max(duos, key=position.duo, default=None)
        if chosen is not None and position.duo(chosen) > (0.0 if ends else CRAB_LEAST):
            return chosen
        return by_kind[best]


class _Position:
    """One observation with what its cards and options are worth."""

    def __init__(self, observation: pb.Observation) -> None:
        self.observation = observation
        self.unseen = unseen(observation)
        self._cards = holding_of(observation)
        turns = observation.deck_size / (2 * len(observation.seats))
        last = observation.HasField("last_chance_caller")
        self._outlook = Outlook(self.unseen, 0.0 if last else min(HORIZON, turns))
        self._next = (observation.seat + 1) % len(observation.seats)
        known = cards_of(observation, self._next)
        self._next_cards = Holding(
            known,
            table_of(observation.seats[self._next]),
            event_cards_of(observation, self._next),
        )

    def take(self, option: pb.Option) -> float:
        """Return what taking from the deck or a pile is worth."""
        if option.HasField("take_deck"):
            return self._outlook.draw_gain(self._cards)
        pile = option.take_pile.pile
        face = face_of(self.observation.piles[pile].top)
        denied = DENIAL * self._outlook.gain(self._next_cards, face)
        return self._outlook.gain(self._cards, face) + denied

    def keep(self, option: pb.Option) -> float:
        """Return what keeping a card is worth, less what the other one gives to the next seat."""
        faces = [face_of(card) for card in self.observation.shown]
        kept = face_of(option.keep.card)
        gain = self._outlook.gain(self._cards, kept)
        faces.remove(kept)
        if not faces or not option.keep.HasField("pile"):
            return gain
        tops = [face_of(pile.top) if pile.size else None for pile in self.observation.piles]
        tops[option.keep.pile] = faces[0]
        return gain - DENIAL * max(self._wanted(top) for top in tops)

    def pick(self, option: pb.Option) -> float:
        """Return what taking this card out of the pile is worth."""
        return self._outlook.gain(self._cards, face_of(option.pick_card.card))

    def extra(self, option: pb.Option) -> float:
        """Return what an option of an expansion is worth."""
        if option.HasField("catch"):
            return self._outlook.gain(self._cards, face_of(option.catch.card))
        return extra_gain(option, self.observation, self._cards)

    def duo(self, option: pb.Option) -> float:
        """Return what placing a duo brings now, alone or with a starfish."""
        if option.HasField("play_trio"):
            return TRIO
        duo = option.play_duo
        starfish = sum(card.kind == pb.CARD_KIND_STARFISH for card in self.observation.hand)
        lonely = 2.0 if 0 < self._cards.duos() <= starfish else 0.0
        return self._effect(duo) - lonely

    def _effect(self, duo: pb.PlayDuo) -> float:
        """Return what the effect of a duo brings now."""
        match duo.WhichOneof("target"):
            case "pile":
                return self._best_of_pile(duo.pile)
            case "laid_duo":
                return 1.0
            case "victim":
                victim = self.observation.seats[duo.victim]
                return 1.6 + victim.total / 100 + victim.hand_size / 10
            case _:
                pass
        if duo.first.kind == pb.CARD_KIND_FISH and self.observation.deck_size:
            return 1.5
        if duo.first.kind == pb.CARD_KIND_BOAT:
            sizes = [pile.size for pile in self.observation.piles]
            return 1.2 if self.observation.deck_size + sum(sizes) else 0.0
        kinds = {duo.first.kind, duo.second.kind}
        if pb.CARD_KIND_LOBSTER in kinds and self.observation.deck_size:
            return self._outlook.draw_gain(self._cards)
        if pb.CARD_KIND_JELLYFISH in kinds:
            return 1.6
        if kinds == {pb.CARD_KIND_CRAB}:  # both piles, one after the other
            return sum(
                self._best_of_pile(number)
                for number, pile in enumerate(self.observation.piles)
                if pile.size
            )
        return 0.0

    def _best_of_pile(self, pile: int) -> float:
        """Return the best gain among the cards that are known to lie in a pile."""
        seen = set(pile_of(self.observation, pile))
        return max(self._outlook.gain(self._cards, face) for face in seen)

    def _wanted(self, face: Face | None) -> float:
        """Return what a card on top of a pile is worth to the next seat."""
        return 0.0 if face is None else self._outlook.gain(self._next_cards, face)
