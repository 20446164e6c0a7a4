"""Where secrets stand in a mail, and the mail without them."""
