"""A match that this director could not make, and another one has made meanwhile (T70)."""

from shoal.server.director import MAIN, Pairing
from shoal.server.director.matches import Matches
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Block
from shoal.server.store.direction import Counted, Direction
from shoal.server.store.pipe import Pipe

from .arena import Arena


async def fail(pairing: Pairing) -> None:
    raise RuntimeError(pairing.match_id)


async def test_a_match_that_was_played_stays_in_the_histories_of_its_bots(
    pipe: Pipe, bells: Bells
) -> None:
    """If it was made, played and counted while we tried, there is nothing to take back."""
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    bots = await arena.arrive("a", "b")
    main = await arena.competitions.get("main")
    direction = Direction(pipe, 1)
    histories = {}
    for played in (True, False):
        block = Block(keys.new_id(), tuple(bots), "base", rated=True, match_id=keys.new_id())
        await direction.reserve(main, [block])
        matches = Matches(fail, arena.stores.bots, direction, attempts=1)
        matches.expect(main, block)
        await arena.stores.bots.add_match(bots, block.match_id)
        if played:
            await direction.count(main, block.match_id, b"{}", Counted({}))
            await pipe.command("HDEL", keys.competition("main", "blocks"), block.key)
        await matches.retry()
        assert not matches.is_expected(block.match_id)
        ids = (await arena.stores.bots.history(bots[0], 9)).ids
        histories[played] = block.match_id in ids
    assert histories == {True: True, False: False}
