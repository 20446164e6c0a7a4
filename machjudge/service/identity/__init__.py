"""Who is speaking: what a mail claims, what it proves, and what it may do for that."""
