"""The game at the terminal, part by part: what a person is told, what may be typed, who sees what."""

import gzip
import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.cli.game.answers import Asked, Chosen, Command, Unclear, understand
from shoal.cli.game.arena import play
from shoal.cli.game.human import Human
from shoal.cli.game.manual import manual
from shoal.cli.game.options import hint
from shoal.cli.game.screen import Screen
from shoal.cli.game.telling import Names, clauses, deed
from shoal.cli.game.worth import own_score, parts, rules_for
from shoal.cli.hands import parse_hand
from shoal.engine import (
    RULESETS,
    DuoStolen,
    Event,
    EventAwarded,
    EventCard,
    EventRevealed,
    FishDrawn,
    HandSeen,
    Keep,
    Kept,
    MermaidsShown,
    Move,
    Observation,
    PileSearched,
    RoundStarted,
    SeatLeft,
    Stolen,
    Took,
    all_moves,
    event_name,
    format_event,
    format_move,
    parse_card,
    parse_move,
    ruleset,
)
from shoal.engine.glossary import EVENTS

ROOT = Path(__file__).resolve().parents[2]
NAMES = Names(["you", "ann", "bob"], 0)
CRAB, BOAT = parse_card("crab black"), parse_card("boat yellow")


class Dice:
    """Somebody who chooses anything, and remembers what was seen and heard."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.events: list[Event] = []
        self.views: list[Observation] = []

    def hear(self, events: Sequence[Event], view: Observation) -> None:
        self.events += events
        self.views.append(view)

    def choose(self, view: Observation) -> Move:
        self.views.append(view)
        return self.dice.choice(view.options)


@pytest.mark.parametrize("name", RULESETS)
@settings(deadline=None, max_examples=2)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4))
def test_every_match_of_every_ruleset_can_be_played_to_its_end(
    name: str, seed: int, seats: int
) -> None:
    """Whatever happens has words, and whatever is asked can be answered, by number or by text."""
    dice = Random(seed)
    seat = seed % seats
    open_options: list[Move] = []

    class Watched(Human):
        def choose(self, view: Observation) -> Move:
            open_options[:] = view.options
            return super().choose(view)

    def ask() -> str:
        place = dice.randrange(len(open_options))
        if dice.random() < 0.1:
            return dice.choice(["?", "r", "r crab", "r nothing", "w", "t", "", "0", "nonsense"])
        return dice.choice([str(place + 1), format_move(open_options[place]).upper()])

    names = Names([f"bot {each}" for each in range(seats)], seat)
    players: list[Human | Dice] = [Dice(dice) for _ in range(seats)]
    players[seat] = Watched(names, Screen(), ask)
    assert play(ruleset(name), seed, players).winners


@pytest.mark.parametrize("name", ["base", "pepper"])
def test_the_first_round_opens_like_every_other(name: str) -> None:
    """The deal is told and, where there are event cards, the one that is in force."""
    player = Dice(Random(1))
    play(ruleset(name), 1, [player, Dice(Random(2))])
    first = player.views[0]
    told = [] if first.event_card is None else [EventRevealed(first.event_card)]
    assert isinstance(player.events[0], RoundStarted)
    assert player.events[1 : 1 + len(told)] == told
    assert bool(told) == (name == "pepper")


def test_nobody_is_told_what_another_one_holds() -> None:
    """Each seat gets views and events made for it: others' hidden cards are not among them."""
    players = [Dice(Random(seat)) for seat in range(3)]
    play(ruleset("base"), 3, players)
    for seat, player in enumerate(players):
        assert {view.seat for view in player.views} == {seat}
        for event in player.events:
            match event:
                case Took(other, None, _, cards) if other != seat:
                    assert cards is None
                case Kept(other, card, _, _) | FishDrawn(other, card) if other != seat:
                    assert card is None
                case PileSearched(other, _, _, cards) if other != seat:
                    assert cards is None
                case Stolen(thief, victim, card):
                    assert (card is None) == (seat not in {thief, victim})
                case _:
                    pass


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Took(0, None, 2, (CRAB, BOAT)), "take crab black, boat yellow from the deck"),
        (Took(1, None, 2, None), "takes 2 cards from the deck"),
        (Took(1, None, 1, None), "takes a card from the deck"),
        (Took(1, 0, 1, (CRAB,)), "takes crab black from pile 0"),
        (Kept(1, None, BOAT, 1), "keeps one, puts boat yellow on pile 1"),
        (Kept(0, CRAB, BOAT, 1), "keep crab black, put boat yellow on pile 1"),
        (PileSearched(1, 0, 3, None), "looks through pile 0, 3 cards"),
        (Stolen(1, 0, CRAB), "steals crab black from you"),
        (Stolen(1, 2, None), "steals a card from bob"),
        (Stolen(0, 2, CRAB), "steal crab black from bob"),
        (MermaidsShown(0, 4), "show 4 mermaids and win the match"),
        # In the words of the notation:
        (SeatLeft(2), "leaves"),
        (DuoStolen(0, 2, (CRAB, CRAB)), "take crab black + crab black from bob"),
        (HandSeen(1, 0, 2, None), "looks at the hand of you: 2 cards"),
        (EventRevealed(EventCard.KRAKEN), "event kraken for everybody"),
        (EventAwarded(EventCard.KRAKEN, None), "event kraken goes to nobody"),
        # And with what it does:
        (
            EventAwarded(EventCard.KRAKEN, 1),
            "event kraken goes to ann, and counts for ann from now on: Every octopus is worth 1 point.",
        ),
    ],
)
def test_what_happened_is_told_by_names(event: Event, said: str) -> None:
    """You do, others does; what is hidden is a card."""
    assert [clause.text for clause in clauses([event], NAMES)] == [said]


