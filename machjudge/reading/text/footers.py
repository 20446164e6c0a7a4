"""What mail programs, virus scanners and companies write below a mail."""

import re
from collections.abc import Callable, Iterator, Sequence

from machjudge.reading.text.rows import Row

_MOST_CHARACTERS = 160
_MOST_JOINED = 2_000
_MOST_FOOTERS = 8

_MOBILE = re.compile(
    r"(?:sent|envoyé|gesendet|verschickt|inviato|enviado|verzonden|skickat|sendt|wysłan[eo])"
    r" (?:from|via|with|using|de|du|depuis|à partir|von|mit|über|da|dal|dalla|con|desde|do|pelo"
    r"|vanaf|met|från|fra|med|z) .*$"
    r"|von meine[mr]? .{0,60} gesendet|diese nachricht wurde von meinem .{0,60} gesendet"
    r"|(?:get|download|hol(?:en sie)?|laden sie|obtenez|obtenir|téléchargez|scarica|ottieni|obtener"
    r"|obtén|download) (?:dir |sie |euch )?outlook (?:for|für|pour|per|para|voor|för|til) "
    r"|outlook (?:for|für|pour|per|para|voor|för|til) (?:ios|android|mac)\b",
    re.IGNORECASE,
)
_CHECKED = re.compile(
    r"\b(?:scanned|checked|tested|verified|überprüft|geprüft|gescannt|analysée?|vérifiée?"
    r"|controllat[oa]|verificat[oa]|analizado|comprobado|gecontroleerd)\b",
    re.IGNORECASE,
)
_FOR_VIRUSES = re.compile(r"\b(?:virus\w*|viren\w*|malware|spam|threats)\b", re.IGNORECASE)
_CLEAN = re.compile(
    r"\b(?:virus[- ]?free|virenfrei|sans virus|sin virus|libre de virus|priva di virus|mailscanner"
    r"|anti-?virus)\b",
    re.IGNORECASE,
)
_SCANNER_WORD = re.compile(
    r"virus|viren|malware|mailscanner|\bscanned\b|\bspam\b|https?://|\bwww\.", re.IGNORECASE
)
_DISCLAIMER = re.compile(
    r"\b(?:(?:scanned|checked|protected|secured|filtered) by|confidential\w*"
    r"|privileged|intended (?:recipient|solely|only)|disclaimer|vertraulich\w*"
    r"|confidentiel\w*|riservat\w*|confidencial\w*|vertrouwelijk\w*|before (?:you )?print(?:ing)?"
    r"|originated (?:from )?outside|outside (?:of )?(?:the|your) organi[sz]ation)\b",
    re.IGNORECASE,
)
_DEVICE = re.compile(r"(?:iphone|ipad|galaxy|android|blackberry|huawei|xiaomi)", re.IGNORECASE)
_MOST_OF_DEVICE = 60
_SCANNER_HEADING = re.compile(r"information|virus|viren|scan|security|antispam", re.IGNORECASE)
_LONG_RULE = 10
_STARTS = re.compile(
    r"(?:this|the|diese[rs]?|ce|cet|cette|le|quest[oa']|est[ea]|dit|deze|denne|detta)"
    r" ?(?:e-?mail|message|mail|communication|nachricht|courriel|messaggio|correo|mensaje|bericht)"
    r"|confidential|disclaimer|caution|external|\[external\]|notice|please consider|scanned|checked"
    r"|virus|no virus|https?://|www\.",
    re.IGNORECASE,
)


def is_mobile_footer(row: Row) -> bool:
    """Whether the row is what a telephone or mail program puts below ("Sent from my …")."""
    return len(row.text) <= _MOST_CHARACTERS and bool(_MOBILE.match(row.bare))


def is_device_line(row: Row) -> bool:
    """Whether a short row names a telephone, as the last of a mail does in any language."""
    return len(row.text) <= _MOST_OF_DEVICE and bool(_DEVICE.search(row.bare))


def begins_appendix(row: Row) -> bool:
    """Whether a row is a line drawn across the mail, or a heading that names a scanner."""
    if not row.is_rule:
        return False
    return len(row.text) >= _LONG_RULE and (
        not any(map(str.isalnum, row.text)) or bool(_SCANNER_HEADING.search(row.text))
    )


def scanner_footer(rows: Sequence[Row]) -> int | None:
    """Where a virus scanner's footer begins: the index of its first row, or None."""
    return _first_start(rows, _names_a_scan)


def without_footers(rows: Sequence[Row]) -> list[Row]:
    """The rows without footers. A footer ends the mail unless an order or command is behind it."""
    kept = [row for row in rows if not is_mobile_footer(row)]
    for _ in range(_MOST_FOOTERS):
        at = _first_start(kept, _is_footer)
        if at is None:
            break
        end = _end_of_paragraph(kept, at)
        said = [row for row in kept[at:end] if row.is_said or row.is_signon]
        behind = kept[end:]
        kept = [*kept[:at], *said, *(behind if any(row.is_said for row in behind) else [])]
    return kept


def _end_of_paragraph(rows: Sequence[Row], at: int) -> int:
    return next((i for i in range(at, len(rows)) if rows[i].is_blank), len(rows))


def _is_footer(text: str) -> bool:
    return _names_a_scan(text) or bool(_DISCLAIMER.search(text))


def _names_a_scan(text: str) -> bool:
    return bool(_CLEAN.search(text) or (_CHECKED.search(text) and _FOR_VIRUSES.search(text)))


def _first_start(rows: Sequence[Row], is_footer: Callable[[str], bool]) -> int | None:
    for start, end in _paragraphs(rows):
        if is_footer(" ".join(row.bare for row in rows[start:end])[:_MOST_JOINED]):
            ruled = start > 0 and rows[start - 1].is_rule
            return _first_row(rows, start, end, ruled=ruled)
    return None


def _first_row(rows: Sequence[Row], start: int, end: int, *, ruled: bool) -> int:
    """The first row of the footer: orders may stand above it in the same paragraph."""
    found = next((at for at in range(start, end) if _begins_footer(rows[at])), None)
    if found is not None and not ruled:
        return found
    first = end - 1 if found is None else found
    while first > start and not rows[first - 1].is_said:
        first -= 1
    return first


def _begins_footer(row: Row) -> bool:
    return bool(_STARTS.match(row.bare) or _SCANNER_WORD.search(row.bare))


def _paragraphs(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """The runs of rows between blank rows and drawn lines."""
    start: int | None = None
    for at, row in enumerate(rows):
        gap = row.is_blank or row.is_rule
        if gap and start is not None:
            yield start, at
        start = None if gap else (at if start is None else start)
    if start is not None:
        yield start, len(rows)
