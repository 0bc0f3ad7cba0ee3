"""This package reads files in child processes, so that no file can stop or starve the program.

``pool`` has the processes of a program. ``queue`` has the files of one update. ``process`` is one child as
the program sees it, and ``child`` the program that runs in it. ``limits`` says what one file may cost.

Parsers of PDF, Office and XML files work on what strangers wrote. Some are written in C. A file may hang one,
crash it, or make it take all memory. In a process of its own that costs one file.
"""
