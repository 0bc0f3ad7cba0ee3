"""Who we are to the channels, and who they are to us."""
