"""Names and passwords of people, and the seats that passwords open."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from itertools import count

import structlog

from machjudge.judge.ports import Services
from machjudge.judge.records import AddressStanding, Game, Person, PersonId, Role, Seat
from machjudge.language.commands import name_in, spellings
from machjudge.map_files.folders import Atlas
from machjudge.map_files.toml_reader import BrokenMap
from machjudge.messages.layout import one_line
from machjudge.translatable import Message

MASTER, OBSERVER, FORMING = "M", "O", "?"
"""The letters of a signon that stand for no power."""

# Who is speaking: persons by their addresses, seats by their letter and password. A wrong
# password, a game that does not exist and a seat that nobody has get the same answer, and take
# the same time.
LONGEST_NAME = 40
LONGEST_PASSWORD = 64
_PASSWORD = re.compile(r"[!-~]{3,64}")

MAX_SEATS_TRIED = 5
"""Observers' seats that a password is compared with."""

NOT_OPENED = Message("game.not_opened")
"""The answer to every failed signon, whatever the reason."""


def clean_name(text: str) -> str:
    """Return a public name: one line, no control characters, limited length."""
    return one_line(text)[:LONGEST_NAME].strip()


def plain_password(typed: str) -> str:
    """Return a new password without surrounding stops and quotes."""
    return name_in(typed)


def password_flaw(password: str) -> Message | None:
    """Return why it cannot be a password, or nothing."""
    if _PASSWORD.fullmatch(password):
        return None
    return Message("game.password", most=LONGEST_PASSWORD)


def new_person(services: Services, address: str, name: str, now: datetime) -> Person:
    """Return a new person; their address is only claimed, where that counts."""
    return Person(
        id=PersonId(services.chance.token()),
        name=clean_name(name),
        addresses=(address.lower(),),
        zone=services.judge.zone,
        registered=now,
        standing=AddressStanding.CLAIMED if services.judge.confirm else AddressStanding.CONFIRMED,
    )


def open_seat(
    services: Services, game: Game | None, letter: str, password: str, own: Seat | None
) -> Seat | None:
    """Return the seat that letter and password open, or None.

    *own*, the seat of the sender's address, is tried first.  While a game forms, its players are
    known by their addresses only.  Old passwords open no abandoned seat.  The password is tried as
    typed, and without stops or quotes.  Of many observers only the first few are tried, as each
    takes time.
    """
    seats = list(_candidates(game, letter, own)) if game is not None else []
    for seat in seats[:MAX_SEATS_TRIED]:
        if is_right(services, seat.password, password):
            return seat
    if not seats:
        # As long as with a seat, so that the time tells nothing.
        is_right(services, None, password)
    return None


def remembered_seat(
    services: Services, game: Game | None, letter: str, password: str, own: Seat | None
) -> Seat | None:
    """Return the seat that they open for sure, without a hash; None if unknown."""
    seat = next(iter(_candidates(game, letter, own)), None) if game is not None else None
    if seat is None:
        return None
    known = (services.passwords.is_cached(seat.password, each) for each in spellings(password))
    return seat if any(known) else None


def is_right(services: Services, hashed: str | None, password: str) -> bool:
    """Return True if a password fits a hash, as typed or without stops and quotes."""
    return any(services.passwords.is_right(hashed, each) for each in spellings(password))


def _candidates(game: Game, letter: str, own: Seat | None) -> Iterator[Seat]:
    number = own.number if own is not None else None
    for seat in sorted(game.seats, key=lambda seat: (seat.number != number, seat.number)):
        is_known = letter != FORMING or seat.number == number
        if seat.person is not None and is_known and is_called(seat, letter):
            yield seat


def is_called(seat: Seat, letter: str) -> bool:
    """Return True if a signon with that letter means the seat."""
    match seat.role:
        case Role.PLAYER:
            return letter in seat.powers or letter == FORMING
        case Role.MASTER:
            return letter == MASTER
        case Role.OBSERVER:
            return letter == OBSERVER


def with_seat(game: Game, seat: Seat) -> Game:
    """Return the game with a seat, or an unconfirmed one, added or replaced by number."""
    if [each for each in game.seats if each is seat]:
        return game
    if any(claim.number == seat.number for claim in game.claims):
        return with_claim(game, seat)
    others = {old.number: old for old in game.seats} | {seat.number: seat}
    return replace(game, seats=tuple(others[number] for number in sorted(others)))


def with_claim(game: Game, claim: Seat) -> Game:
    """Return the game with an unconfirmed seat added or replaced, by number."""
    others = {old.number: old for old in game.claims} | {claim.number: claim}
    return replace(game, claims=tuple(others[number] for number in sorted(others)))


def without_claims(game: Game, numbers: Collection[int]) -> Game:
    """Return the game without some of the unconfirmed seats."""
    return replace(game, claims=tuple(each for each in game.claims if each.number not in numbers))


def next_number(game: Game) -> int:
    """Return the number for a new seat."""
    return max((seat.number for seat in (*game.seats, *game.claims)), default=0) + 1


# Whether two names look alike (Unicode Technical Standard 39, section 4: confusables). Signs that
# look alike come from the Unicode table in the library. Beyond that, case, accents, spaces and
# punctuation make no difference here: in a header nobody sees them.
_MARKS = frozenset({"Mn", "Mc", "Me"})
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


