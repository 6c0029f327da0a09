"""From the protos alone to what HTTP says: which paths there are, and how a message is written and read."""

from shoal.server.transcoding.binding import BadAnnotation, Binding, QueryField, bindings_of
from shoal.server.transcoding.template import (
    BadTemplate,
    Literal,
    Segment,
    Template,
    Variable,
    parse_template,
    split_path,
)

__all__ = [
    "BadAnnotation",
    "BadTemplate",
    "Binding",
    "Literal",
    "QueryField",
    "Segment",
    "Template",
    "Variable",
    "bindings_of",
    "parse_template",
    "split_path",
]
