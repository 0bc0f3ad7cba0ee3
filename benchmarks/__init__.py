"""What things cost: scripts that are run by hand, each printing what it measured."""
