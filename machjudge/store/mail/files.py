"""The files of a letter in one column: a line of JSON that says what they are, then their bytes."""

import json
from collections.abc import Iterator, Sequence

from machjudge.service.ports.mails import Attachment


def write_files(attachments: Sequence[Attachment]) -> bytes | None:
    """The files as they are kept; None if there are none."""
    if not attachments:
        return None
    heads = [(each.name, each.media_type, each.cid, len(each.content)) for each in attachments]
    return b"\n".join((json.dumps(heads).encode(), b"".join(each.content for each in attachments)))


def read_files(kept: bytes | None) -> tuple[Attachment, ...]:
    """The files that were kept, in their order."""
    return () if kept is None else tuple(_files(kept))


def _files(kept: bytes) -> Iterator[Attachment]:
    heads, _, contents = kept.partition(b"\n")
    begin = 0
    for name, media_type, cid, length in json.loads(heads):
        yield Attachment(name, media_type, contents[begin : begin + length], cid)
        begin += length
