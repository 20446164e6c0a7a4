"""Who is speaking: what a mail claims, what it proves, and how an address is confirmed."""
