"""What readers get: letters composed from events, positions and the words of the templates."""
