"""The tricky cases of the base game (numbers of 11.2), one test each."""

from collections.abc import Sequence

import pytest

from shoal.engine import (
    CardPicked,
    DecisionKind,
    DuoPlayed,
    Ending,
    EndTurn,
    FishDrawn,
    Keep,
    LastChance,
    MatchEnded,
    MermaidsShown,
    Move,
    PickCard,
    PlayDuo,
    RoundEnded,
    RoundEnding,
    State,
    Stolen,
    Stop,
    TakeDeck,
    TakePile,
    Took,
    decision,
    legal_moves,
    observe,
    result,
)
from shoal.engine.scoring import points_of
from tests.engine.support import asked, card, cards, do, duo, only, position, refused

TAKE, KEEP, PLAY, PICK, *_ = DecisionKind
SEVEN = "octopus gn, octopus pu, octopus gy, penguin pk"  # 6 + 1 points
NINE = "shell db, shell lb, shell bk, shell ye, octopus gn, octopus pu"  # 6 + 3 points


def duos(state: State) -> list[PlayDuo]:
    return [move for move in legal_moves(state) if isinstance(move, PlayDuo)]


def test_the_last_card_of_the_deck_is_kept_without_a_discard() -> None:
    """11.2 #1: of a deck of one card, it is kept, and the end of the turn ends the round unscored."""
    state = position("", "", deck="crab bk")
    do(state, TakeDeck())
    assert legal_moves(state) == (Keep(card("crab bk"), None),)
    do(state, Keep(card("crab bk"), None))
    assert [len(pile) for pile in state.piles] == [1, 1]
    ended = only(RoundEnded, do(state, EndTurn()))
    assert ended.ending is RoundEnding.EMPTY_DECK
    assert (ended.totals, ended.card_points) == ((0, 0), None)
    assert state.starter == 1


def test_stop_counts_though_the_deck_ran_out_in_the_same_turn() -> None:
    """11.2 #2: with the deck emptied by the take, stop is still scored."""
    state = position(SEVEN, "", deck="crab bk, crab ye")
    do(state, TakeDeck(), Keep(card("crab bk"), 0))
    ended = only(RoundEnded, do(state, Stop()))
    assert (ended.ending, ended.round_points) == (RoundEnding.STOP, (7, 0))


def test_last_chance_gives_turns_though_the_deck_ran_out() -> None:
    """11.2 #3: with the deck emptied by the take, everyone else still gets a last turn from the piles."""
    state = position(SEVEN, "", "", deck="crab bk, crab ye")
    do(state, TakeDeck(), Keep(card("crab bk"), 0), LastChance())
    assert legal_moves(state) == (TakePile(0), TakePile(1))
    do(state, TakePile(0), EndTurn())
    assert asked(state) == (2, TAKE)
    ended = only(RoundEnded, do(state, TakePile(0), EndTurn()))
    assert ended.ending is RoundEnding.LAST_CHANCE
    assert ended.round_points[0] > 0


def test_the_deck_running_out_inside_last_chance_changes_nothing() -> None:
    """11.2 #4: when the first last turn empties the deck, the second is still played and scored."""
    state = position(SEVEN, "", "", deck="crab bk, crab ye", playing=True)
    do(state, LastChance(), TakeDeck(), Keep(card("crab bk"), 0), EndTurn())
    assert asked(state) == (2, TAKE)
    ended = only(RoundEnded, do(state, TakePile(0), EndTurn()))
    assert ended.ending is RoundEnding.LAST_CHANCE


def test_with_nothing_to_take_the_turn_starts_with_playing() -> None:
    """11.2 #5: with deck and piles empty the taking is skipped, and duos may be played."""
    state = position(SEVEN, "crab bk, crab ye", deck="", piles=("", ""), caller=0, active=1)
    assert asked(state) == (1, PLAY)
    assert legal_moves(state) == (EndTurn(), duo("crab bk", "crab ye"))
    assert only(RoundEnded, do(state, EndTurn())).ending is RoundEnding.LAST_CHANCE


