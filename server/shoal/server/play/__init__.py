"""Playing: what a seat does to its match, from the checks to the commit."""
