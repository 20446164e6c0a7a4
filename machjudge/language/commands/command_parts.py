"""From the tree of a command line to the command: one method for each rule of the grammar."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lark import Token, Transformer, v_args

from machjudge.adjudicator.model.moments import Moment, Stage
from machjudge.language.commands import commands as c
from machjudge.language.commands.signon import NOTHING_BEHIND, name_in, read_sign_on, without_label
from machjudge.language.vocabulary.phases import read_phase, read_stage
from machjudge.language.vocabulary.said import Fault


@dataclass(frozen=True, slots=True)
class Wrong:
    """A command that is complete and cannot be meant, and where in the line the trouble is."""

    at: int
    reason: str
    fault: Fault = Fault.UNEXPECTED


@dataclass(frozen=True, slots=True)
class Fake:
    """To whom press is said to go."""

    shown_to: c.Audience


@dataclass(frozen=True, slots=True)
class NoFake:
    """Press must not be faked."""


@dataclass(frozen=True, slots=True)
class Since:
    """From when a history is wanted."""

    words: c.Words


@dataclass(frozen=True, slots=True)
class Until:
    """Until when a history is wanted."""

    words: c.Words


@dataclass(frozen=True, slots=True)
class Lines:
    """How much of a history is wanted."""

    number: Token


Option: TypeAlias = c.Audience | c.Tone | Fake | NoFake
Span: TypeAlias = Since | Until | Lines
_NUMBER = re.compile(r"[0-9]{1,6}")


def _arguments(
    method: Callable[..., object], _rule: str, children: Sequence[object], _meta: object
) -> object:
    """Give a method what its children mean: no keywords, only arguments."""
    return method(*(x for x in children if not isinstance(x, Token) or x.type in _ARGUMENTS))


_ARGUMENTS = ("ARG", "PLUS", "MINUS", "TEXT")


@v_args(wrapper=_arguments)
class Commands(Transformer[Token, c.Command | Wrong]):
    """Makes commands; what a command lacks has been refused by the grammar already."""

    def register(self, *_: Token) -> c.Register:
        """``register``."""
        return c.Register()

    def confirm(self, token: Token) -> c.Confirm:
        """``confirm TOKEN``."""
        return c.Confirm(str(token))

    def also_known(self, address: Token) -> c.AlsoKnown:
        """``i am also``."""
        return c.AlsoKnown(str(address))

    def sign_on(self, *words: Token) -> c.Command | Wrong:
        """``signon Lborgia secret``, ``signon L@borgia secret``, ``signon ?borgia secret``."""
        if words and name_in(words[0]).startswith("?"):
            return _join(words)
        found = read_sign_on(_plain(words))
        if found == NOTHING_BEHIND:
            return _without_password(words)
        return Wrong(_at(words[0]) if words else 0, found) if isinstance(found, str) else found

    def join(self, *words: Token) -> c.Command | Wrong:
        """``join ?borgia secret``."""
        return _join(words)

    def hello(self, *words: Token) -> c.Command | Wrong:
        """``hello Lborgia secret``: people greet with that word, so nothing may follow it."""
        found = self.sign_on(*words)
        if isinstance(found, c.SignOn) and (found.rest or found.others):
            return Wrong(_at(words[-1]), "nothing may follow the password")
        return found

    def sign_off(self) -> c.SignOff:
        """``signoff``."""
        return c.SignOff()

    def quit(self) -> c.SignOff:
        """``quit``."""
        return c.SignOff(has_quit=True)

    def observe(self, game: Token, password: Token) -> c.Observe:
        """``observe``."""
        return c.Observe(name_in(game).removeprefix("?"), str(password))

    def create(self, game: Token, password: Token, *wishes: Token) -> c.Create | Wrong:
        """``create ?borgia secret``, or ``create ? borgia secret``."""
        name = name_in(game).removeprefix("?")
        if name:
            return c.Create(name, str(password), _plain(wishes))
        if not wishes:
            return Wrong(_at(game), "write the name of the new game, as in ?borgia")
        return c.Create(name_in(password), str(wishes[0]), _plain(wishes[1:]))

    def become(self, *who: Token) -> c.Become:
        """``become``."""
        return c.Become(" ".join(who))

    def for_(self, *who: Token) -> c.Become:
        """``for``."""
        return c.Become(" ".join(who), own=True)

    def promote(self, address: Token) -> c.Promote:
        """``promote``."""
        return c.Promote(str(address))

    def eject(self, *who: Token) -> c.Eject:
        """``eject``."""
        return c.Eject(" ".join(who))

    def resign(self) -> c.Resign:
        """``resign``."""
        return c.Resign()

    def random_word(self, *word: Token) -> c.RandomWord:
        """``random``."""
        return c.RandomWord(" ".join(word))

    def force_begin(self) -> c.ForceBegin:
        """``force begin``."""
        return c.ForceBegin()

    def unstart(self) -> c.Unstart:
        """``unstart``."""
        return c.Unstart()

    def wait(self) -> c.Set:
        """``wait``, for ``set wait``."""
        return c.Set((c.Setting("wait"),))

    def nowait(self) -> c.Set:
        """``nowait``, for ``set nowait``."""
        return c.Set((c.Setting("wait", on=False),))

    def ready(self) -> c.Ready:
        """``ready``."""
        return c.Ready()

    def pause(self) -> c.Pause:
        """``pause``."""
        return c.Pause()

    def resume(self) -> c.Resume:
        """``resume``."""
        return c.Resume()

    def terminate(self) -> c.Terminate:
        """``terminate``."""
        return c.Terminate()

    def declare_victory(self, *powers: Token) -> c.Declare:
        """``declare victory``."""
        return c.Declare(_plain(powers))

    def declare_draw(self, *powers: Token) -> c.Declare:
        """``declare draw``."""
        return c.Declare(_plain(powers), draw=True)

    def process(self, *words: Token) -> c.Process | Wrong:
        """``process``, with a phase or a token."""
        phase = read_phase(words) if words else None
        if phase is not None or not words:
            return c.Process(phase)
        if len(words) == 1:
            return c.Process(token=str(words[0]))
        phase = read_phase(words[:-1])
        return _no_phase(words) if phase is None else c.Process(phase, str(words[-1]))

    def preview(self) -> c.Preview:
        """``preview``."""
        return c.Preview()

    def nudge(self) -> c.Nudge:
        """``nudge``."""
        return c.Nudge()

    def rollback(self, *words: Token) -> c.Rollback | Wrong:
        """``rollback``."""
        phase = read_phase(words) if words else None
        return c.Rollback(phase) if phase is not None or not words else _no_phase(words)

    def phase(self, *words: Token) -> c.Phase | Wrong:
        """``phase``."""
        phase = _phase_or_kind(words)
        return _no_phase(words) if phase is None else c.Phase(phase)

    def if_(self, *condition: Token) -> c.If:
        """``if``."""
        return c.If(_plain(condition))

    def else_(self, *_: Token) -> c.Else:
        """``else``."""
        return c.Else()

    def else_if(self, *condition: Token) -> c.If:
        """``else if``."""
        return c.If(_plain(condition), otherwise=True)

    def end_if(self, *_: Token) -> c.EndIf:
        """``endif``."""
        return c.EndIf()

    def clear(self, *words: Token) -> c.Clear | Wrong:
        """``clear``."""
        said = " ".join(words).lower()
        named = next((each for each in c.Cleared if each.value == said), None)
        what = named or _phase_or_kind(words)
        if what is None:
            return Wrong(_at(words[0]), "clear a phase such as S1455M, or later, standing or all")
        return c.Clear(what)

    def restore(self, *words: Token) -> c.Restore | Wrong:
        """``restore``."""
        later = len(words) > 1 and words[0].lower() == "later"
        rest = words[1:] if later else words
        if len(rest) != 1 or not _NUMBER.fullmatch(rest[0]):
            return Wrong(_at(rest[0]), "which set? write its number, as in restore 3")
        return c.Restore(int(rest[0]), later)

    def order_sets(self) -> c.OrderSets:
        """``history orders``."""
        return c.OrderSets()

    def dry(self) -> c.Dry:
        """``dry``."""
        return c.Dry()

    def help_(self, *topic: Token) -> c.Help:
        """``help``."""
        return c.Help(" ".join(topic))

    def get(self, file: Token, *rest: Token) -> c.Get:
        """``get``."""
        return c.Get(str(file), _plain(rest))

    def send_token(self, game: Token) -> c.SendToken:
        """``send token``."""
        return c.SendToken(str(game))

    def revoke_tokens(self, *_: Token) -> c.RevokeTokens:
        """``revoke tokens``."""
        return c.RevokeTokens()

    def list_(self, *game: Token) -> c.List:
        """``list``."""
        return c.List(" ".join(game))

    def list_all(self, *_: Token) -> c.List:
        """``games``."""
        return c.List("games")

    def list_full(self, *game: Token) -> c.List:
        """``list full``."""
        return c.List(" ".join(game), full=True)

    def history(self, *parts: Token | Span) -> c.History | Wrong:
        """``history``."""
        lines = next((part.number for part in parts if isinstance(part, Lines)), None)
        if lines is not None and not _NUMBER.fullmatch(lines):
            return Wrong(_at(lines), "how many lines? write a number")
        return c.History(
            " ".join(part for part in parts if isinstance(part, Token)),
            next((part.words for part in parts if isinstance(part, Since)), ()),
            next((part.words for part in parts if isinstance(part, Until)), ()),
            None if lines is None else int(lines),
        )

    def since(self, *words: Token) -> Since:
        """``from monday``."""
        return Since(_plain(words))

    def until(self, *words: Token) -> Until:
        """``to friday``."""
        return Until(_plain(words))

    def lines(self, number: Token) -> Lines:
        """``lines 100``."""
        return Lines(number)

    def summary(self, *game: Token) -> c.Summary:
        """``summary``."""
        return c.Summary("".join(game))

    def who(self, *words: Token) -> c.Who:
        """``who``."""
        return c.Who(_plain(words))

    def who_is(self, *words: Token) -> c.Who:
        """``whois``."""
        return c.Who(("is", *_plain(words)))

    def map_(self, *words: Token) -> c.Map:
        """``map``."""
        return c.Map(_plain(words))

    def version(self, *_: Token) -> c.Version:
        """``version``."""
        return c.Version()

    def player(self, *who: Token) -> c.PlayerRecord:
        """``info player``, by an address or a name."""
        return c.PlayerRecord(" ".join(who))

    def ping(self, *_: Token) -> c.Ping:
        """``ping``."""
        return c.Ping()

    def press(self, *options: Option) -> c.Press | Wrong:
        """``press``, which must say to whom."""
        if not any(isinstance(option, c.Audience) for option in options):
            return Wrong(0, "say to whom: press to LM, press to all but L, or broadcast")
        return _press(options)

    def broadcast(self, *options: Option) -> c.Press:
        """``broadcast``."""
        return _press(options)

    def everybody(self) -> c.Audience:
        """``to all``."""
        return c.EVERYBODY

    def some(self, *names: Token) -> c.Audience:
        """``to L, M``, ``+LM``."""
        return c.Audience(_names(names))

    def all_but(self, *names: Token) -> c.Audience:
        """``to all but L``, ``-L``."""
        return c.Audience(_names(names), all_but=True)

    def signed(self) -> c.Tone:
        """``white``."""
        return c.Tone.SIGNED

    def anonymous(self) -> c.Tone:
        """``grey``."""
        return c.Tone.ANONYMOUS

    def no_fake(self) -> NoFake:
        """``no fake``."""
        return NoFake()

    def fake_broadcast(self) -> Fake:
        """``fake broadcast``."""
        return Fake(c.EVERYBODY)

    def fake(self, audience: c.Audience) -> Fake:
        """``fake to LM``."""
        return Fake(audience)

    def postal(self) -> c.PostalPress:
        """``postal press``."""
        return c.PostalPress()

    def postal_list(self) -> c.PostalPress:
        """``postal list``."""
        return c.PostalPress(c.NoteAction.LIST)

    def postal_read(self, number: Token) -> c.Command | Wrong:
        """``postal read 1``."""
        return _numbered(c.PostalPress, c.NoteAction.READ, number)

    def postal_delete(self, number: Token) -> c.Command | Wrong:
        """``postal delete 1``."""
        return _numbered(c.PostalPress, c.NoteAction.DELETE, number)

    def end_press(self) -> c.EndPress:
        """``endpress``."""
        return c.EndPress()

    def diary(self) -> c.Diary:
        """``diary record``."""
        return c.Diary(c.NoteAction.RECORD)

    def diary_list(self) -> c.Diary:
        """``diary list``."""
        return c.Diary(c.NoteAction.LIST)

    def diary_read(self, number: Token) -> c.Command | Wrong:
        """``diary read 3``."""
        return _numbered(c.Diary, c.NoteAction.READ, number)

    def diary_delete(self, number: Token) -> c.Command | Wrong:
        """``diary delete 3``."""
        return _numbered(c.Diary, c.NoteAction.DELETE, number)


def _join(words: Sequence[Token]) -> c.Join | Wrong:
    """``signon ?borgia secret``; ``? borgia secret`` may be the game or a password."""
    password, *wishes = without_label(words[1:]) or ("",)
    if not password:
        return _without_password(words)
    return c.Join(name_in(words[0])[1:], str(password), _plain(wishes))


def _at(word: Token) -> int:
    return word.start_pos or 0


def _without_password(words: Sequence[Token]) -> Wrong:
    end = _at(words[-1]) + len(words[-1])
    return Wrong(end, NOTHING_BEHIND, Fault.INCOMPLETE)


def _plain(words: Sequence[str]) -> c.Words:
    return tuple(map(str, words))


def _phase_or_kind(words: Sequence[Token]) -> Moment | Stage | None:
    """One phase, or behind ``every`` a kind of phase."""
    if words and words[0].lower() in ("every", "each"):
        return read_stage(words[1:])
    return read_phase(words)


def _no_phase(words: Sequence[Token]) -> Wrong:
    return Wrong(_at(words[0]), "write the phase as in S1455M or spring 1455 movement")


def _numbered(
    of: type[c.PostalPress] | type[c.Diary], act: c.NoteAction, number: Token
) -> c.PostalPress | c.Diary | Wrong:
    if not _NUMBER.fullmatch(number):
        return Wrong(_at(number), "entries have numbers, as in diary read 3")
    return of(act, int(number))


def _names(words: Sequence[Token]) -> c.Words:
    """The names in a list: parted by spaces, commas or "and", with or without a sign before."""
    pieces = [piece for word in words for piece in word.lstrip("+-").split(",")]
    return tuple(piece for piece in pieces if piece and piece.lower() not in ("and", "&"))


def _press(options: Sequence[Option]) -> c.Press:
    """Of what is said twice the last counts."""
    press = c.Press(c.EVERYBODY)
    for option in options:
        match option:
            case c.Audience():
                press = replace(press, to=option)
            case c.Tone():
                press = replace(press, tone=option)
            case Fake():
                press = replace(press, shown_to=option.shown_to, no_fake=False)
            case NoFake():
                press = replace(press, shown_to=None, no_fake=True)
    return press
