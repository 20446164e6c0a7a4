"""A ledger kept by somebody who reads the results mails and nothing else.

It knows the words of the letters and the rules of the bank; of the adjudicator it knows nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

SEASONS = ("Spring", "Summer", "Fall")

_DUCATS = r"(?P<ducats>\d+) ducats?"
_OF = r"(?: \(of \d+ ordered\))?"
_GIFT = re.compile(rf"(?:[Tt]he )?(?P<who>.+?) pays {_DUCATS} to (?:the )?(?P<to>.+?){_OF}\.")
_LOAN = re.compile(
    rf"(?:[Tt]he )?(?P<who>.+?) borrows {_DUCATS} for (?P<years>\d) years?, "
    r"(?P<interest>\d+) interest\."
)
_REPAID = re.compile(rf"(?:[Tt]he )?(?P<who>.+?) repays {_DUCATS} and (?P<interest>\d+) interest\.")
_COLLECTED = re.compile(
    rf"The bank collects {_DUCATS} and (?P<interest>\d+) interest from (?:[Tt]he )?(?P<who>.+?)\."
)
_RUINED = re.compile(
    r"(?:[Tt]he )?(?P<who>.+?) cannot pay \d+ ducats?: the bank takes (?P<ducats>\d+) and .*"
)
_SPENT = re.compile(rf"    {_DUCATS}{_OF}: .*")
_UPKEEP = re.compile(r"(?:maintains|builds) .*\((?P<ducats>\d+)d\)")
_TAXES = re.compile(r"taxes .* by force \((?P<ducats>\d+)d\)")
_LOST = re.compile(r"cannot .*; (?P<ducats>\d+) ducats? lost")
_GONE = re.compile(r"(?:[Tt]he )?(?P<who>.+) is eliminated\.")
_INCOME = re.compile(
    r"(?P<who>\S.*?): seas (\d+)d, provinces (\d+)d, cities (\d+)d, dice (\d+)d, sum (\d+)d, "
    r"now (\d+) ducats?"
)
_TREASURY = re.compile(r"(?P<who>\S.*?): [^:]*?, (?P<ducats>\d+) ducats?(?P<debts>, owes .*)?")
_DEBT = re.compile(r" *owes (?P<principal>\d+)\+(?P<interest>\d+)d(?: due (?P<due>\w+ \d+))?")
_STANDS = re.compile(r"\S.*?: \d+ cit")
_HEADING = re.compile(r"Results of (?P<season>\w+) (?P<year>\d+), \w+\.")

Debt = tuple[str, str]
"""Who owes, and when it is due."""


@dataclass
class Ledger:
    """The treasuries and debts of all powers, by their names, as far as the letters go."""

    treasuries: Counter[str] = field(default_factory=Counter)
    principal: Counter[Debt] = field(default_factory=Counter)
    interest: Counter[Debt] = field(default_factory=Counter)
    flaws: list[str] = field(default_factory=list)

    def open(self, lines: Sequence[str]) -> None:
        """Begin with an income table: it says what everybody has and owes, and until when."""
        self.treasuries = Counter({who: numbers[-1] for who, numbers in _told_incomes(lines)})
        for who, debts in _told_debts(lines).items():
            for principal, interest, due in debts:
                self.principal[who, due] = principal
                self.interest[who, due] = interest

    def read(self, letter: str, *others: str) -> list[str]:
        """Enter everything that a results mail says, and what does not add up."""
        self.flaws = []
        if not self.treasuries:
            return []
        sections = sections_of(letter)
        for sentence in _sentences(sections.get("MONEY", [])):
            self._enter(sentence, _campaign(letter))
        self._spend(sections.get("EXPENSES", []))
        self._winter(_adjustments([letter, *others]))
        for sentence in sections.get("POWERS", []):
            self._bury(sentence)
        self._income(sections.get("INCOME", []))
        self._compare(sections)
        return self.flaws

    # --- entries -------------------------------------------------------------------------------

    def _enter(self, sentence: str, now: tuple[str, int]) -> None:
        if found := _GIFT.fullmatch(sentence):
            self._take(found["who"], found["ducats"])
            self.treasuries[found["to"]] += int(found["ducats"])
        elif found := _LOAN.fullmatch(sentence):
            self._borrow(found, now)
        elif found := (_REPAID.fullmatch(sentence) or _COLLECTED.fullmatch(sentence)):
            self._repay(found)
        elif found := _RUINED.fullmatch(sentence):
            self._take(found["who"], found["ducats"])
            self._forget_debts(found["who"])

    def _spend(self, lines: Sequence[str]) -> None:
        """Expenses stand below the name of the person who pays for them, each with its sum."""
        who = ""
        for line in lines:
            if not line.startswith(" "):
                who = line
            elif paid := _SPENT.fullmatch(line):
                self._take(who, paid["ducats"])

    def _take(self, who: str, ducats: str) -> None:
        self.treasuries[who] -= int(ducats)
        if self.treasuries[who] < 0:
            self.flaws.append(f"{who} has {self.treasuries[who]} ducats")

    def _borrow(self, loan: re.Match[str], now: tuple[str, int]) -> None:
        """At 20 per cent for a year, at 50 for two, rounded up, due in the same season."""
        principal, interest = int(loan["ducats"]), int(loan["interest"])
        season, year = now
        years = int(loan["years"])
        if {1: (principal + 4) // 5, 2: (principal + 1) // 2}.get(years) != interest:
            self.flaws.append(f"in {season} {year}: {loan[0]}")
        debt = loan["who"], f"{season} {year + years}"
        self.treasuries[loan["who"]] += principal
        self.principal[debt] += principal
        self.interest[debt] += interest
        owed = sum(ducats for (who, _), ducats in self.principal.items() if who == loan["who"])
        if owed > 25:
            self.flaws.append(f"{loan['who']} owes {owed} ducats of principal")

    def _repay(self, paid: re.Match[str]) -> None:
        """The earliest debt is paid first, of each its interest before its principal."""
        debt = min(self._owed_by(paid["who"]), key=_when, default=(paid["who"], ""))
        self.principal[debt] -= int(paid["ducats"])
        self.interest[debt] -= int(paid["interest"])
        self._take(paid["who"], paid["ducats"])
        self._take(paid["who"], paid["interest"])
        if min(self.principal[debt], self.interest[debt]) < 0:
            self.flaws.append(f"more than owed: {paid[0]}")

    def _forget_debts(self, who: str) -> None:
        for debts in (self.principal, self.interest):
            for debt in [debt for debt in debts if debt[0] == who]:
                del debts[debt]

    def _winter(self, lines: Sequence[str]) -> None:
        """Upkeep and builds stand below the name of the person who pays for them."""
        who = ""
        for line in _unbroken(lines):
            act = line.strip()
            if not line.startswith(" "):
                who = act
            elif paid := (_UPKEEP.fullmatch(act) or _LOST.fullmatch(act)):
                self._take(who, paid["ducats"])
            elif taken := _TAXES.fullmatch(act):
                self.treasuries[who] += int(taken["ducats"])

    def _bury(self, sentence: str) -> None:
        if gone := _GONE.fullmatch(sentence):
            del self.treasuries[gone["who"]]
            self._forget_debts(gone["who"])

    def _income(self, lines: Sequence[str]) -> None:
        """Sea, provinces, cities and variable income add up to the sum."""
        for who, numbers in _told_incomes(lines):
            *sources, told, _ = numbers
            self.treasuries[who] += sum(sources)
            if sum(sources) != told:
                self.flaws.append(f"{who}: {sources} make {told}")

    # --- comparisons ---------------------------------------------------------------------------

    def _compare(self, sections: dict[str, list[str]]) -> None:
        """What the letter says in the end is what the ledger says."""
        incomes, table = sections.get("INCOME", []), _whole(sections.get("STANDING", []))
        told = dict(_told_treasuries(table))
        if told != dict(self.treasuries):
            self.flaws.append(f"the letter says {told}, the ledger {dict(self.treasuries)}")
        debts = _told_debts(table)
        for who in told:
            mine = self._debts(who, dated=bool(incomes))
            if mine != debts.get(who, []):
                self.flaws.append(f"{who} owes {mine} by the ledger, by the letter {debts}")

    def _debts(self, who: str, *, dated: bool) -> list[tuple[int, int, str]]:
        """The earliest first; only after Fall the letters say when they are due."""
        return [
            (self.principal[debt], self.interest[debt], debt[1] if dated else "")
            for debt in sorted(self._owed_by(who), key=_when)
        ]

    def _owed_by(self, who: str) -> set[Debt]:
        return {
            debt
            for debt in {*self.principal, *self.interest}
            if debt[0] == who and (self.principal[debt] or self.interest[debt])
        }


# --- reading ---------------------------------------------------------------------------------


def sections_of(letter: str) -> dict[str, list[str]]:
    """The lines of each section by its title in capitals; a section ends with an empty line."""
    sections: dict[str, list[str]] = {}
    title = ""
    for line in letter.splitlines():
        if not line.strip():
            title = ""
        elif title:
            sections[title].append(line)
        elif line.isupper():
            title = line
            sections[title] = []
    return sections


def _sentences(lines: Sequence[str]) -> Iterator[str]:
    """The sentences of a section; a long one is spread over several lines."""
    sentence = ""
    for line in lines:
        sentence = f"{sentence} {line.strip()}".strip()
        if sentence.endswith(".") and not sentence.endswith(" St."):
            yield sentence
            sentence = ""


def _adjustments(letters: Sequence[str]) -> list[str]:
    """What each power has built and kept, below its name; its own reader has that elsewhere."""
    told: dict[str, list[str]] = {}
    for sections in map(sections_of, letters):
        groups: dict[str, list[str]] = {}
        who = ""
        for line in (*sections.get("ADJUSTMENT", []), *sections.get("OTHER POWERS", [])):
            who = who if line.startswith(" ") else line
            groups.setdefault(who, []).append(line)
        told = groups | told
    return [line for lines in told.values() for line in lines]


def _unbroken(lines: Sequence[str]) -> list[str]:
    """The lines of the adjustment; what did not fit goes on with a deeper indent."""
    whole: list[str] = []
    for line in lines:
        if line.startswith("    "):
            whole[-1] += f" {line.strip()}"
        else:
            whole.append(line)
    return whole


def _campaign(letter: str) -> tuple[str, int]:
    found = _HEADING.search(letter)
    assert found is not None
    assert found["season"] in SEASONS
    return found["season"], int(found["year"])


def _whole(lines: Sequence[str]) -> list[str]:
    """The lines of the standing; what did not fit goes on in the next one."""
    whole: list[str] = []
    for line in lines:
        if _STANDS.match(line):
            whole.append(line)
        else:
            whole[-1] += f" {line.strip()}"
    return whole


def _told_incomes(lines: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    for line in lines:
        if found := _INCOME.fullmatch(line):
            yield found["who"], [int(number) for number in found.groups()[1:]]


def _told_treasuries(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    for line in lines:
        if found := _TREASURY.fullmatch(line):
            yield found["who"], int(found["ducats"])


def _when(debt: Debt) -> tuple[int, int]:
    season, year = debt[1].split()
    return int(year), SEASONS.index(season)


def _told_debts(lines: Sequence[str]) -> dict[str, list[tuple[int, int, str]]]:
    """What each power owes, below the line with its treasury."""
    debts: dict[str, list[tuple[int, int, str]]] = {}
    who = ""
    for line in lines:
        if found := _DEBT.fullmatch(line):
            debt = int(found["principal"]), int(found["interest"]), found["due"] or ""
            debts.setdefault(who, []).append(debt)
        elif found := (_INCOME.fullmatch(line) or _TREASURY.fullmatch(line)):
            who = found["who"]
            for owed in _DEBT.finditer(line):
                debt = int(owed["principal"]), int(owed["interest"]), owed["due"] or ""
                debts.setdefault(who, []).append(debt)
    return debts
