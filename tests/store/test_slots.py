"""Laws of slots and of the map of a cluster: they are Redis's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.server.chaos.redis_cluster import RedisCluster
from shoal.server.store import PARTITIONS, Pipe, keys, new_id
from shoal.server.store.address import Address
from shoal.server.store.link import Part
from shoal.server.store.slots import PARTITION_SLOTS, SLOTS, slot_of, slot_of_command
from shoal.server.store.topology import read_place, read_topology

TRICKY = (
    "",
    "a",
    "{",
    "}",
    "{}",
    "{}a",
    "a{}{b}",
    "{{a}}",
    "a{b}{c}",
    "a}b{c",
    "a{b",
    "{é}",
    "a{b}c",
)
ASKED = Address.parse("rediss://me:secret@asked:1")


async def test_slots_are_those_of_redis(cluster: RedisCluster) -> None:
    """Every partition's, and those of any key, as CLUSTER KEYSLOT counts them."""
    names = (*keys.MATCHES, keys.bot_name("}{x"), keys.request("caller", "{p01}"), *TRICKY)
    async with Pipe(cluster.url) as pipe:
        told = await pipe.many(("CLUSTER", "KEYSLOT", name) for name in names)
    assert told[:PARTITIONS] == list(PARTITION_SLOTS)
    assert told == [slot_of(name) for name in names]
    assert told == [slot_of(name.encode()) for name in names]


def test_no_two_partitions_share_a_slot() -> None:
    """So that each can be moved by itself."""
    assert len(set(PARTITION_SLOTS)) == PARTITIONS


@given(st.text() | st.binary() | st.integers())
def test_everything_has_a_slot(key: Part) -> None:
    """Whatever a key is."""
    assert 0 <= slot_of(key) < SLOTS


def test_a_command_belongs_to_its_first_key() -> None:
    """A script names it behind the number of its keys, everything else at once."""
    id_ = new_id(17)
    slot = PARTITION_SLOTS[17]
    assert slot_of_command(("HGET", keys.match(id_), "rev")) == slot
    assert slot_of_command(("EVALSHA", "f" * 40, 2, keys.match(id_), keys.log(id_))) == slot
    assert slot_of_command(("GET", keys.match(id_).encode())) == slot
    assert slot_of_command(("PING",)) == 0


def test_a_map_is_read_in_order_with_replicas_apart() -> None:
    """Each range leads to its first node; a host that a node does not know is the one we asked."""
    read = read_topology(
        [
            [8192, 16383, [b"", 2, b"id"], [b"10.0.0.4", 4, b"id"]],
            [0, 8191, [b"10.0.0.1", 1, b"id"], [None, 3, b"id"]],
        ],
        ASKED,
    )
    first, second = ASKED.at("10.0.0.1", 1), ASKED.at("asked", 2)
    assert read.ranges == ((0, 8191, first), (8192, 16383, second))
    assert read.masters == (first, second)
    assert read.nodes == (first, second, ASKED.at("asked", 3), ASKED.at("10.0.0.4", 4))
    assert (first.tls, first.user, first.password) == (True, "me", "secret")


@pytest.mark.parametrize(
    ("place", "host", "port"),
    [("10.0.0.1:6379", "10.0.0.1", 6379), ("::1:6379", "::1", 6379), (":7", "asked", 7)],
)
def test_a_redirection_names_a_place(place: str, host: str, port: int) -> None:
    """Hosts may have colons, or be left out."""
    assert read_place(place, ASKED) == ASKED.at(host, port)
