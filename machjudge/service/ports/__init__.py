"""What the service needs from outside, and what it hands out: repositories, mails, changes."""