@pytest.mark.parametrize("name", RULESETS)
def test_who_did_something_is_who_the_notation_begins_with(name: str) -> None:
    """Whatever happens in a match; the rest of the line is what was done."""
    player = Dice(Random(3))
    play(ruleset(name), 3, [player, Dice(Random(4)), Dice(Random(5))])
    for event in player.events:
        seat, text = deed(event)
        whole = text if seat is None else f"seat {seat} {text}"
        assert whole == format_event(event)
        assert whole.startswith("seat ") is (seat is not None)


def test_numbers_and_texts_mean_the_same_move() -> None:
    """Every move there is can be chosen by its place and by its text, in any case and spacing."""
    moves = all_moves()[::10]
    for place, move in enumerate(moves, start=1):
        assert understand(f" {place} ", moves) == Chosen(move)
        assert understand(f"  {format_move(move).upper().replace(' ', '  ')} ", moves) == Chosen(
            move
        )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "type the number"),
        ("0", "the numbers 1 to 2"),
        ("3", "the numbers 1 to 2"),
        ("9" * 5000, "the numbers 1 to 2"),
        ("\u00b2", "or ? for help"),
        ("stop", "'stop' is not possible now"),
        ("take", "or ? for help"),
        ("x" * 5000, "or ? for help"),
    ],
)
def test_what_is_no_answer_is_said(text: str, why: str) -> None:
    """Nothing that is typed is taken for something else, and nothing is repeated at length."""
    answer = understand(text, (parse_move("take deck"), parse_move("take pile 0")))
    assert isinstance(answer, Unclear)
    assert why in answer.why
    assert len(answer.why) < 120


@pytest.mark.parametrize("command", Command)
def test_every_command_has_its_words(command: Command) -> None:
    """Each word stands for its command, whatever comes after it."""
    for word in command.value:
        assert understand(word, ()) == Asked(command, "")
        assert understand(f"{word.upper()} Penguin  Colony", ()) == Asked(command, "penguin colony")


def test_the_reasons_for_all_recorded_hands_add_up() -> None:
    """The parts are the points, and in the base game every part has a reason."""
    with gzip.open(ROOT / "tests/oracle/scoring_base.jsonl.gz") as lines:
        for line in lines:
            hand = parse_hand(line)
            found = [*parts(hand.hand, hand.table, ruleset("base"))]
            assert sum(part.points for part in found) == json.loads(line)["points"]
            assert all(part.why for part in found)


