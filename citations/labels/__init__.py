"""Sensitivity labels: the catalogue, its rules, and the file that holds both."""
