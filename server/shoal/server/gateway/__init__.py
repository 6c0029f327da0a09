"""All annotated methods over plain HTTP, as JSON; streams as lines or events (docs/http.md)."""
