"""Is one bot better than another? Matches on the engine, in processes here, until it is decided."""
