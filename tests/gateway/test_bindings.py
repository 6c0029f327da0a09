"""What the annotations of the protos say, read into bindings."""

import pytest
from google.protobuf.descriptor import MethodDescriptor

from shoal.server.servicers import SERVICES
from shoal.server.transcoding import (
    BadTemplate,
    Binding,
    Literal,
    Template,
    Variable,
    bindings_of,
    parse_template,
    split_path,
)
from tests.server.rpcs import METHODS

BINDINGS = bindings_of(dict.fromkeys(each.containing_service for each in METHODS.values()))
BY_NAME = {binding.rpc.removeprefix("shoal.v1."): binding for binding in BINDINGS}


def binding(name: str) -> Binding:
    return BY_NAME[name]


def test_every_service_of_the_server_is_read() -> None:
    """A service that is offered over gRPC is offered over HTTP."""
    assert {each.method.containing_service.full_name for each in BINDINGS} == set(SERVICES)


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_every_method_but_the_bidirectional_one_has_a_binding(method: MethodDescriptor) -> None:
    """A client with nothing but HTTP can do all that there is to do (AIP-127)."""
    name = f"{method.containing_service.name}.{method.name}"
    assert (name in BY_NAME) is not method.client_streaming


def test_no_two_bindings_answer_to_one_request() -> None:
    """Of verb and shape of the path there is one each."""
    shapes = [
        (
            each.verb,
            tuple(
                part.text if isinstance(part, Literal) else "*" for part in each.template.segments
            ),
            each.template.verb,
        )
        for each in BINDINGS
    ]
    assert len(set(shapes)) == len(shapes)


def test_a_binding_says_verb_path_body_and_query() -> None:
    move = binding("PlayService.PlayMove")
    assert (move.verb, str(move.template), move.body, move.query) == (
        "POST",
        "/v1/matches/{match_id}:play",
        "*",
        (),
    )
    assert move.template.variables == ("match_id",)
    assert move.grpc_path == "/shoal.v1.PlayService/PlayMove"
    polls = binding("PlayService.ListDecisions")
    assert polls.body == ""
    assert [each.name for each in polls.query][:2] == ["wait", "page_size"]
    assert [each.json_name for each in polls.query][:2] == ["wait", "pageSize"]
    assert not polls.streams
    assert binding("MatchService.SpectateMatch").streams


def test_what_the_path_gives_is_no_part_of_the_query() -> None:
    assert [each.name for each in binding("MatchService.SpectateMatch").query] == ["since_version"]


def test_a_template_is_written_as_it_was_read() -> None:
    for text in ("/v1/bots", "/v1/bots/{bot_id}/status", "/v1/a/{b.c}:doIt"):
        assert str(parse_template(text)) == text
    assert parse_template("/v1/bots/{bot_id}:go") == Template(
        (Literal("v1"), Literal("bots"), Variable("bot_id")), "go"
    )


@pytest.mark.parametrize(
    "text",
    [
        "v1",
        "/v1/",
        "/",
        "/v1/{a=**}",
        "/v1/*",
        "/v1/{a}b",
        "/v1/{a}/{a}",
        "/v1:",
        "/v1:a:b",
        "/{A}",
    ],
)
def test_a_template_that_is_not_understood_is_an_error(text: str) -> None:
    with pytest.raises(BadTemplate):
        parse_template(text)


def test_the_path_of_a_request_is_split_still_encoded() -> None:
    assert split_path("/v1/bots") == (("v1", "bots"), "")
    assert split_path("/v1/a%2Fb:play") == (("v1", "a%2Fb"), "play")
    assert split_path("/v1/a:b/c") == (("v1", "a:b", "c"), "")
    assert split_path("/") == (("",), "")
