"""Why a pairing of a Swiss round came out as it did (T81): what looks odd is mostly the rules."""

from collections.abc import Iterator

from shoal.competition.explanation import Explanation, many
from shoal.competition.swiss_pairing import Pair, Player, RoundPairing


def explain_round(pairing: RoundPairing) -> tuple[Explanation, ...]:
    """Return an explanation of each pair, in their order, and then of the bye if there is one."""
    pairs = tuple(_explain_pair(pair, pairing) for pair in pairing.pairs)
    return (*pairs, _explain_bye(pairing.bye, pairing)) if pairing.bye else pairs


def _explain_pair(pair: Pair, pairing: RoundPairing) -> Explanation:
    return Explanation(
        bots=(pair.first.bot_id, pair.second.bot_id),
        sentences=tuple(_sentences(pair, pairing)),
        numbers={
            "first_score": pair.first.score,
            "second_score": pair.second.score,
            "score_group": pair.group,
            "float": abs(pair.first.score - pair.second.score),
            "times_met": pair.times_met,
            "passed_over": len(pair.passed),
            "allowed": pairing.allowed,
        },
    )


def _sentences(pair: Pair, pairing: RoundPairing) -> Iterator[str]:
    first, second = pair.first, pair.second
    if first.score == second.score:
        yield f"{first.bot_id} and {second.bot_id} both have {many(first.score, 'point')}."
    else:
        high, low = sorted((first, second), key=lambda player: -player.score)
        yield (
            f"{high.bot_id} has {many(high.score, 'point')} and floats down to the group of "
            f"{pair.group:g}, where it meets {low.bot_id}: there was nobody left with its score to meet."
        )
    for passed in pair.passed:
        yield f"{passed.bot_id} would have come first for {first.bot_id}, but {passed.obstacle.value}."
    if pair.times_met:
        yield (
            f"They have met {many(pair.times_met, 'time')} before: without a rematch this round could not "
            "be paired."
        )
    if first.owner == second.owner != "":
        otherwise = " without a rematch" if pairing.allowed == 1 else ""
        yield (
            f"Both are {first.owner}'s: without such a pair this round could not be paired{otherwise}. "
            "It is not rated."
        )


def _explain_bye(bye: Player, pairing: RoundPairing) -> Explanation:
    number = 2 * len(pairing.pairs) + 1
    below = ", ".join(player.bot_id for player in pairing.no_bye)
    sentences = [
        f"{number} bots cannot all be paired; {bye.bot_id} has the bye, which is worth a win.",
        f"It is the lowest that has had no more than {many(bye.byes, 'bye')}"
        + (" and without which the others can be paired." if pairing.no_bye else "."),
    ]
    if below:
        sentences.append(f"Lower, but with more byes or needed as an opponent: {below}.")
    numbers = {"score": bye.score, "byes_before": bye.byes, "lower": len(pairing.no_bye)}
    return Explanation((bye.bot_id,), tuple(sentences), numbers)
