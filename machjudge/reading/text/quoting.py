"""Whose words the rows of a body are: its writer's, the judge's, or those of another quotation.

What the judge is known to have sent is compared word by word, and needs no mark and no
announcement.  Else marks decide (`>`, a bar, `MJ>`), and where a mail program sets none, an
announcement: a row with an address and a date that ends like one, two or more rows of
`Word: value` with an address or a date among them, a divider, or a heading of the judge's own
messages.  These are shapes, not lists of languages; the lists at the end hold what has no shape.

Behind an announcement that is followed by marked rows, or by words of the judge that are known,
the rest may be the writer's; behind another one, everything is quoted.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

from machjudge.reading.text.comparison import ComparedRow, closest, find, words_of
from machjudge.reading.text.mail import Defect, MailFlaw, Owner
from machjudge.reading.text.rows import Row, unquoted

_MOST_ROWS = 5
_MOST_CHARACTERS = 500
_MOST_FIELDS = 10
_ENOUGH_FIELDS = 2
_ENOUGH_BARS = 2
_ORDERS_ABOVE = 2
_MOST_STRANGE = 10
"""One in so many rows of a message that is known may have become another."""
_STRANGE = 3
"""So many may be rows of its form in HTML alone."""
_BROKEN_FROM, _BROKEN_AT = 60, 72

_ADDRESS = re.compile(r"[^\s<>()]@[^\s<>()]+\.\w")
_DATE = re.compile(
    r"\d{4}\s?[-/.年]\s?\d\d?|\d\d?\s?[-/.]\s?\d\d?\s?[-/.]\s?\d{2,4}"
    r"|\b\d\d?\b.{1,25}\b(?:19|20)\d\d\b"
)
_TIME = re.compile(r"\b\d\d?[:.h]\d\d\b")
_CLOSED = re.compile(r"[:：]$|[^\s<>()]+@[^\s<>()]+[>)\]][,;]?$|^-{2,}.*-{2,}$")
_FIELD = re.compile(r"\*{0,2}([^\W\d_][^\n:：<>@]{0,24}?)\s?[:：]\*{0,2}(?:\s|$|(?<=：))")
_SUPERCITE = re.compile(r"\s{0,9}[A-Za-z]{1,4}>")
_FRAMED = re.compile(r"\*?-{3,}.*[^\W\d_].*-{3,}\*?$")
_HEAD = re.compile(r":: \w+: ")
"""How the first rows of a message of the judge begin."""
_CODE_ROW = re.compile(r"[^\W\d_][^\d:：]{0,30}[:：]? r\.(?:[a-z2-7]{26}|\*{8})", re.IGNORECASE)
"""The last row of a message; it is added when the message is sent."""

_WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|schrieben|a écrit|ha scritto|escribió|escribio|escreveu|schreef"
    r"|skrev|napisał(?:\(a\)|a)?|geschreven|zitat von)\b",
    re.IGNORECASE,
)
"""What makes an announcement of a row with a time and without an address: the mails
`attribution_*_bare` of the corpus, one for each language, and `attribution_quoting`."""
_DIVIDER = re.compile(
    r"original|forward|nachricht|message|messaggio|mensa?je|mensagem|bericht|meddelande|besked",
    re.IGNORECASE,
)
"""A word in a divider below which no header stands: `block_original_bare`, `block_german`."""
_BEGIN_FORWARDED = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message "
    r"(?:réexpédié|transféré)|inizio messaggio inoltrato|inicio del mensaje reenviado)\s*:$",
    re.IGNORECASE,
)
"""Apple's divider, which has no frame: `block_begin_forwarded`."""


@dataclass(frozen=True, slots=True)
class Parted:
    """The rows that the writer wrote, and those left out."""

    own: tuple[Row, ...]
    left_out: tuple[tuple[Row, Owner], ...]
    """With whose they are: the writer's is what was changed or put in within words of the judge."""
    defects: tuple[Defect, ...]
    messages: tuple[str, ...]
    """The messages of the judge of which rows are quoted."""


