"""Messages as bytes, joined from parts that protobuf encodes once and that are remembered.

Protobuf merges what is concatenated: the bytes of some fields, one after the other, are the bytes of the
message that has all of them. What goes out with every move is made in this way, since filling a message
object field by field costs several times as much; everything else is made of objects. Parts come
from protobuf itself, so that no number of a field is written down here.
"""

from collections.abc import Callable
from typing import TypeAlias

from google.protobuf.message import Message

from shoal.engine import Card
from shoal.engine.remembered import Remembered
from shoal.wire.cards import CARDS

_LENGTH_DELIMITED = 2
"""The wire type of a field that holds a message."""

Wrap: TypeAlias = Callable[[bytes], bytes]


def number(message: Callable[..., Message], name: str) -> Remembered[int, bytes]:
    """Return the encoding of a field by its value, for a field that has few different values."""
    return Remembered(lambda value: message(**{name: value}).SerializeToString())


def cards(message: Callable[..., Message], name: str) -> tuple[bytes, ...]:
    """Return the encoding of a repeated field that holds one card, by the card."""
    return tuple(message(**{name: [card]}).SerializeToString() for card in CARDS)


def nested(message: type[Message], name: str) -> Wrap:
    """Return what makes the bytes of a message those of a field, single or repeated, that holds it."""
    tag = _varint(message.DESCRIPTOR.fields_by_name[name].number << 3 | _LENGTH_DELIMITED)
    heads = Remembered[int, bytes](lambda length: tag + _varint(length))

    def wrap(content: bytes) -> bytes:
        return heads[len(content)] + content

    return wrap


def join(parts: tuple[bytes, ...], held: tuple[Card, ...]) -> bytes:
    """Return the encoding of a repeated field that holds these cards, from the parts of `cards`."""
    return b"".join(map(parts.__getitem__, held))


def _varint(value: int) -> bytes:
    """Return a number as protobuf writes lengths and tags: seven bits a byte, the lowest first."""
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)
