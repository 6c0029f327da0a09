"""The methods of all services in one table, from which gRPC's server and the gateway take them."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, cast, final

import grpc
from grpc.aio import Server

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Found: TypeAlias = "grpc.RpcMethodHandler[Any, Any] | None"


@final
class Methods:
    """Takes services as a gRPC server does, by the two calls that generated code makes on it."""

    def __init__(self) -> None:
        """Begin with none."""
        self._services: dict[str, dict[str, Handler]] = {}

    @property
    def as_server(self) -> Server:
        """The table as generated code wants it, for `add_…Servicer_to_server`."""
        return cast("Server", self)

    def add_generic_rpc_handlers(self, handlers: Iterable[object]) -> None:
        """Do nothing: the same methods come by name."""

    def add_registered_method_handlers(
        self, service_name: str, method_handlers: Mapping[str, Handler]
    ) -> None:
        """Take the methods of a service."""
        self._services[service_name] = dict(method_handlers)

    def add_to(self, server: Server) -> None:
        """Let a gRPC server serve them."""
        for name, handlers in self._services.items():
            generic = grpc.method_handlers_generic_handler(name, handlers)
            server.add_generic_rpc_handlers((generic,))
            server.add_registered_method_handlers(name, handlers)

    def handler(self, path: str) -> Found:
        """Return the method of a path of gRPC such as `/shoal.v1.BotService/GetBot`, None for none."""
        _, service, method = path.split("/")
        return self._services.get(service, {}).get(method)
