"""Ending the reply tokens of a seat."""

from dataclasses import replace

from machjudge.language.commands.commands import RevokeTokens
from machjudge.reading import Line
from machjudge.service.session.session import Talk


def revoke_tokens(talk: Talk, _: Line, __: RevokeTokens) -> None:
    """End all reply tokens of the seat; the answer to this mail carries a new one."""
    if talk.seat is None:
        return
    talk.set_seat(replace(talk.seat, generation=talk.seat.generation + 1))
    talk.note("revoked", f"the reply codes of seat {talk.seat.number} were revoked")
    talk.done("The reply codes in all earlier messages for this seat have ended.")
