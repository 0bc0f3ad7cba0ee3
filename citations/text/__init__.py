"""Plain text: URLs, characters, colours, the alphabet of an SMS, paths in JSON."""
