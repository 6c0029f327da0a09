"""What goes over the wire stays as it is: the bytes of a whole match, as each seat was sent them (T16).

Whoever writes a client in another language finds here what it must be able to read: messages in
`golden_wire`, one in hexadecimal a line. A field that is added changes them; one that is renumbered, or
means something else, must not.
"""

from pathlib import Path

import pytest

from shoal.engine import apply, new_match, observe, redact, ruleset
from shoal.v1 import play_service_pb2 as pb
from shoal.wire.events import event_bytes
from shoal.wire.observation import decision_bytes, observation_bytes
from shoal.wire.parts import nested

GOLDEN = Path(__file__).parent / "golden_wire"

_EVENT = nested(pb.MatchUpdate, "events")
_OBSERVATION = nested(pb.MatchUpdate, "observation")
_DECISION = nested(pb.MatchUpdate, "decision")


def messages(rules: str) -> list[bytes]:
    """Return what the asked seat is sent at each of the first decisions of a match."""
    state = new_match(ruleset(rules), 3, b"golden wire")
    sent = []
    events: list[bytes] = []
    for version in range(1, 41):
        asked = state.asked
        if asked is None:
            break
        view = observation_bytes(observe(state, asked.seat))
        question = decision_bytes(asked, f"{version}.0123456789ab", 10_000, 9_000)
        sent.append(b"".join([*events, _OBSERVATION(view), _DECISION(question)]))
        moved = apply(state, asked.options[version % len(asked.options)])
        heard = state.asked
        viewer = None if heard is None else heard.seat
        events = [_EVENT(event_bytes(version, redact(each, viewer))) for each in moved]
    return sent


@pytest.mark.parametrize("rules", ["base", "salt-pepper"])
def test_the_wire_is_as_it_was(rules: str) -> None:
    """The same match is the same bytes, whatever becomes of the code that writes them."""
    lines = (GOLDEN / f"{rules}.hex").read_text(encoding="ascii").splitlines()
    assert [each.hex() for each in messages(rules)] == lines


@pytest.mark.parametrize("rules", ["base", "salt-pepper"])
def test_a_client_reads_from_it_who_did_what(rules: str) -> None:
    """Every message says whom it is for and asks, and every event of a seat says of which (T16)."""
    for line in (GOLDEN / f"{rules}.hex").read_text(encoding="ascii").splitlines():
        update = pb.MatchUpdate.FromString(bytes.fromhex(line))
        assert update.observation.seat == update.decision.seat == update.observation.pending_seat
        assert len(update.observation.seats) == 3
        assert update.decision.default_option_id in {
            option.option_id for option in update.decision.options
        }
        assert all(event.version > 0 and event.WhichOneof("kind") for event in update.events)
