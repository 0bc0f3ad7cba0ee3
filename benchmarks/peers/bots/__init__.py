"""A program for each peer: it reads jobs, and writes what left the peer."""
