"""The kit in plain Python: streams, draws, functions, tallies and readings, bit for bit as the modules have them."""
