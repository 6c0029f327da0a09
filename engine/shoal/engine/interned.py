"""What all moves share: one object for each combination of fields, read-only, with a stable code."""

from typing import Self, TypeAlias, cast

from shoal.engine.errors import UnknownMove

Fields: TypeAlias = tuple[int | None, ...]


class Interned:
    """A record that is made once: comparing and hashing it is comparing and hashing identities."""

    __slots__ = ("code",)
    __match_args__: tuple[str, ...] = ()

    code: int

    @classmethod
    def _interned(cls, *fields: int | None) -> Self:
        """Return the one move with these fields; raise UnknownMove when they make no move."""
        try:
            return cast("Self", _BY_FIELDS[cls, fields])
        except KeyError:
            raise UnknownMove(f"{cls.__name__}{fields}") from None

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a move never changes."""
        raise AttributeError(f"moves are read-only: {name} = {value!r}")

    def __reduce__(self) -> tuple[object, tuple[int]]:
        """Copy and pickle by code, so that the copy is the same object."""
        return by_code, (self.code,)

    def __repr__(self) -> str:
        """Return the expression that builds this move."""
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({fields})"


_BY_FIELDS: dict[tuple[type[Interned], Fields], Interned] = {}
_BY_CODE: dict[int, Interned] = {}


def intern(kind: type[Interned], operation: int, fields: Fields, optional: int | None) -> None:
    """Make the move with these fields; only `moves` does so, once for each.

    Its code is the operation's byte, then one byte for each field, then zeros. The field at the
    place `optional` may be None, and is stored as one more than its value, or as 0.
    """
    code = operation
    for place in range(3):
        value = fields[place] if place < len(fields) else 0
        if place == optional:
            value = 0 if value is None else value + 1
        code = code << 8 | cast("int", value)
    move = object.__new__(kind)
    object.__setattr__(move, "code", code)
    for name, field in zip(kind.__match_args__, fields, strict=True):
        object.__setattr__(move, name, field)
    _BY_FIELDS[kind, fields] = move
    _BY_CODE[code] = move


def by_code(code: int) -> Interned:
    """Return the move with this code; raise UnknownMove when there is none."""
    try:
        return _BY_CODE[code]
    except KeyError:
        raise UnknownMove(f"code {code}") from None


def in_order_of_code() -> tuple[Interned, ...]:
    """Return every move there is."""
    return tuple(_BY_CODE[code] for code in sorted(_BY_CODE))
