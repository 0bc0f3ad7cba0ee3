"""The bots that are measured, each a process of its own: ``python -m benchmarks.serving.bots.NAME``."""