def part_quotes(rows: Sequence[Row], messages: Sequence[str] = ()) -> Parted:
    """Tell the writer's own rows from those quoted.

    *messages* are texts of the judge that may be quoted, in any order.
    """
    return _Quotations(rows, messages).parted()


def quotable(rows: Sequence[Row]) -> tuple[str, ...]:
    """The words of rows that may stand in a message; none where nothing but orders stands there."""
    if all(row.is_blank or row.is_said or row.is_signon or row.is_rule for row in rows):
        return ()
    return tuple(word for row in rows if not row.is_blank for word in words_of(_unmarked(row)))


def _unmarked(row: Row) -> str:
    """What is compared of a row: neither marks of quotation nor bullets nor emphasis."""
    marks = _marks(row)
    return unquoted(row.bare[marks:] if marks else row.bare)


@dataclass
class _Quotations:
    """Finds the quotations of one body."""

    rows: Sequence[Row]
    messages: Sequence[str]
    owners: list[Owner] = field(init=False)
    changed: set[int] = field(default_factory=set)
    is_to_end: bool = False
    """Whether the end of a message that is known is quoted."""
    quoted: list[str] = field(default_factory=list)
    rests: list[Row] = field(default_factory=list)
    """Pieces of broken quoted rows that look like something said."""

    def __post_init__(self) -> None:
        self.owners = [Owner.WRITER] * len(self.rows)

    def parted(self) -> Parted:
        self._mark()
        self._compare()
        first = self._announced()
        self._know_by_headings()
        for at, row in enumerate(self.rows):
            # Some programs break it behind the colon.
            size = 2 if row.bare.endswith((":", "：")) else 1
            code = " ".join(each.bare for each in self.rows[at : at + size])
            if self._is_own(at) and _CODE_ROW.fullmatch(code):
                self.owners[at : at + size] = [Owner.JUDGE] * size
        defects = [Defect(MailFlaw.QUOTE_REST, row.number) for row in self.rests if row.is_said]
        if first is not None and self._is_answer_above(first):
            defects = self._mark_behind(first)
        return Parted(
            tuple(row for at, row in enumerate(self.rows) if self._is_own(at)),
            tuple(
                (row, Owner.WRITER if at in self.changed else self.owners[at])
                for at, row in enumerate(self.rows)
                if not self._is_own(at)
            ),
            tuple(defects),
            tuple(self.quoted),
        )

    def _is_own(self, at: int) -> bool:
        return self.owners[at] is Owner.WRITER

    # --- marks ------------------------------------------------------------------------------

    def _mark(self) -> None:
        for at, row in enumerate(self.rows):
            if row.is_quoted:
                self.owners[at] = Owner.QUOTE
        self._mark_initials()
        for at in range(1, len(self.rows) - 1):
            if self.rows[at - 1].is_quoted and self._is_own(at) and self._is_rest(at):
                self.owners[at] = Owner.QUOTE
                self.rests.append(self.rows[at])

    def _mark_initials(self) -> None:
        """Mark rows below each other that all begin with initials."""
        for has_mark, group in groupby(
            range(len(self.rows)), lambda at: bool(_SUPERCITE.match(self.rows[at].raw[:40]))
        ):
            places = list(group)
            if has_mark and len(places) >= _ENOUGH_BARS:
                self._take(places[0], places[-1] + 1, Owner.QUOTE)

    def _is_rest(self, at: int) -> bool:
        """Whether a row is the end of a quoted one that was broken without a new mark."""
        row, above = self.rows[at], self.rows[at - 1]
        if row.is_blank or row.is_command:
            return False
        width = len(above.raw.rstrip())
        first_word = len(row.text.split(" ", 1)[0])
        was_broken = width >= _BROKEN_FROM and width + 1 + first_word > _BROKEN_AT
        return was_broken and not self._is_own(at + 1) and len(row.raw) < width

    # --- what the judge is known to have sent -------------------------------------------------

    def _compare(self) -> None:
        if not self.messages:
            return
        filled = [at for at, row in enumerate(self.rows) if not row.is_blank]
        compared = [self._compared(self.rows[at]) for at in filled]
        changed: set[int] = set()
        quoted: set[int] = set()
        words = [word for row in compared for word in words_of(row.text)]
        for text in closest(words, self.messages):
            found = find(compared, text)
            quoted |= {filled[at] for at in found.quoted}
            self.quoted += [text] if found.quoted else []
            changed |= {filled[at] for at in found.changed}
            self.is_to_end |= found.is_to_end
        typed = self._press(quoted)
        for at in quoted - typed:
            self.owners[at] = Owner.JUDGE
        self.changed = {at for at in changed - quoted - typed if not self.rows[at].is_rule}
        for at in self.changed:
            self.owners[at] = Owner.JUDGE
        self.rests = [row for row in self.rests if self.rows.index(row) not in quoted]

    def _compared(self, row: Row) -> ComparedRow:
        marks, text = _marks(row), _unmarked(row)
        said = replace(row, text=text).is_said or replace(row, text=text).is_signon
        return ComparedRow(
            text,
            said,
            depth=row.text[:marks].count(">") or int(bool(marks)),
            is_heading=self._is_heading(row),
            announces=not said and self._may_announce(row),
        )

    def _may_announce(self, row: Row) -> bool:
        """Whether a row has something of an announcement: enough above words that are known."""
        return (
            row.bare.endswith((":", "："))
            or bool(_FIELD.match(row.squeezed) or _FRAMED.fullmatch(row.text.strip("* ")))
            or self._announces(row.bare[:_MOST_CHARACTERS]) is not None
        )

    def _press(self, quoted: Collection[int] = (), *, unbroken: bool = False) -> set[int]:
        """The rows of a press that the writer begins and ends: words of the judge may be in it.

        *quoted* are further rows that are not the writer's; with *unbroken* none of these, and no
        heading, may stand within.
        """
        typed: set[int] = set()
        begin: int | None = None
        for at, row in enumerate(self.rows):
            if not self._is_own(at) or at in quoted or (unbroken and self._is_heading(row)):
                begin = None if unbroken else begin
            elif row.ends_press and begin is not None:
                typed |= {n for n in range(begin, at + unbroken) if self._is_own(n)}
                begin = None
            elif row.begins_press:
                begin = at
        return typed

    # --- announcements ------------------------------------------------------------------------

    def _announced(self) -> int | None:
        """Mark what announces a quotation, and what it announces.

        Returns where the first certain announcement before marked rows begins.
        """
        first: int | None = None
        # What looks like an announcement in such a press was written to another player.
        framed = self._press(unbroken=True)
        at = 0
        while at < len(self.rows):
            if not self._is_own(at) or self.rows[at].is_blank or at in framed:
                at += 1
                continue
            found = self._announcement_at(at)
            if found is None:
                if self._stands_above_judge(at):
                    self.owners[at] = Owner.JUDGE
                at += 1
                continue
            end, is_certain, may_be_rest = found
            self._mark_bars(end)
            behind = next((n for n in range(end, len(self.rows)) if self._counts(n)), None)
            is_other = behind is not None and self.owners[behind] is Owner.QUOTE
            known = None if is_other else self._known(end)
            if known is not None:
                self._take(at, known, Owner.JUDGE)
                is_marked = self.rows[known].is_quoted
                first = at if first is None and is_certain and is_marked else first
                at = known
            elif is_other or (behind is not None and self.rows[behind].is_quoted):
                # Of a message that is much like a known one, marks tell what is quoted.
                self._take(at, end, Owner.QUOTE)
                first = at if first is None and is_certain else first
                at = end
            elif may_be_rest and (is_certain or self._has_footprint(end)):
                self._take_rest(at)
                return first
            else:
                at += 1
        self._take_below_heading()
        return first

    def _stands_above_judge(self, at: int) -> bool:
        """Whether a row that ends with a colon stands directly above words of the judge."""
        row = self.rows[at]
        behind = next((n for n in range(at + 1, len(self.rows)) if self._counts(n)), None)
        is_above = behind is not None and self.owners[behind] is Owner.JUDGE
        return is_above and row.bare.endswith((":", "：")) and not row.is_said

    def _known(self, start: int) -> int | None:
        """Where a message that is known begins below an announcement; None if none does.

        Of another message of the judge much would be the same, and much would not.
        """
        if Owner.JUDGE not in self.owners[start:]:
            return None
        below = [n for n in range(start, len(self.rows)) if self._counts(n)]
        judges = [n for n in below if self.owners[n] is Owner.JUDGE]
        if not judges:
            return None
        within = [n for n in below if n <= judges[-1]]
        strange = sum(self._is_own(n) for n in within)
        most = max(_STRANGE if self.is_to_end else 1, len(within) // _MOST_STRANGE)
        return judges[0] if strange <= most else None

    def _counts(self, at: int) -> bool:
        return not (self.rows[at].is_blank or self.rows[at].is_rule)

    def _announcement_at(self, at: int) -> tuple[int, bool, bool] | None:
        """The row behind an announcement, whether it is certain, and whether it needs no marks."""
        if self.rows[at].is_said or self.rows[at].is_signon:
            return None
        if end := self._header_block(at):
            return end, True, True
        if self._is_divider(at):
            # A header block may stand below, or the mail itself.
            return self._header_block(at + 1) or at + 1, True, True
        return self._attribution(at)

    def _attribution(self, at: int) -> tuple[int, bool, bool] | None:
        weak: tuple[int, bool, bool] | None = None
        joined = ""
        taken = 0
        for end in range(at, len(self.rows)):
            row = self.rows[end]
            is_open = joined.count("<") > joined.count(">")
            if row.is_blank and is_open:
                continue
            stops = row.is_blank or row.is_said or row.is_signon or not self._is_own(end)
            # What stands directly above a drawn line or a header is the writer's.
            stops = stops or (end > at and (row.is_rule or self._header_block(end) is not None))
            if taken == _MOST_ROWS or (stops and not (is_open and row.is_quoted)):
                break
            joined, taken = f"{joined} {row.bare}".strip(), taken + 1
            if len(joined) > _MOST_CHARACTERS:
                break
            found = self._announces(joined)
            if found is True:
                return end + 1, True, True
            if found is False and (weak is None or joined.endswith((":", "："))):
                weak = end + 1, False, bool(_DATE.search(joined) or _ADDRESS.search(joined))
        return weak

    def _announces(self, text: str) -> bool | None:
        """Whether a text surely announces a quotation; None if it does not at all."""
        ends = text.endswith((":", "："))
        has_address, has_date = bool(_ADDRESS.search(text)), bool(_DATE.search(text))
        if not (ends or has_address or has_date):
            return None
        has_time = bool(_TIME.search(text))
        if has_address and (has_date or has_time) and _CLOSED.search(text):
            return True
        if ends and (has_date or has_time) and _WROTE.search(text):
            return True
        if ends and (has_address or has_date or has_time or _WROTE.search(text)):
            return False
        return False if has_date and (has_time or has_address) and text[-1] not in ".!?" else None

    def _header_block(self, at: int) -> int | None:
        """Where a block of header fields ends that begins at a row; None if none does.

        It has an address or a date: what players write above their press has neither.
        """
        fields = texts = 0
        has_mark = False
        end = at
        for n in range(at, min(at + _MOST_FIELDS, len(self.rows))):
            row = self.rows[n]
            is_field = bool(_FIELD.match(row.squeezed)) and not row.is_said and self._is_own(n)
            if not is_field:
                # A field may be broken, and stand apart from the next one by an empty row.
                texts += 1
                if texts > 1 or not fields or row.is_said or row.is_signon:
                    break
                continue
            texts = 0
            fields += 1
            end = n + 1
            has_mark |= bool(_ADDRESS.search(row.text) or _DATE.search(row.text))
        is_block = fields >= _ENOUGH_FIELDS and has_mark
        return end if is_block and not self._is_registration(at) else None

    def _is_registration(self, at: int) -> bool:
        """Whether the rows are those of somebody who registers."""
        above = (self.rows[n] for n in range(at - 1, -1, -1) if not self.rows[n].is_blank)
        for row in above:
            if row.bare.lower().startswith("register"):
                return True
            if ":" not in row.bare:
                return False
        return False

    def _is_divider(self, at: int) -> bool:
        row = self.rows[at]
        text = row.text.strip("* ")
        framed = bool(_FRAMED.fullmatch(text)) and bool(_DIVIDER.search(text))
        return framed or bool(_BEGIN_FORWARDED.match(row.bare))

    def _mark_bars(self, start: int) -> None:
        """Mark rows behind an announcement that all begin with a bar: some programs quote so."""
        at = start
        while at < len(self.rows) and (
            self.rows[at].is_blank or self.rows[at].raw.lstrip().startswith("|")
        ):
            if not self.rows[at].is_blank and self._is_own(at):
                self.owners[at] = Owner.QUOTE
            at += 1

    def _is_heading(self, row: Row) -> bool:
        text = row.bare[_marks(row) :]
        return bool(_HEAD.match(text)) or " ".join(words_of(text)) in row.words.headings

    def _know_by_headings(self) -> None:
        """Where a heading of the judge stands in a quotation, all of it is the judge's."""
        headings = frozenset(self._headings)
        for is_own, group in groupby(range(len(self.rows)), self._is_own):
            places = list(group)
            if not (is_own or headings.isdisjoint(places)):
                self.owners[places[0] : places[-1] + 1] = [Owner.JUDGE] * len(places)

    def _has_footprint(self, start: int) -> bool:
        return any(at >= start and self._is_own(at) for at in reversed(self._headings))

    @cached_property
    def _headings(self) -> tuple[int, ...]:
        """Where headings of the judge stand; a mail may have a thousand announcements."""
        return tuple(at for at, row in enumerate(self.rows) if self._is_heading(row))

    def _take_below_heading(self) -> None:
        """Without any announcement, a heading of the judge begins a quotation all the same."""
        typed = self._press()
        own = (n for n in self._headings if self._is_own(n) and n not in typed)
        at = next(own, None)
        if at is None:
            return
        while at > 0 and self._is_own(at - 1):
            above = self.rows[at - 1]
            if above.is_said or above.is_signon or above.ends_press:
                break
            at -= 1
        self._take_rest(at)

    def _take(self, start: int, end: int, owner: Owner) -> None:
        for at in range(start, end):
            if self._is_own(at):
                self.owners[at] = owner

    def _take_rest(self, at: int) -> None:
        while at > 0 and (self.rows[at - 1].is_blank or self.rows[at - 1].is_rule):
            at -= 1
        self._take(at, len(self.rows), Owner.QUOTE)

    # --- behind a quotation with marks ---------------------------------------------------------

    def _is_answer_above(self, first: int) -> bool:
        """Whether a signon and orders stand above the quotation, so that the mail ends there."""
        above = [self.rows[at] for at in range(first) if self._is_own(at) and self.rows[at].text]
        if len(above) < _ORDERS_ABOVE or not any(row.is_full_signon for row in above):
            return False
        behind = (self.rows[at] for at in range(first, len(self.rows)) if self._is_own(at))
        return not any(row.is_signoff or row.is_signon or row.ends_press for row in behind)

    def _mark_behind(self, first: int) -> list[Defect]:
        behind = [at for at in range(first, len(self.rows)) if self._is_own(at)]
        said = [self.rows[at] for at in behind if self.rows[at].is_said]
        for at in behind:
            self.owners[at] = Owner.QUOTE
        return [Defect(MailFlaw.AFTER_QUOTE, said[0].number)] if said else []


def _marks(row: Row) -> int:
    """How many characters of a row's bare text are marks of quotation."""
    found = re.match(r"(?:[>|]\s?|[A-Za-z]{1,4}>\s?)+", row.bare)
    return found.end() if found else 0
