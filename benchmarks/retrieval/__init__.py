"""Measurements of how well the folder finds, answers and abstains."""
