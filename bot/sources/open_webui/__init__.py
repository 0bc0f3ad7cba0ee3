"""Open WebUI as the answer source: a model there, and the knowledge that it is asked to look into."""
