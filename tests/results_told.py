"""Which messages tell the results of a phase: their subjects have the news, and no code."""

from machjudge.adjudicator.moments import read_moment


def tells_results(body: str, code: str = "") -> bool:
    """True if a message tells the results of the phase with that code, or of any."""
    moment = read_moment(code)
    if moment is None:
        return "\nResults of " in body
    season, stage = moment.season.name.capitalize(), moment.stage.name.lower()
    return f"\nResults of {season} {moment.year}, {stage}." in body
