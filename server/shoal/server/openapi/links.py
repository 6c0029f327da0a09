"""Where an answer leads: from the id of something in it to the operations on that thing."""

from collections.abc import Iterable, Iterator

from google.protobuf.descriptor import Descriptor

from shoal.server.openapi.scalars import Schema
from shoal.server.transcoding import Binding


def links_of(binding: Binding, others: Iterable[Binding]) -> dict[str, Schema]:
    """Return the links of an operation's answer, by the operation that each leads to.

    The first thing counts of those that have the same kind of id.
    """
    if binding.streams:
        return {}
    ids: dict[str, str] = {}
    for name, pointer in _ids(binding.method.output_type):
        ids.setdefault(name, pointer)
    return {
        other.method.name: {
            "operationId": other.method.name,
            "parameters": {
                f"path.{name}": f"$response.body#{ids[name]}" for name in other.template.variables
            },
        }
        for other in others
        if other.template.variables and all(name in ids for name in other.template.variables)
    }


def _ids(answer: Descriptor) -> Iterator[tuple[str, str]]:
    """Yield the ids in an answer and where each is: in itself, in what it has, in the first that it lists."""
    for field in answer.fields:
        if field.name.endswith("_id") and field.message_type is None and not field.is_repeated:
            yield field.name, f"/{field.json_name}"
        inner = field.message_type
        if inner is None or inner.GetOptions().map_entry:
            continue
        identity = inner.fields_by_number.get(1)
        if identity is not None and identity.name.endswith("_id") and not identity.is_repeated:
            index = "/0" if field.is_repeated else ""
            yield identity.name, f"/{field.json_name}{index}/{identity.json_name}"
