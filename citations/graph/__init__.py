"""The Schema.org graph of an answer, in the form of each client."""