@lru_cache(maxsize=20_000)
def skeletons(name: str) -> frozenset[str]:
    """Return the keys of a name: two names look alike if they share one.

    As written, in capitals and in lower case, because ``l`` looks like the capital ``I`` only.  A
    name without any letter or digit has none.
    """
    spelt = (name, name.upper(), name.lower())
    return frozenset(found for each in spelt if (found := _skeleton(each)))


def unseen_signs(name: str) -> bool:
    """Return True for invisible signs, and those that turn the direction of the text."""
    return any(unicodedata.category(each) in _UNSEEN or each in _FILLERS for each in name)


def without_unseen(name: str) -> str:
    """Return the name without invisible signs."""
    return "".join(each for each in name if not unseen_signs(each))


def _skeleton(name: str) -> str:
    plain = unicodedata.normalize("NFKD", without_unseen(name))
    bare = "".join(each for each in plain if unicodedata.category(each) not in _MARKS)
    once = "".join(map(_prototype, bare)).casefold()
    return "".join(each for each in map(_prototype, once) if each.isalnum())


@lru_cache(maxsize=4096)
def _prototype(sign: str) -> str:
    """The table's replacement of a sign, or itself.

    The table goes both ways: a sign with one entry is written like that entry, one with several is
    what the others are written like.
    """
    found = _similar(sign)
    if len(found) != 1:
        return sign
    (other,) = found
    back = _similar(other)
    is_pair = back == (sign,) and len(other) == 1
    return min(sign, other) if is_pair else other


def _similar(sign: str) -> tuple[str, ...]:
    # Its table takes long to load, and most processes compare no names.
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415

    return tuple(each["c"].replace("\u200e", "") for each in confusables_data.get(sign, ()))


log = structlog.get_logger(__name__)

OFFICES = (
    *("master", "the master", "game master", "the game master", "gm", "the gm", "co-master"),
    *("moderator", "the moderator", "judge", "the judge", "keeper", "the keeper"),
    *("judge keeper", "the judge keeper", "admin", "administrator", "postmaster", "root"),
    *("mailer-daemon", "observer", "the observer", "observers", "player", "the player", "players"),
    *("all", "everybody", "everyone", "nobody", "somebody", "anonymous", "broadcast", "you"),
)
"""Names that read like an office, or like nobody in particular."""
_STAND_IN = "Guest"
_BRACKETED = re.compile(r"[(\[{<（［｛〈][^)\]}>）］｝〉]*[)\]}>）］｝〉]?|[)\]}>）］｝〉]")


class Names:
    """The names that are taken: offices, powers of every scenario, and other people's.

    :param code: the judge's code, as in subjects.
    :param people: the names of all registered people but the asker.
    """

    def __init__(self, atlas: Atlas, code: str, people: Iterable[str]) -> None:
        self._offices = _all_skeletons((*OFFICES, code, f"{code} judge"))
        self._powers = _all_skeletons(_powers(atlas))
        self._people = _all_skeletons(people)

    def flaw(self, name: str) -> Message | None:
        """Return why the name is not allowed; None if it is."""
        if unseen_signs(name):
            return Message("game.name.unseen")
        if _BRACKETED.search(name) is not None:
            return Message("game.name.brackets")
        own = skeletons(name)
        if not own or not any(each.isalpha() for each in name):
            return Message("game.name.no_letters")
        if own & self._offices:
            return Message("game.name.office", name=name)
        if own & self._powers:
            return Message("game.name.power", name=name)
        if own & self._people:
            return Message("game.name.taken", name=name)
        return None

    def nearest(self, wanted: str, address: str) -> str:
        """Return a free name: the wanted one, with a number, or made from the address."""
        return next(name for name in self._candidates(wanted, address) if self.flaw(name) is None)

    def _candidates(self, wanted: str, address: str) -> Iterator[str]:
        plain = clean_name(_BRACKETED.sub(" ", without_unseen(wanted)))
        local = clean_name(without_unseen(address.partition("@")[0].partition("+")[0]))
        yield plain
        if skeletons(plain) & self._people and not skeletons(plain) & self._reserved:
            yield from (_numbered(plain, number) for number in range(2, 100))
        yield local.title()
        base = local.title() if not skeletons(local) & self._reserved else _STAND_IN
        yield from (_numbered(base or _STAND_IN, number) for number in range(2, 100))
        yield from (_numbered(_STAND_IN, number) for number in count(1))

    @property
    def _reserved(self) -> frozenset[str]:
        return self._offices | self._powers


def _numbered(name: str, number: int) -> str:
    return f"{name[: LONGEST_NAME - 12].strip()} {number}"


def _all_skeletons(names: Iterable[str]) -> frozenset[str]:
    return frozenset(each for name in names for each in skeletons(name))


def _powers(atlas: Atlas) -> Iterator[str]:
    for each in atlas.scenario_ids():
        try:
            scenario = atlas.scenario(each)
        except BrokenMap:
            log.warning("scenario.broken", scenario=each)
            continue
        for power in scenario.powers.values() if scenario is not None else ():
            yield from (power.name, power.adjective, power.id, *power.aliases)
            yield from (own[power.name] for own in atlas.names.values() if power.name in own)