def test_fish_with_an_empty_deck_are_placed_for_nothing() -> None:
    """11.2 #6: a fish duo without a deck is worth its point and draws nothing."""
    state = position("fish db, fish gn", "", deck="", playing=True)
    events = do(state, duo("fish db", "fish gn"))
    assert [type(event) for event in events] == [DuoPlayed]
    assert points_of(state, 0) == 1
    assert asked(state) == (0, PLAY)


def test_fish_may_draw_the_last_card() -> None:
    """11.2 #7: after fish drew the last card, ending the turn scores nothing, and a call scores."""
    state = position("fish db, fish gn, " + SEVEN, "", deck="crab bk", playing=True)
    assert only(FishDrawn, do(state, duo("fish db", "fish gn"))).card == card("crab bk")
    other = state.copy()
    assert only(RoundEnded, do(state, EndTurn())).ending is RoundEnding.EMPTY_DECK
    assert only(RoundEnded, do(other, Stop())).round_points == (8, 0)


def test_a_boat_turn_without_a_deck_takes_from_a_pile() -> None:
    """11.2 #8: with the deck empty the extra turn offers the pile that is left, in the same round."""
    state = position("boat db, boat ye", "", deck="", piles=("crab bk", ""), playing=True)
    do(state, duo("boat db", "boat ye"))
    assert (asked(state), legal_moves(state)) == ((0, TAKE), (TakePile(0),))


@pytest.mark.parametrize(
    ("deck", "piles", "take"),
    [
        ("crab bk", ("", ""), TakeDeck()),
        ("", ("crab bk", ""), TakePile(0)),
        ("", ("", "crab bk"), TakePile(1)),
    ],
)
def test_a_boat_turn_takes_from_wherever_there_is_a_card(
    deck: str, piles: tuple[str, str], take: Move
) -> None:
    """11.2 #8: the deck or either pile alone is enough for the extra turn."""
    state = position("boat db, boat ye", "", deck=deck, piles=piles, playing=True)
    do(state, duo("boat db", "boat ye"))
    assert (asked(state), legal_moves(state)) == ((0, TAKE), (take,))


def test_a_boat_with_nothing_anywhere_is_placed_for_nothing() -> None:
    """11.2 #9: without any card to take, a boat duo is placed and the turn goes on."""
    state = position("boat db, boat ye", "", deck="", piles=("", ""), playing=True)
    do(state, duo("boat db", "boat ye"))
    assert asked(state) == (0, PLAY)


def test_a_boat_turn_may_end_with_a_call() -> None:
    """11.2 #10: after the extra take, both calls are offered with seven points."""
    state = position("boat db, boat ye, " + SEVEN, "", playing=True)
    do(state, duo("boat db", "boat ye"), TakePile(0))
    assert {Stop(), LastChance()} <= set(legal_moves(state))


def test_boats_chain() -> None:
    """11.2 #11: a second boat duo in the extra turn gives a third take."""
    state = position("boat db x2, boat ye x2", "", playing=True)
    do(state, duo("boat db", "boat db"), TakePile(0))
    do(state, duo("boat ye", "boat ye"))
    assert asked(state) == (0, TAKE)


def test_taking_comes_before_everything() -> None:
    """11.2 #12: neither a duo before the take nor a call before the take of a boat turn is legal."""
    state = position("boat db, boat ye, " + SEVEN, "")
    assert refused(state, duo("boat db", "boat ye"))
    do(state, TakePile(0), duo("boat db", "boat ye"))
    assert refused(state, Stop())
    assert refused(state, LastChance())


def test_an_empty_pile_is_filled_first() -> None:
    """11.2 #13: with one pile empty, the discard can go nowhere else."""
    state = position("", "", deck="crab bk, crab ye", piles=("", "octopus lb"))
    do(state, TakeDeck())
    assert legal_moves(state) == (Keep(card("crab bk"), 0), Keep(card("crab ye"), 0))
    assert refused(state, Keep(card("crab bk"), 1))


def test_an_empty_second_pile_is_filled_first_too() -> None:
    """11.2 #13: it does not matter which of the piles is the empty one."""
    state = position("", "", deck="crab bk, crab ye", piles=("octopus lb", ""))
    assert legal_moves(state) == (TakeDeck(), TakePile(0))
    do(state, TakeDeck())
    assert legal_moves(state) == (Keep(card("crab bk"), 1), Keep(card("crab ye"), 1))


