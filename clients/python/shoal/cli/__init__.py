"""The `shoal` command."""

import os

# gRPC writes lines of its own to stderr unless this is set before it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
