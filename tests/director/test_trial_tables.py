"""Who has a trial with whom, without any store (T69, T87)."""

from collections.abc import Collection

from shoal.competition.plan import Entrant
from shoal.competition.specification import Ladder, Specification
from shoal.server.director.rooms import Room
from shoal.server.director.trial_tables import Seating, Table
from shoal.server.store.memberships import Membership, Stage
from shoal.server.store.presence import Presence

SPEC = Specification("main", Ladder(), rulesets=("base", "salt"), seats=(2, 3))
NEW, FAILED = Membership(Stage.TRIAL, 1), Membership(Stage.PAUSED, 1)


def here(bot: str, *, seats: Collection[int] = (2,), live: int = 0) -> Presence:
    return Presence(bot, "p", 1, 2, ("base",), tuple(seats), live)


def seating(waiting: dict[str, Membership], *there: Presence, baselines: str = "") -> Seating:
    """Seat these bots, of an owner each, all of whom are due that wait and are at no trial."""
    entrants = {
        each.bot_id: Entrant(each.bot_id, "" if each.bot_id in baselines else each.bot_id)
        for each in there
    }
    due = [bot for bot, each in waiting.items() if not each.match_id]
    return Seating(SPEC, entrants, waiting, due, Room(there, {}, ()))


def test_a_baseline_comes_before_another_newcomer_and_that_before_a_member() -> None:
    """Each is there only once, so the next one takes what is left."""
    waiting = {"a": NEW, "b": NEW, "d": NEW}
    bots = [here(bot) for bot in "abcde"]
    seats = seating(waiting, *bots, baselines="e")
    for bot, other in (("a", "e"), ("b", "d")):
        assert seats.table(bot) == Table((bot, other), "base")
        seats.seat(Table((bot, other), "base"))
    assert seats.table("d") is None


def test_who_is_new_comes_first_and_does_not_meet_who_has_failed() -> None:
    seats = seating({"a": FAILED, "b": NEW}, here("a"), here("b"))
    assert seats.turns == ["b", "a"]
    assert (seats.table("a"), seats.table("b")) == (None, None)


def test_who_plays_as_much_as_it_takes_is_not_seated() -> None:
    assert seating({"a": NEW}, here("a"), here("b", live=2)).table("a") is None
    assert seating({"a": NEW}, here("a", live=2), here("b")).table("a") is None


def test_an_offer_that_fits_no_table_is_said() -> None:
    assert seating({"a": NEW}, here("a", seats=[4]), here("b")).table("a") == (
        "it offers base at tables of 4, and the ladder plays base, salt at tables of 2, 3"
    )
