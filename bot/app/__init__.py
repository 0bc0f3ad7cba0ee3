"""The application: its settings, its parts, its start and its end."""
