"""Which method a request calls, by its verb and its path."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Generic, TypeVar, final

from shoal.server.errors import Reason
from shoal.server.gateway.answers import NotServed, not_served
from shoal.server.transcoding import Binding, Literal, Segment, Template, Variable, split_path

Target = TypeVar("Target")


@final
@dataclass(frozen=True, slots=True)
class Found(Generic[Target]):
    """What answers a request, and what its path says, still percent-encoded."""

    target: Target
    variables: Mapping[str, str]


@final
class Router(Generic[Target]):
    """All paths of the gateway."""

    def __init__(self, targets: Iterable[tuple[Binding, Target]]) -> None:
        """Serve these."""
        self._places: dict[tuple[int, str], dict[Template, dict[str, Target]]] = {}
        for binding, target in targets:
            template = binding.template
            place = self._places.setdefault((len(template.segments), template.verb), {})
            place.setdefault(template, {})[binding.verb] = target

    def find(self, verb: str, raw_path: str) -> Found[Target]:
        """Return what answers; raise NotServed for a path, or a verb on it, that there is none for."""
        segments, suffix = split_path(raw_path)
        allowed: set[str] = set()
        for template, targets in self._places.get((len(segments), suffix), {}).items():
            if not all(map(_fits, template.segments, segments)):
                continue
            target = targets.get("GET" if verb == "HEAD" else verb)
            if target is not None:
                return Found(target, _variables(template, segments))
            allowed |= targets.keys()
        if not allowed:
            raise not_served(
                HTTPStatus.NOT_FOUND, Reason.NOT_FOUND, "there is nothing at this path"
            )
        raise no_verb(verb, allowed)

    def verbs(self, raw_path: str) -> bytes:
        """Return the verbs of a path as the header Allow has them; raise NotServed where there is no path."""
        segments, suffix = split_path(raw_path)
        verbs = {
            verb
            for template, targets in self._places.get((len(segments), suffix), {}).items()
            if all(map(_fits, template.segments, segments))
            for verb in targets
        }
        if not verbs:
            raise not_served(
                HTTPStatus.NOT_FOUND, Reason.NOT_FOUND, "there is nothing at this path"
            )
        return allow(verbs)


def no_verb(verb: str, verbs: set[str]) -> NotServed:
    """Return the refusal of a verb on a path that has only these."""
    return not_served(
        HTTPStatus.METHOD_NOT_ALLOWED,
        Reason.NOT_IMPLEMENTED,
        f"{verb[:20]} is none of the verbs of this path",
        (b"allow", allow(verbs)),
    )


def allow(verbs: set[str]) -> bytes:
    """Return verbs as the header Allow lists them, with those that every path has."""
    more = {"OPTIONS"} | ({"HEAD"} if "GET" in verbs else set())
    return ", ".join(sorted(verbs | more)).encode()


def _fits(segment: Segment, text: str) -> bool:
    """Return whether a segment of a path is the one of a template; no variable is empty."""
    return text == segment.text if isinstance(segment, Literal) else text != ""


def _variables(template: Template, segments: Iterable[str]) -> dict[str, str]:
    """Return what the path says."""
    return {
        segment.field: text
        for segment, text in zip(template.segments, segments, strict=True)
        if isinstance(segment, Variable)
    }
