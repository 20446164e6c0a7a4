"""The desk of the judge: use cases over small ports, each of which owns its transaction."""
