"""The movement step: who goes where, and why."""
