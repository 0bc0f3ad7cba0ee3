"""The Bot Framework side: everything that does I/O."""
