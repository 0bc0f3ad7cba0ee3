"""Writer's Knowledge Graph as an answer source."""
