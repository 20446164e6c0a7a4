"""Pictures in messages: what a reader may see, kept with the message, drawn when it is sent."""