@pytest.mark.parametrize(
    ("hand", "table", "why"),
    [
        (
            ["crab black", "crab grey"],
            [["boat black", "boat yellow"]],
            {"duos": "1 laid, 1 in hand"},
        ),
        (["shell black", "shell grey"], [], {"collectors": "2 shells"}),
        (
            ["shell black", "shell grey", "penguin pink"],
            [],
            {"collectors": "2 shells = 2, 1 penguin = 1"},
        ),
        (
            ["lighthouse purple", "boat black"],
            [["boat black", "boat yellow"]],
            {"multipliers": "lighthouse with 3 boats"},
        ),
        (["mermaid white", "mermaid white", "fish black"], [], {"mermaids": "2 white, 1 black"}),
        (
            ["shell black", "shell grey", "seahorse white"],
            [],
            {"collectors": "2 shells + seahorse"},
        ),
        (
            ["octopus grey", "penguin pink", "seahorse white"],
            [],
            {"collectors": "1 octopus + seahorse = 3, 1 penguin = 1"},
        ),
        (
            ["sailor pink", "sailor orange", "seahorse white"],
            [],
            {"collectors": "2 sailors"},
        ),
    ],
)
def test_a_reason_names_the_cards(
    hand: list[str], table: list[list[str]], why: dict[str, str]
) -> None:
    """Numbers alone would teach nobody."""
    groups = [[*map(parse_card, group)] for group in table]
    found = parts([*map(parse_card, hand)], groups, ruleset("salt"))
    assert why.items() <= {part.name: part.why for part in found}.items()


def test_the_reason_for_every_recorded_set_adds_up() -> None:
    """Also where the seahorse is one of its cards."""
    joined = 0
    with gzip.open(ROOT / "tests/oracle/scoring_salt.jsonl.gz") as lines:
        for line in lines:
            hand = parse_hand(line)
            found = {part.name: part for part in parts(hand.hand, hand.table, ruleset("salt"))}
            assert "collectors" not in found or found["collectors"].why
            joined += "collectors" in found and "seahorse" in found["collectors"].why
    assert joined > 100


def test_the_help_says_which_event_cards_count_and_for_whom() -> None:
    player = Dice(Random(1))
    play(ruleset("pepper"), 1, [player, Dice(Random(2)), Dice(Random(3))])
    owned = set[int]()
    for view in player.views:
        text = "\n".join(manual(view, NAMES))
        cards = [("everybody", [] if view.event_card is None else [view.event_card])]
        cards += [(NAMES[each.seat], [*each.event_cards]) for each in view.players]
        for name, counting in cards:
            for card in counting:
                assert f"For {name}: {event_name(card)}. {EVENTS[card].text}" in text
        owned |= {each.seat for each in view.players if each.event_cards}
    assert owned
    play(ruleset("base"), 1, [player, Dice(Random(2))])
    assert "event" not in "\n".join(manual(player.views[-1], NAMES))


def test_a_gain_is_what_the_card_then_brings() -> None:
    """The number beside an option is the difference that the engine's score makes."""
    player = Dice(Random(5))
    play(ruleset("base"), 5, [player, Dice(Random(6))])
    seen = 0
    for before, after in zip(player.views, player.views[1:], strict=False):
        assert before.points == own_score(before).points
        kept = [card for card in after.hand if card not in before.hand]
        if not (before.options and isinstance(before.options[0], Keep) and len(kept) == 1):
            continue
        (move, *_) = [move for move in before.options if move.card == kept[0]]  # type: ignore[union-attr]
        gain = re.match(r"[+ ]\d+", hint(move, before, NAMES))
        assert gain
        assert int(gain[0]) == after.points - before.points
        seen += 1
    assert seen > 5


def test_the_person_sees_the_terms_of_its_own_seat() -> None:
    """The worth on the screen is the one of the view."""
    player = Dice(Random(1))
    play(ruleset("base"), 1, [Dice(Random(2)), player])
    for view in player.views:
        found = parts(view.hand, view.players[1].table, rules_for(view, 1))
        assert sum(part.points for part in found) == view.points
