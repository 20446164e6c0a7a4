"""Whether an order may be given here and now."""
