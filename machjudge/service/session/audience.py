"""Who is meant by the words behind ``press to``, and by the names of powers elsewhere."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.scenario import Power, Scenario
from machjudge.language import Ambiguous, Problem, read_readers
from machjudge.language.commands.audience import Reader, nearest_power
from machjudge.language.commands.audience import ReaderRole as Side
from machjudge.language.commands.commands import Audience
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.letters.page.press import EVERYBODY, UNNAMED, UNTOLD, Aim
from machjudge.sentence import Name, Sentence, Wording
from machjudge.service.game.registry import MASTER, OBSERVER
from machjudge.service.model.records import Game, Readership, Role, Seat

_WORDS = {
    "master": MASTER,
    "gm": MASTER,
    "moderator": MASTER,
    "observer": OBSERVER,
    "observers": OBSERVER,
}
_SIDES = {each.value: each for each in Side}
_ALL = frozenset({"all", "everybody", "everyone"})
_FILLERS = frozenset({"and", "the", "to", ","})


@dataclass(frozen=True, slots=True)
class Meant:
    """Whom an audience means."""

    aim: Aim
    named: tuple[Reader, ...] = ()
    """Those who were named, in the order of the scenario, observers and master last."""
    all_but: bool = False
    seat: int | None = None
    """The number of the only seat that is meant; then nobody is named."""

    @property
    def is_unnamed(self) -> bool:
        """Whether nobody but the judge knows who is meant."""
        return self.aim == UNNAMED

    @property
    def readers(self) -> Readership:
        """The same as it is kept."""
        return Readership(letters_of(self.named), self.all_but)

    @property
    def is_master(self) -> bool:
        """Whether the master alone was named."""
        return not self.all_but and self.named == (Side.MASTER,)

    @property
    def names_master(self) -> bool:
        """Whether the master was named as a reader."""
        return not self.all_but and Side.MASTER in self.named

    def seats(self, game: Game, sender: Seat) -> tuple[Seat, ...]:
        """The taken seats that are meant; never the sender's own.

        One that is not named is meant even if nobody holds it: that would tell which it is.
        """
        if self.seat is not None:
            only = (seat for seat in game.seats if seat.number == self.seat != sender.number)
            return tuple(seat for seat in only if seat.person is not None or self.is_unnamed)
        return tuple(
            seat
            for seat in game.seats
            if seat.number != sender.number
            and seat.person is not None
            and (self._names(seat) is not self.all_but)
        )

    def _names(self, seat: Seat) -> bool:
        match seat.role:
            case Role.PLAYER:
                return bool(set(seat.powers) & set(self.named))
            case Role.MASTER:
                return Side.MASTER in self.named
            case Role.OBSERVER:
                return Side.OBSERVERS in self.named


def meant_by(scenario: Scenario, audience: Audience) -> Meant | Sentence:
    """Whom an audience means; or why that is not clear."""
    names = _without_fillers(audience.names)
    if audience.all_but and not names:
        return Meant(EVERYBODY, all_but=True)
    if not audience.all_but and names and all(name.lower() in _ALL for name in names):
        return Meant(EVERYBODY, all_but=True)
    found = read_readers(names, lexicon_of(scenario))
    match found:
        case Problem(found=word):
            near = nearest_power(word, lexicon_of(scenario))
            return Sentence(
                "session.no_reader", word=word, near=near, powers=", ".join(scenario.in_play)
            )
        case Ambiguous(text=text, candidates=some):
            called, letters = zip(*((each.name, each.id) for each in some), strict=True)
            return Sentence("session.may_be", word=text, names=called, letters=letters)
        case tuple():
            return _meant(scenario, found, all_but=audience.all_but)


def no_power(scenario: Scenario, word: str) -> Sentence:
    """That a word names no power, with the nearest name."""
    near = nearest_power(word, lexicon_of(scenario))
    return Sentence("session.no_power", word=word, near=near)


def _meant(scenario: Scenario, found: Sequence[Reader], *, all_but: bool) -> Meant | Sentence:
    out = [each for each in found if not isinstance(each, Side) and each not in scenario.in_play]
    if out:
        return Sentence("session.power_not_played", power=scenario.powers[out[0]].name)
    order: tuple[Reader, ...] = (*scenario.in_play, Side.OBSERVERS, Side.MASTER)
    named = tuple(each for each in order if each in found)
    return Meant(aim_of(scenario, Readership(letters_of(named), all_but)), named, all_but)


def letters_of(readers: Iterable[Reader]) -> tuple[str, ...]:
    """The letters by which readers are known."""
    return tuple(each.value if isinstance(each, Side) else each for each in readers)


def aim_of(scenario: Scenario, readers: Readership) -> Aim:
    """A readership in words."""
    if not readers.named:
        return EVERYBODY if readers.all_but else UNTOLD
    names = tuple(_called_reader(scenario, each) for each in readers.named)
    words = Sentence("press.readers", names=names)
    tag = "".join(readers.named)
    if readers.all_but:
        return Aim(Sentence("press.all_but", names=words), Sentence("press.all_but_tag", tag=tag))
    return Aim(words, tag)


def _called_reader(scenario: Scenario, reader: str) -> Wording:
    if reader in _SIDES:
        return Sentence(f"press.side.{_SIDES[reader].name.lower()}")
    power = scenario.powers.get(PowerId(reader))
    return Name(power.name if power else reader, scenario.board.names)


def powers_meant(scenario: Scenario, names: Sequence[str]) -> tuple[PowerId, ...] | str:
    """The powers that words mean, in the order of the scenario, or the word that means none.

    Empty words mean no power: the answer is an empty word.
    """
    found: set[str] = set()
    for word in _words(names):
        letters = _letters(scenario, word)
        if letters is None or not letters <= set(scenario.in_play):
            return word
        found.update(letters)
    return tuple(power for power in scenario.in_play if power in found) or ""


def _without_fillers(words: Sequence[str]) -> list[str]:
    """The names among words; ``the game master`` is one."""
    plain = [word.lower() for word in words]
    is_master = plain[-2:] == ["game", "master"]
    named = [*words[:-2], words[-1]] if is_master else words
    return [word for word in named if word.lower() not in _FILLERS]


def _words(names: Sequence[str]) -> list[str]:
    words = [word for name in names for word in name.replace(",", " ").split()]
    return _without_fillers(words)


def _letters(scenario: Scenario, word: str) -> frozenset[str] | None:
    """The letters of the seats that a word means; nothing if it means none.

    An exact name comes first, then letters run together, then the beginning of a name; small
    letters are taken for the beginning of a name before they are taken one by one.
    """
    plain = word.lower()
    if plain in _WORDS:
        return frozenset({_WORDS[plain]})
    exact = [p.id for p in scenario.powers.values() if plain in _called(p)]
    if exact:
        return frozenset(exact)
    glued = frozenset(word.upper())
    if not glued <= {*scenario.in_play, MASTER, OBSERVER} or len(glued) < len(word):
        glued = frozenset()
    begun = lexicon_of(scenario).power(word)
    named = frozenset({begun}) if isinstance(begun, str) else frozenset()
    return (glued or named or None) if word.isupper() else (named or glued or None)


def _called(power: Power) -> set[str]:
    return {name.lower() for name in (power.name, power.adjective, *power.aliases)}
