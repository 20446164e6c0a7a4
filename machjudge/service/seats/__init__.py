"""Coming and going: joining, watching, taking over, and what the master decides about seats."""
