"""Commands behind which a text stands: press, postal press, an entry of a diary."""

from collections.abc import Sequence

from machjudge.language.commands import Diary, EndPress, PostalPress, Press
from machjudge.language.dialogue import parse_command
from machjudge.reading import Line
from machjudge.service import diary, postal, pressroom
from machjudge.service.talk import Talk


def write(talk: Talk, line: Line, said: Press | PostalPress | Diary, text: Sequence[str]) -> None:
    """Do with a text what its command says; what cannot be done returns it to its writer."""
    talk.has_written = True
    match said:
        case Press():
            pressroom.press(talk, line, said, text)
        case PostalPress():
            postal.hold(talk, line, text)
        case Diary():
            diary.record(talk, line, text)


def text_behind(left: list[Line], number: int) -> list[str]:
    """Take the text that stands behind the line of that number, and its end, out of the lines.

    With its empty lines.  Whoever has read the mail has marked its lines: none of them is ever a
    command, whatever it looks like.
    """
    text: list[str] = []
    while left and left[0].is_press:
        line = left.pop(0)
        text += [""] * (line.number - number - 1)
        text.append(line.raw)
        number = line.number
    if left and isinstance(parse_command(left[0].text), EndPress):
        left.pop(0)
    return text
