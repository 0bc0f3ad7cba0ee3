"""Markers: where a text names its references, and the positions that they get."""
