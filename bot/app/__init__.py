"""The application: settings, composition, server."""
