"""What `machjudge adjudicate` takes and answers."""
