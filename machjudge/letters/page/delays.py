"""Why a phase is not played yet, in the words that every message uses for it."""


def flag_line(power: str) -> str:
    """The error flag of a power, by its name."""
    return f"ERROR FLAG of {power}: lines of its last orders not taken."


def flag_help(*, holds: bool) -> tuple[str, ...]:
    """What clears the error flag; *holds* before the deadline, when the phase waits for that."""
    clears = "READY clears it, and so do orders without an error"
    if not holds:
        return (f"{clears}.",)
    return (f"{clears};", "until then the phase waits for its deadline.")


def wait_line(power: str) -> str:
    """The wish of a power to wait, by its name."""
    return f"WAIT of {power}: it waits for the deadline."
