"""The kit notices a service that lies: each runs on a copy of the server in which something is made wrong.

What is made wrong is wrong for certain under the fault that is chosen, however busy the machine: a proof
that needs luck proves nothing when it fails.
"""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults.running import ROOT, chaos

QUICK = (
    "--minutes",
    "0.05",
    "--patience",
    "3",
    "--matches",
    "8",
    "--servers",
    "1",
    "--workers",
    "1",
)


class Change(NamedTuple):
    """In this file, below the server package, the text `right`, which is there once, becomes `wrong`."""

    file: str
    right: str
    wrong: str


def mutant(folder: Path, *changes: Change) -> Path:
    """A copy of the server tree with these changes."""
    tree = folder / "server"
    shutil.copytree(ROOT / "server", tree, ignore=shutil.ignore_patterns("__pycache__"))
    for file, right, wrong in changes:
        path = tree / "shoal" / "server" / file
        text = path.read_text()
        assert text.count(right) == 1, f"{file} has changed: say anew what is to be made wrong"
        path.write_text(text.replace(right, wrong))
    return tree


@pytest.mark.timeout(300)
def test_a_store_that_takes_a_step_twice_is_noticed(tmp_path: Path) -> None:
    """The first two replies that are dropped are the server's: its door has the first two turns."""
    twice = Change("store/commit.lua", "if known[1] ~= rev then", "if false then")
    faults = ("--faults", "store-reply-drop", "--at-least", "2")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults, tree=mutant(tmp_path, twice))
    assert code == 1, said
    assert figures["doubled"] > 0, figures


@pytest.mark.timeout(300)
def test_a_server_that_answers_before_the_store_did_is_noticed(tmp_path: Path) -> None:
    """The store is away for far longer than a step waits for it: what was answered meanwhile is lost."""
    early = Change(
        "services/play_stream.py",
        """\
            sent.outcome.add_done_callback(partial(self._moved, move, received, sent))
""",
        """\
            version = self._session.tables[move.match_id].match.version + 1
            receipt = Receipt(move.option_id, version, 0, sent.limit_ms, 0, 0, repeated=False)
            self._answer(move, receipt)
""",
    )
    faults = ("--faults", "redis-outage", "--at-least", "1", "--patience", "1")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults, tree=mutant(tmp_path, early))
    assert code == 1, said
    assert figures["lost"] > 0, figures
    assert figures["bugs_logged"] == 0, figures


@pytest.mark.timeout(300)
def test_an_outage_that_is_charged_is_noticed(tmp_path: Path) -> None:
    """Two things keep it from being charged, and either is enough for bots that answer at once.

    The store's clock stands still, and a server remembers which answers came while the store was away. With
    the clock alone made wrong it is a race: nobody is charged if bots ask again before the sweeper looks.
    """
    runs_on = Change("store/clock.lua", "if gap > 2000 or gap < 0 then", "if false then")
    forgets = Change(
        "play/committer.py",
        "table.attempt = (sent.entry, sent.received)",
        "table.attempt = None",
    )
    tree = mutant(tmp_path, runs_on, forgets)
    faults = ("--faults", "redis-outage", "--at-least", "1")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults, tree=tree)
    assert code == 1, said
    assert figures["charged_for_infrastructure"] > 0, figures


@pytest.mark.timeout(300)
def test_a_server_that_gives_time_away_is_noticed(tmp_path: Path) -> None:
    """It takes every decision for one that was asked just now; the bots think for long enough to be seen."""
    young = Change("play/committer.py", "else table.at_hand_ms(received)", "else 0")
    faults = ("--faults", "repeat", "--at-least", "1", "--thinking", "2.5", "--patience", "14")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults, tree=mutant(tmp_path, young))
    assert code == 1, said
    assert figures["uncharged"] > 0, figures


@pytest.mark.timeout(300)
def test_a_server_that_keeps_quiet_about_what_a_failover_lost_is_noticed(tmp_path: Path) -> None:
    """The failover waits until a move is acknowledged that no replica has; the match goes on without it."""
    quiet = Change(
        "hub/timeline.py",
        """\
        self._condemned.add(match_id, VoidReason.LOST_MOVES)
        # In the store before anything else: another server, which knows nothing of it, might end the match.
        await self._store.condemn(match_id, VoidReason.LOST_MOVES.value)
""",
        "",
    )
    faults = ("--cluster", "--faults", "cluster-failover-loses", "--at-least", "1")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults, tree=mutant(tmp_path, quiet))
    assert code == 1, said
    assert figures["lost"] > 0, figures
    assert figures["endings"].get("VOID LOST_MOVES", 0) == 0, figures


@pytest.mark.timeout(300)
def test_a_director_that_keeps_what_it_opens_is_noticed(tmp_path: Path) -> None:
    """It has no streams, but files and connections to lose (T101)."""
    keeps = Change(
        "director/scheduler.py",
        """\
                await self._matches.retry()
""",
        """\
                await self._matches.retry()
                self.__dict__.setdefault("kept", []).extend(open("/dev/null") for _ in range(30))
""",
    )
    faults = ("--faults", "repeat", "--at-least", "1")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults, tree=mutant(tmp_path, keeps))
    assert code == 1, said
    assert figures["leaked_descriptors"] > 0, figures
    assert "director" in figures["evidence"]["leaked_descriptors"][0]
