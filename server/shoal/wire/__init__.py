"""Between the engine's values and the protobuf messages of shoal.v1: nothing else makes one of the other.

For the server, and for whoever does at a table of its own what a server does.
"""
