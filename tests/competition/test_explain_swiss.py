"""Correct Swiss pairings are read as errors, so they are explained (T81)."""

from hypothesis import given, settings

from shoal.competition.explain_swiss import explain_round
from shoal.competition.swiss_pairing import Player, pair_round
from tests.competition.test_swiss import rounds_in_play, with_met

LAW = settings(max_examples=100, deadline=None)


def sentences(players: list[Player]) -> list[tuple[str, ...]]:
    return [each.sentences for each in explain_round(pair_round(players))]


def test_equal_scores_and_a_rematch_avoided() -> None:
    """In words (T81)."""
    assert sentences(with_met(dict.fromkeys("abcd", 1.0), "ac")) == [
        ("a and d both have 1 point.", "c would have come first for a, but they have met."),
        ("b and c both have 1 point.",),
    ]


def test_a_float() -> None:
    """In words and numbers (T81)."""
    first, second, third = explain_round(
        pair_round(with_met({"a": 2, "b": 2, "c": 2, "d": 0.5, "e": 0, "f": 0}))
    )
    assert first.numbers["float"] == 0
    assert second.bots == ("c", "d")
    assert second.sentences == (
        (
            "c has 2 points and floats down to the group of 0.5, where it meets d: there was nobody left "
            "with its score to meet."
        ),
    )
    assert second.numbers["float"] == 1.5
    assert second.numbers["score_group"] == 0.5
    assert third.bots == ("e", "f")


def test_somebody_would_be_stranded() -> None:
    """In words (T81)."""
    assert sentences(with_met(dict.fromkeys("abcd", 1.0), "bd"))[0] == (
        "a and d both have 1 point.",
        (
            "c would have come first for a, but somebody else would be left without an opponent, or with one "
            "of another score."
        ),
    )


def test_a_bye() -> None:
    """In words and numbers (T81)."""
    players = [Player("a", 1.0), Player("b", 0.0), Player("c", 0.0, byes=1)]
    explanation = explain_round(pair_round(players))[-1]
    assert explanation.bots == ("b",)
    assert explanation.sentences == (
        "3 bots cannot all be paired; b has the bye, which is worth a win.",
        "It is the lowest that has had no more than 0 byes and without which the others can be paired.",
        "Lower, but with more byes or needed as an opponent: c.",
    )
    assert explanation.numbers == {"score": 0.0, "byes_before": 0, "lower": 1}


def test_a_rematch_that_could_not_be_avoided_and_bots_of_one_owner() -> None:
    """In words (T81)."""
    again = [Player("a", 1, met={"b": 2}), Player("b", 1, met={"a": 2})]
    assert sentences(again)[0][1] == (
        "They have met 2 times before: without a rematch this round could not be paired."
    )
    siblings = [Player("a", 1, owner="ann"), Player("b", 1, owner="ann")]
    assert sentences(siblings)[0][1] == (
        "Both are ann's: without such a pair this round could not be paired without a rematch. It is not "
        "rated."
    )


@LAW
@given(rounds_in_play())
def test_every_bot_of_a_round_has_an_explanation(players: list[Player]) -> None:
    """Nobody is left to guess (T81)."""
    explained = [bot for each in explain_round(pair_round(players)) for bot in each.bots]
    assert sorted(explained) == sorted(player.bot_id for player in players)
    for each in explain_round(pair_round(players)):
        assert each.sentences
        assert all(bot in each.sentences[0] for bot in each.bots)
