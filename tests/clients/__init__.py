"""The Markdown engines that clients have, which judge what is rendered for them.

``engines`` keeps them running and asks them, ``judge`` says what DESIGN allows them to find, ``answers``
makes hostile answers, and ``python -m tests.clients`` looks for one that an engine reads otherwise.
"""
