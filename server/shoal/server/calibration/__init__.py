"""Whether published ratings are what they say they are: simulated ladders whose truth is known."""
