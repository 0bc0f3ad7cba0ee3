"""The settings of each subject, read from the environment."""
