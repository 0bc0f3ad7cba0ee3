"""What a turn costs, beside the SDK's own adapter and its successor's: see ``__main__``."""
