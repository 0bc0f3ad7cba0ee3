"""What the environment and the operator decide: one module for each subject."""
