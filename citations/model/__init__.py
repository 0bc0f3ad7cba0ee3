"""The values of the library: an answer, its references, its citations, and what a channel gets of it."""