def test_two_equal_drawn_cards_are_one_option() -> None:
    """Which of two equal cards is kept makes no difference, and is not asked."""
    state = position("", "", deck="crab db x2")
    do(state, TakeDeck())
    assert legal_moves(state) == (Keep(card("crab db"), 0), Keep(card("crab db"), 1))


def test_with_both_piles_empty_the_first_is_filled() -> None:
    """11.2 #14: the other card goes to pile 0 when both piles are empty."""
    state = position("", "", deck="crab bk, crab ye", piles=("", ""))
    do(state, TakeDeck(), Keep(card("crab bk"), 0))
    assert state.piles == [[card("crab ye")], []]


def test_crabs_search_only_a_pile_that_has_cards() -> None:
    """11.2 #15: an empty pile cannot be searched, and with both empty the crabs do nothing."""
    state = position("crab bk, crab ye", "", piles=("", "octopus lb"), playing=True)
    assert duos(state) == [duo("crab bk", "crab ye", 1)]
    state = position("crab bk, crab ye", "", piles=("octopus lb", ""), playing=True)
    assert duos(state) == [duo("crab bk", "crab ye", 0)]
    state = position("crab bk, crab ye", "", piles=("", ""), playing=True)
    assert duos(state) == [duo("crab bk", "crab ye")]
    do(state, duo("crab bk", "crab ye"))
    assert asked(state) == (0, PLAY)


def test_crabs_take_any_card_and_keep_the_order() -> None:
    """11.2 #16: of a pile a, b, c others see 2 cards and c after b was taken, and b after c was."""
    pile = "shell db, shell lb, shell bk"
    for taken, left in (("shell lb", "shell db, shell bk"), ("shell bk", "shell db, shell lb")):
        state = position("crab bk, crab ye", "", piles=("octopus lb", pile), playing=True)
        do(state, duo("crab bk", "crab ye", 1))
        assert observe(state, 0).shown == tuple(cards(pile))
        assert observe(state, 1).shown == ()
        picked = only(CardPicked, do(state, PickCard(card(taken))))
        assert state.piles[1] == cards(left)
        assert (picked.size, picked.top) == (2, cards(left)[-1])
        assert observe(state, 1).piles[1].top == cards(left)[-1]


def test_crabs_may_empty_a_pile() -> None:
    """11.2 #17: the last card of a pile may be taken; the next discard fills that pile."""
    state = position("crab bk, crab ye", "", playing=True)
    do(state, duo("crab bk", "crab ye", 0), PickCard(card("octopus lb")), EndTurn(), TakeDeck())
    assert {move.pile for move in legal_moves(state)} == {0}


def test_nobody_steals_from_an_empty_hand() -> None:
    """11.2 #18: empty hands are no target, and with none left the duo is placed for nothing."""
    state = position("swimmer db, shark lb", "", playing=True)
    assert duos(state) == [duo("swimmer db", "shark lb")]
    state = position("swimmer db, shark lb", "", "crab bk", playing=True)
    assert duos(state) == [duo("swimmer db", "shark lb", 2)]


def test_two_seats_cannot_steal_inside_last_chance() -> None:
    """11.2 #19: the caller's hand is revealed, so that the only opponent is no target."""
    state = position(SEVEN, "swimmer db, shark lb", caller=0, active=1, playing=True)
    assert duos(state) == [duo("swimmer db", "shark lb")]
    assert [type(event) for event in do(state, duo("swimmer db", "shark lb"))] == [DuoPlayed]


def test_inside_last_chance_only_those_still_to_play_are_stolen_from() -> None:
    """11.2 #20: of caller, second and third seat, the second steals from the third and not back."""
    state = position(SEVEN, "swimmer db, shark lb", "swimmer lb, shark bk, crab bk", playing=True)
    do(state, LastChance(), TakePile(0))
    assert duos(state) == [duo("swimmer db", "shark lb", 2)]
    do(state, EndTurn(), TakePile(1))
    assert duos(state) == [duo("swimmer lb", "shark bk")]


