"""What an organizer has decided, and what that makes of results."""

from hypothesis import given
from hypothesis import strategies as st

from shoal.competition.rulings import (
    Exclusion,
    Rulings,
    Uncounted,
    counts,
    with_excluded,
    with_readmitted,
    with_uncounted,
    with_voided,
)

BOTS = ("anna", "bert", "cleo")

times = st.builds(
    Uncounted,
    bot_id=st.sampled_from(["", *BOTS]),
    from_ms=st.integers(0, 20),
    until_ms=st.none() | st.integers(0, 20),
)


@given(st.lists(times), st.integers(0, 20), st.sets(st.sampled_from(BOTS)))
def test_a_result_counts_unless_a_time_of_it_or_of_one_of_its_bots_does_not(
    uncounted: list[Uncounted], ended_ms: int, bots: set[str]
) -> None:
    """The first moment belongs to a time, and the last one does not."""
    rulings = Rulings()
    for each in uncounted:
        rulings = with_uncounted(rulings, each)
    out = [
        each
        for each in uncounted
        if each.bot_id in {"", *bots}
        and each.from_ms <= ended_ms < (21 if each.until_ms is None else each.until_ms)
    ]
    assert counts(rulings, "m", bots, ended_ms) == (not out)


@given(times)
def test_the_same_decision_again_changes_nothing(time: Uncounted) -> None:
    """So a call that is sent twice is one."""
    once = with_uncounted(Rulings(), time)
    assert with_uncounted(once, time) == once
    void = with_voided(once, "m", "why")
    assert with_voided(void, "m", "another reason") == void
    out = with_excluded(void, "anna", Exclusion(1), None)
    assert with_excluded(out, "anna", Exclusion(2), None) == out
    back = with_readmitted(out, "anna", 3, restore=False)
    assert with_readmitted(back, "anna", 4, restore=False) == back


def test_a_match_that_is_void_does_not_count_whenever_it_ended() -> None:
    """And the number says that something has changed."""
    rulings = with_voided(Rulings(), "m", "why")
    assert not counts(rulings, "m", BOTS, 1)
    assert counts(rulings, "n", BOTS, 1)
    assert rulings.number == 1


def test_a_bot_that_is_readmitted_counts_from_then_on() -> None:
    """What did not count stays so, unless all of it is to count again."""
    out = with_excluded(Rulings(), "anna", Exclusion(5), Uncounted("anna", 3))
    assert not counts(out, "m", {"anna"}, 9)
    back = with_readmitted(out, "anna", 10, restore=False)
    assert back.excluded == {}
    assert not counts(back, "m", {"anna"}, 9)
    assert counts(back, "m", {"anna"}, 10)
    restored = with_readmitted(out, "anna", 10, restore=True)
    assert counts(restored, "m", {"anna"}, 9)
    assert restored.number > out.number


def test_who_is_only_excluded_changes_no_result() -> None:
    """So nothing is computed again."""
    out = with_excluded(Rulings(), "anna", Exclusion(5), None)
    assert with_readmitted(out, "anna", 10, restore=False).number == out.number == 0
