"""Measurements: the engine alone, and a server beside a bare gRPC echo. Nothing that serves imports it."""
