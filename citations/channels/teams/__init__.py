"""Microsoft Teams' Markdown: the answer's text in the form that Teams shows."""
