"""The gRPC services. A method is: decode, call, encode."""
