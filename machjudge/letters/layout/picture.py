"""A picture inside a message: shown in its HTML part, told in words in both parts."""

from dataclasses import dataclass

from machjudge.sentence import Wording


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A picture that a message shows where its template says so."""

    cid: str
    """Its name in the message, letters and digits: ``near``."""
    png: bytes
    alt: Wording
    """What it shows, in words: the text part has them in its place."""
    media_type: str = "image/png"
    """Another one where the picture is drawn when the message is sent, of what stands here."""
