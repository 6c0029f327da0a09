"""Between our values and the protobuf messages of shoal.v1. Nothing else in the server builds these."""
