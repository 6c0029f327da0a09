"""The streams of bots: what each is told, and how each is kept true to the store."""
