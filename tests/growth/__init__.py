"""How CPU time grows with what a model, a document or a person may write.

``python -m tests.growth --shapes 3000`` measures so many shapes on every route, and prints the ten steepest.
"""
