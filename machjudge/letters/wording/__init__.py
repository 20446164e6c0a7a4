"""The words that all messages share."""