def test_a_seat_without_cards_plays_on() -> None:
    """11.2 #21: whoever lost the only card takes normally in the next turn."""
    state = position("swimmer db, shark lb", "crab bk", playing=True)
    events = do(state, duo("swimmer db", "shark lb", 1))
    assert only(Stolen, events) == Stolen(0, 1, card("crab bk"))
    do(state, EndTurn())
    assert state.hands[1] == []
    assert legal_moves(state) == (TakeDeck(), TakePile(0), TakePile(1))


def test_a_stolen_fourth_mermaid_wins() -> None:
    """11.2 #22: the thief of the fourth mermaid wins at once, whatever the totals."""
    state = position(
        "mermaid x3, swimmer db, shark lb",
        "mermaid, crab bk",
        totals=(0, 39),
        picks=(1,),
        playing=True,
    )
    events = do(state, duo("swimmer db", "shark lb", 1))
    assert only(MermaidsShown, events).seat == 0
    assert only(MatchEnded, events).result.ranks == (1, 2)


def test_the_fourth_mermaid_wins_after_the_discard() -> None:
    """11.2 #23: with the fourth mermaid of the drawn pair, the other card is discarded first."""
    state = position("mermaid x3", "", deck="mermaid, crab bk")
    do(state, TakeDeck())
    assert asked(state) == (0, KEEP)
    do(state, Keep(card("mermaid"), 1))
    assert state.piles[1][-1] == card("crab bk")
    assert result(state).ending is Ending.MERMAIDS


def test_four_mermaids_win_before_any_call() -> None:
    """11.2 #24: four mermaids end the match before a call could be made."""
    state = position("mermaid x3, " + SEVEN, "", piles=("mermaid", ""))
    do(state, TakePile(0))
    assert (decision(state), result(state).winners) == (None, (0,))


def test_four_mermaids_on_a_last_turn_void_the_bet() -> None:
    """11.2 #25: four mermaids on a last turn win the match, and the caller's bet is void."""
    state = position(NINE, "mermaid x3", piles=("mermaid", ""), playing=True, totals=(39, 0))
    events = do(state, LastChance(), TakePile(0))
    assert result(state).winners == (1,)
    assert result(state).totals == (39, 0)
    assert not [event for event in events if isinstance(event, RoundEnded)]


def test_seven_card_points_allow_a_call() -> None:
    """11.2 #27: six points and any color bonus allow no call, seven points do."""
    six = "shell db, shell lb, shell bk, shell ye, crab db, boat db, fish db, swimmer db"
    state = position(six, "", playing=True)
    assert (points_of(state, 0), observe(state, 0).color_bonus) == (6, 5)
    assert legal_moves(state) == (EndTurn(),)
    state = position(six + ", penguin pk", "", playing=True)
    assert legal_moves(state) == (EndTurn(), Stop(), LastChance())


def test_there_is_one_call_in_a_round() -> None:
    """11.2 #28: on a last turn no call is legal, whatever the points."""
    state = position(SEVEN, NINE + ", sailor pk, sailor or", caller=0, active=1, playing=True)
    assert legal_moves(state) == (EndTurn(),)
    assert refused(state, Stop())


def bet(*hands: str, caller: int = 0, totals: Sequence[int] = ()) -> RoundEnded:
    """Return how a round ends in which the last seat before the caller ends its turn."""
    last = (caller - 1) % len(hands)
    state = position(*hands, caller=caller, active=last, playing=True, totals=totals)
    return only(RoundEnded, do(state, EndTurn()))


def test_a_tied_bet_is_won() -> None:
    """11.2 #29: with 9 against 9 the caller wins: cards and colors, the others colors alone."""
    ended = bet(NINE, "octopus lb, octopus ye, octopus gn, octopus pu")
    assert ended.card_points == (9, 9)
    assert ended.bet_won is True
    assert ended.round_points == (9 + ended.color_bonus[0], ended.color_bonus[1])


