"""Commands behind which a text stands: press, postal press, an entry of a diary."""

from collections.abc import Sequence

from machjudge.language.commands import Diary, PostalPress, Press
from machjudge.reading import Line
from machjudge.service import diary, postal, pressroom
from machjudge.service.talk import Talk


def write(talk: Talk, line: Line, said: Press | PostalPress | Diary, text: Sequence[str]) -> None:
    """Do with a text what its command says; what cannot be done returns it to its writer."""
    match said:
        case Press():
            pressroom.press(talk, line, said, text)
        case PostalPress():
            postal.hold(talk, line, text)
        case Diary():
            diary.record(talk, line, text)
