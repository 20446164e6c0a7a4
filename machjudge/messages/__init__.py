"""What readers get: messages composed from events, positions and the words of the templates."""
