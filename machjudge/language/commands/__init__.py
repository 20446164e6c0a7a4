"""Command lines to commands."""
