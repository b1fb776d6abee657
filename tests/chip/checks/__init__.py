"""What is checked with the model, one module for each area."""
