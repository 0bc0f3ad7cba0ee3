"""Open WebUI as an answer source: one of its models, and the knowledge that this model searches."""