def test_one_better_opponent_loses_the_bet() -> None:
    """11.2 #30: the caller gets its colors alone, all others their cards, even below the caller's."""
    ten = "octopus lb, octopus ye, octopus gn, octopus pu, penguin pk"
    ended = bet(NINE + ", crab gn, boat ye", ten, "crab db, crab lb, boat db, boat lb")
    assert ended.card_points == (9, 10, 2)
    assert ended.bet_won is False
    assert ended.round_points == (ended.color_bonus[0], 10, 2)


def test_tied_totals_are_decided_by_the_final_round() -> None:
    """11.2 #31: 20 + 12 beats 28 + 4, since 12 points of the final round are more than 4."""
    state = position(
        NINE + ", crab gn, fish gn",
        "crab db, boat db, fish db, swimmer db",
        "",
        "",
        totals=(20, 28, 0, 0),
        caller=0,
        active=3,
        playing=True,
    )
    ended = only(RoundEnded, do(state, EndTurn()))
    assert ended.totals[:2] == (32, 32)
    assert result(state).winners == (0,)
    assert result(state).ranks == (1, 2, 3, 3)


def test_the_highest_total_wins_not_the_caller() -> None:
    """11.2 #32: of two totals past the target the higher wins, whoever ended the round."""
    state = position(SEVEN, "sailor pk, sailor or, captain", totals=(34, 33), playing=True)
    assert only(RoundEnded, do(state, Stop())).totals == (41, 44)
    assert result(state).winners == (1,)


def test_equal_totals_and_final_rounds_share_the_win() -> None:
    """11.2 #33: with equal totals and equal points of the final round the win is shared."""
    state = position(SEVEN, "sailor pk, captain, octopus lb, octopus ye, penguin pu", playing=True)
    state.totals = [33, 33]
    assert only(RoundEnded, do(state, Stop())).totals == (40, 40)
    assert (result(state).winners, result(state).ranks) == ((0, 1), (1, 1))


def test_an_empty_deck_changes_no_total() -> None:
    """11.2 #34: a round that ends with the deck scores nothing, and another follows."""
    state = position(SEVEN, "", deck="", totals=(39, 0), playing=True)
    ended = only(RoundEnded, do(state, EndTurn()))
    assert ended.totals == (39, 0)
    assert (decision(state) is not None, state.round) == (True, 2)


def test_the_next_starter_sits_left_of_the_one_who_ended_the_round() -> None:
    """11.2 #35: after B's last chance, stop or last turn of the deck, seat C starts."""
    state = position("", SEVEN, "", active=1, playing=True)
    stopped, emptied = state.copy(), state.copy()
    do(state, LastChance(), TakePile(0), EndTurn(), TakePile(1), EndTurn())
    do(stopped, Stop())
    emptied.deck.clear()
    do(emptied, EndTurn())
    assert [world.starter for world in (state, stopped, emptied)] == [2, 2, 2]


def test_double_points_end_at_double_targets() -> None:
    """11.2 #58: with three seats 69 goes on, and 70 ends the match."""
    for total, over in ((62, False), (63, True)):
        state = position(SEVEN, "", "", totals=(total, 0, 0), playing=True, rules="base-double")
        do(state, Stop())
        assert (decision(state) is None) == over


def test_equal_cards_in_a_pile_are_told_apart_by_what_lies_on_them() -> None:
    """Of two equal cards that are no neighbors either may be picked; neighbors are one option."""
    state = position(
        "crab bk, crab ye", "", piles=("crab db, shell db, crab db x1", ""), playing=True
    )
    do(state, duo("crab bk", "crab ye", 0))
    crab = card("crab db")
    assert legal_moves(state) == (PickCard(crab), PickCard(card("shell db")), PickCard(crab, 1))
    do(state, PickCard(crab, 1))
    assert state.piles[0] == cards("shell db, crab db")
    state = position("crab bk, crab ye", "", piles=("crab db x2", ""), playing=True)
    do(state, duo("crab bk", "crab ye", 0))
    assert legal_moves(state) == (PickCard(crab),)


def test_a_pile_card_is_seen_by_all_and_a_drawn_one_by_its_seat() -> None:
    """What is taken from a pile is public."""
    state = position("", "")
    assert only(Took, do(state, TakePile(0))).cards == (card("octopus lb"),)
    assert asked(state) == (0, PLAY)
    assert PICK is DecisionKind.PICK
