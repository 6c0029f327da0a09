"""The list of messages."""

import importlib

import pytest

from shoal.client import pb

MODULES = (
    "bot_service",
    "cards",
    "challenge_service",
    "decision",
    "errors",
    "event",
    "export_service",
    "ladder_service",
    "match",
    "match_service",
    "observation",
    "play_service",
    "tournament",
    "tournament_service",
)


@pytest.mark.parametrize("module", MODULES)
def test_pb_names_every_message_and_enum(module: str) -> None:
    """A message that is added to the protos is added to `pb`; one that is gone is gone there."""
    generated = importlib.import_module(f"shoal.v1.{module}_pb2")
    names = [
        *generated.DESCRIPTOR.message_types_by_name,
        *generated.DESCRIPTOR.enum_types_by_name,
    ]
    for name in names:
        assert getattr(pb, name) is getattr(generated, name)
        assert name in pb.__all__
