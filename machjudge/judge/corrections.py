"""The master's corrections of a position, and the removal of powers without a player (1978)."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.consistency import inconsistencies
from machjudge.adjudicator.events import (
    ChitsCorrected,
    CorrectionEvent,
    CreditCorrected,
    EliminationCorrected,
    Event,
    HomeCorrected,
    LoanCorrected,
    Marker,
    MarkerCorrected,
    OwnerCorrected,
    TreasuryCorrected,
    UnitCorrected,
)
from machjudge.adjudicator.evolve import evolve
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import Hold, Named
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import GARRISON, Kind, Unit
from machjudge.adjudicator.world import World
from machjudge.formats.game_file import correction_digest, sealing_key
from machjudge.judge.commands import MASTERS, NOT_PLAYED, command
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import GameView
from machjudge.judge.mail_context import MailContext, interlude
from machjudge.judge.outgoing import addressees, announce, sight_of
from machjudge.judge.records import OrderSet
from machjudge.language.commands import Fix
from machjudge.language.lexicon import Lexicon, Several, Unknown
from machjudge.language.orders import parse_order
from machjudge.language.words import fold, may_mean, read_campaign
from machjudge.mail_parser.lines import Line
from machjudge.messages.results import CORRECTIONS, correction_lines, is_marked, what_was
from machjudge.messages.wording import Words, messages_about
from machjudge.translatable import Message, MessageOrText


def place_named(lexicon: Lexicon, words: Sequence[str]) -> PlaceId | Message:
    """Return the place, or the error that the words name none or several."""
    text = " ".join(words)
    found = lexicon.place(fold(text))
    if isinstance(found, Several):
        return may_mean(text, found.candidates)
    return Message("language.no_place", found=text) if isinstance(found, Unknown) else found


# The correction that the words of a FIX mean, or why they mean none. What no game could have led
# to is refused, so that a slip of the pen makes no impossible position.
NOBODY = "nobody"
ALSO: Mapping[str, str] = {
    "chit": "chits",
    "credit": "default",
    "eliminated": "elimination",
    "loans": "loan",
}
_MARKERS = {marker.value: marker for marker in Marker}
_SIGN = r"[+＋\-−‐‑–—﹣－]"
"""A number behind one is a change."""
_NUMBER = re.compile(rf"({_SIGN}?)([0-9]{{1,6}})")
_SUM = re.compile(rf"(.*?)\s*(?<![^\W_])({_SIGN}?) ?([0-9]{{1,6}}) ?(?:d|ducats?)?", re.IGNORECASE)
_MAX = 999_999
"""The highest number in a position; six digits."""


def correction_meant(view: GameView, said: Fix, lexicon: Lexicon) -> CorrectionEvent | Message:
    """Return the correction, of one of the `KINDS`; or why there is none."""
    words = _Words(view, lexicon, said.said, said.because)
    event = _READERS[ALSO.get(said.what, said.what)](words)
    return event if isinstance(event, Message) else _impossible(view, event) or event


def _impossible(view: GameView, event: CorrectionEvent) -> Message | None:
    world, before = view.world, view.state
    old = set(inconsistencies(world, before))
    new = [each for each in inconsistencies(world, evolve(before, event)) if each not in old]
    says = next((each.says for each in new if not each.harmless), "")
    return Message("phases.fix.impossible", why=says) if says else None


@dataclass(frozen=True, slots=True)
class _Words:
    """The words between FIX and BECAUSE, and the position."""

    view: GameView
    lexicon: Lexicon
    said: tuple[str, ...]
    because: str

    def is_on(self) -> bool:
        """True without a leading NO."""
        return [word.lower() for word in self.said[:1]] != ["no"]

    def behind_no(self) -> tuple[str, ...]:
        return self.said if self.is_on() else self.said[1:]

    def power(self, words: Sequence[str]) -> PowerId | Message:
        found = self.lexicon.power(" ".join(words).lower()) if words else None
        power = next((p for p in self.view.world.in_play if p == found), None)
        if power is not None or not words:
            return power or Message("phases.fix.power_wanted")
        return Message("phases.fix.no_power", said=" ".join(words))

    def living(self, words: Sequence[str]) -> PowerId | Message:
        power = self.power(words)
        if isinstance(power, Message) or power not in self.view.state.eliminated:
            return power
        return Message("phases.fix.eliminated")

    def owner(self, words: Sequence[str]) -> PowerId | Message | None:
        return None if [word.lower() for word in words] == [NOBODY] else self.living(words)


def _is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None


def _apart(words: Sequence[str]) -> tuple[str, ...]:
    """The words with each sign joined to its number: ``+ 30`` is ``+30``."""
    return tuple(re.sub(rf"(?<!\S)({_SIGN}) (?=[0-9])", r"\1", " ".join(words)).split())


def _amount(said: str, before: int) -> int | Message:
    """The new number for *before*; with a sign it is a change."""
    found = _NUMBER.fullmatch(said)
    assert found is not None  # noqa: S101 (callers ask `_is_number` first)
    sign, number = found[1], int(found[2])
    change = number if sign in ("+", "＋") else -number
    meant = before + change if sign else number
    if 0 <= meant <= _MAX:
        return meant
    return Message("phases.fix.out_of_range", before=before, meant=meant, most=_MAX)


# --- money, chits ----------------------------------------------------------------------------


def _treasury(words: _Words) -> CorrectionEvent | Message:
    if not words.view.world.rules.game.money:
        return Message("phases.fix.no_money")
    found = _SUM.fullmatch(" ".join(words.said))
    if found is None:
        return Message("phases.fix.treasury")
    power = words.living(found[1].split())
    if isinstance(power, Message):
        return power
    ducats = _amount(found[2] + found[3], words.view.state.treasuries.get(power, 0))
    if isinstance(ducats, Message):
        return ducats
    return TreasuryCorrected(power, ducats, words.because)


def _loan(words: _Words) -> CorrectionEvent | Message:
    """``Florence 10 5 Spring 1456``: principal, interest, due; or all that is due then.

    ``Florence +10 Spring 1456`` leaves the interest as it is.
    """
    if not words.view.world.rules.money.loans:
        return Message("phases.fix.no_bank")
    said = _apart(words.said)
    named = tuple(takewhile(lambda word: not _is_number(word), said))
    numbers = tuple(takewhile(_is_number, said[len(named) :]))[:2]
    due = read_campaign(said[len(named) + len(numbers) :])
    if not numbers or due is None:
        return Message("phases.fix.loan")
    power = words.living(named)
    if isinstance(power, Message):
        return power
    owed = [loan for loan in words.view.state.loans if (loan.power, loan.due) == (power, due)]
    principal = _amount(numbers[0], sum(loan.principal for loan in owed))
    unsaid = "0" if numbers[0].isdecimal() else "+0"
    interest = _amount((*numbers[1:], unsaid)[0], sum(loan.interest for loan in owed))
    if isinstance(principal, Message):
        return principal
    if isinstance(interest, Message):
        return interest
    return LoanCorrected(power, due, principal, interest, words.because)


def _default(words: _Words) -> CorrectionEvent | Message:
    """``Florence``: the bank lends it nothing more; ``no Florence``: it does again."""
    if not words.view.world.rules.money.loans:
        return Message("phases.fix.no_bank")
    power = words.living(words.behind_no())
    if isinstance(power, Message):
        return power
    return CreditCorrected(power, words.is_on(), words.because)


def _chits(words: _Words) -> CorrectionEvent | Message:
    """``Florence Venice 1``: the holder, the target, the number of chits."""
    if not words.view.world.rules.money.assassinations:
        return Message("phases.fix.no_assassins")
    *named, said = [word for word in _apart(words.said) if word.lower() != "on"] or [""]
    if not _is_number(said):
        return Message("phases.fix.chits")
    for at in range(1, len(named)):
        power, victim = words.living(named[:at]), words.power(named[at:])
        if not isinstance(power, Message) and not isinstance(victim, Message):
            held = words.view.state.chits.get(power, ())
            count = _amount(said, held.count(victim))
            if isinstance(count, Message):
                return count
            most = len(words.view.world.in_play)
            if count > most:
                return Message("phases.fix.chits")
            return ChitsCorrected(power, victim, count, words.because)
    return Message("phases.fix.chits_of_two")


# --- units -----------------------------------------------------------------------------------


def _unit(words: _Words) -> CorrectionEvent | Message:
    said = words.said
    if len(said) < 2:  # noqa: PLR2004  an owner and a unit
        return Message("phases.fix.unit")
    owner = words.owner(said[:1])
    if isinstance(owner, Message):
        return owner
    parsed = parse_order(f"{' '.join(said[1:])} h", words.lexicon, Stage.CAMPAIGN).said
    named = parsed[0].unit if len(parsed) == 1 and isinstance(parsed[0], Hold) else None
    if named is None or named.kind is None:
        place = place_named(words.lexicon, said[2:]) if said[2:] else None
        return place if isinstance(place, Message) else Message("phases.fix.unit_letter")
    unit = Unit(owner, named.kind, named.place, named.coast) if owner is not None else None
    flaw = _space_flaw(words.view, named) if unit is not None else None
    if flaw is not None:
        return flaw
    return UnitCorrected(named.place, named.kind is Kind.GARRISON, unit, words.because)


def _space_flaw(view: GameView, named: Named) -> Message | None:
    world, place = view.world, named.place
    is_garrison = named.kind is Kind.GARRISON
    other = view.state.field if is_garrison else view.state.garrisons
    if place in world.venice and place in other:
        return Message("phases.fix.one_unit_there")
    if is_garrison:
        return None if world.holds_garrison(place) else Message("phases.fix.no_city_there")
    if named.kind is Kind.ARMY:
        return Message("phases.fix.no_army_at_sea") if world.place(place).is_sea else None
    spot = Spot(place, named.coast)
    return None if spot in world.board.fleet else Message("phases.fix.no_fleet_there")


# --- owners, markers -------------------------------------------------------------------------


def _owner(words: _Words) -> CorrectionEvent | Message:
    small = [word.lower() for word in words.said]
    kind = next((word for word in small if word in ("city", "province")), "")
    if not kind or small[0] == kind or small[-1] == kind:
        return Message("phases.fix.owner")
    at = small.index(kind)
    owner = words.owner(words.said[:at])
    if isinstance(owner, Message):
        return owner
    place = place_named(words.lexicon, words.said[at + 1 :])
    if isinstance(place, Message):
        return place
    in_city, world = kind == "city", words.view.world
    can_be_owned = place in world.cities if in_city else not world.place(place).is_sea
    if not can_be_owned:
        return Message("phases.fix.no_place", kind=kind)
    return OwnerCorrected(place, in_city, owner, words.because)


def _marker(words: _Words) -> CorrectionEvent | Message:
    small = [word.lower() for word in words.behind_no()]
    said = f"{' '.join(small)} "
    longest_first = sorted(_MARKERS, key=len, reverse=True)
    name = next((each for each in longest_first if said.startswith(f"{each} ")), "")
    behind = small[len(name.split()) :]
    if not name or not behind:
        return Message("phases.fix.marker", markers=tuple(_MARKERS))
    place = place_named(words.lexicon, behind)
    if isinstance(place, Message):
        return place
    marker, on = _MARKERS[name], words.is_on()
    if on and not _has_marker(words.view.world.rules, marker):
        return Message("phases.fix.not_played")
    state, in_city = words.view.state, marker is Marker.CITY_REBELLION
    owners = state.cities if in_city else state.provinces
    rebels = marker in (Marker.REBELLION, Marker.CITY_REBELLION)
    against = owners.get(place) if on and rebels else None
    return MarkerCorrected(place, marker, on, against, words.because)


def _has_marker(rules: Rules, marker: Marker) -> bool:
    """True if the rules allow it; sieges are checked by their cities."""
    if marker is Marker.FAMINE:
        return rules.disaster.famine
    return rules.game.money or marker is Marker.SIEGE


# --- powers ----------------------------------------------------------------------------------


def _home(words: _Words) -> CorrectionEvent | Message:
    """``Milan COUNTRY Florence``: Milan owns the home country of Florence, as a whole."""
    small = [word.lower() for word in words.said]
    if "country" not in small:
        return Message("phases.fix.home")
    at = small.index("country")
    by, world = words.owner(words.said[:at]), words.view.world
    if isinstance(by, Message):
        return by
    home = words.lexicon.power(" ".join(small[at + 1 :]))
    found = next((each for each in world.home_blocks if each == home), None)
    if found is None:
        return Message("phases.fix.no_home", said=" ".join(words.said[at + 1 :]))
    return HomeCorrected(found, world.scenario.powers[found].home, by, words.because)


def _elimination(words: _Words) -> CorrectionEvent | Message:
    """``Florence``: it is eliminated, and loses all it had; ``no Florence``: it is back."""
    power = words.power(words.behind_no())
    if isinstance(power, Message):
        return power
    if (power in words.view.state.eliminated) is words.is_on():
        return Message("phases.fix.already_out" if words.is_on() else "phases.fix.not_out")
    return EliminationCorrected(power, words.is_on(), words.because)


_READERS: Mapping[str, Callable[[_Words], CorrectionEvent | Message]] = {
    "treasury": _treasury,
    "unit": _unit,
    "owner": _owner,
    "marker": _marker,
    "home": _home,
    "loan": _loan,
    "default": _default,
    "chits": _chits,
    "elimination": _elimination,
}
KINDS = tuple(_READERS)


# What a master sets right in the position: stored as a phase of its own, with their reason. The
# orders on file stay there; the phase that is being played stays the same one.
@command("fix", act=Act.STEER, who=MASTERS, kind=Fix, about_phase=True, refused_in=NOT_PLAYED)
def fix(context: MailContext, line: Line, said: Fix) -> None:
    """Correct one thing, and tell everybody what and why."""
    view = context.playing()
    kind = ALSO.get(said.what, said.what)
    if _is_hidden(context, view, kind):
        context.refuse(line, Message("phases.fix.hidden"))
        return
    lexicon = context.lexicon(view.game)
    event = correction_meant(view, said, lexicon) if kind in KINDS else _NO_KIND
    if isinstance(event, Message):
        usage = Message(f"phases.usage.{kind if kind in KINDS else KINDS[0]}")
        context.refuse(line, event, instead=None if event.key in _CANNOT_BE else usage)
        return
    correct(context, view, [event])
    words = Words(view.world)
    for message in messages_about(CORRECTIONS, words, [event]):
        context.done(message)
    line_back = None
    if _may_see(context, view, event):
        context.done(what_was(words, view.state, event))
        line_back = _line_back(context, view, event)
    _name_line_back(context, view, line_back)
    _tell(context, view, event)


def _is_hidden(context: MailContext, view: GameView, kind: str) -> bool:
    """Return True for what a master who may play does not see of others: no refusal tells it."""
    sight = sight_of(view.game, [context.seat] if context.seat is not None else [])
    if not sight.as_player:
        return False
    of_units = sight.foggy or sight.hidden_kinds
    hidden = {"chits": True, "unit": of_units, "marker": sight.foggy}
    return hidden.get(kind, kind in _OF_MONEY and sight.hidden_money)


_OF_MONEY = frozenset({"treasury", "loan", "default", "elimination"})


def _name_line_back(context: MailContext, view: GameView, line: str | None) -> None:
    """Name the line that takes a correction back: without one, a rollback to before it.

    Each rollback goes back by one correction, so that all of the mail are then undone in this way.
    """
    back, undo = f"ROLLBACK {view.state.moment.code}", context.answer.undo
    if line is None or back in undo:
        line, undo[:] = back, [back if each.startswith("FIX ") else each for each in undo]
    context.undone_by(line)


def _may_see(context: MailContext, view: GameView, event: CorrectionEvent) -> bool:
    """Return True if the master may read what was there; one who plays may not read everything."""
    seats = [context.seat] if context.seat is not None else []
    sight, after = sight_of(view.game, seats), evolve(view.state, event)
    two = sight.view(view.world, view.state), sight.view(view.world, after)
    return sight.sees_correction(*two, event)


def _line_back(context: MailContext, view: GameView, event: CorrectionEvent) -> str | None:
    """The line that sets right again what *event* has changed; None if one cannot."""
    words = _words_back(view, event)
    because = context.say(Message("phases.fix.taken_back"))
    line = None if words is None else f"{words} BECAUSE {because}"
    said = context.parsed_lines.command_in(line) if line is not None else None
    if not isinstance(said, Fix):
        return None
    corrected = replace(view, phase=replace(view.phase, after=evolve(view.state, event)))
    back = correction_meant(corrected, said, context.lexicon(view.game))
    is_whole = not isinstance(back, Message) and evolve(corrected.state, back) == view.state
    return line if is_whole else None


def _words_back(view: GameView, event: CorrectionEvent) -> str | None:
    """The words of the correction that sets what was before."""
    state = view.state

    def name(power: PowerId | None) -> str:
        full = str(view.world.scenario.powers[power].name) if power is not None else NOBODY
        return full if " " not in full else str(power)

    match event:
        case TreasuryCorrected(power):
            return f"FIX TREASURY {name(power)} {state.treasuries.get(power, 0)}"
        case LoanCorrected(power, due):
            owed = [loan for loan in state.loans if (loan.power, loan.due) == (power, due)]
            both = (sum(loan.principal for loan in owed), sum(loan.interest for loan in owed))
            return f"FIX LOAN {name(power)} {both[0]} {both[1]} {due.code}"
        case CreditCorrected(power):
            return f"FIX DEFAULT {'' if power in state.defaulted else 'NO '}{name(power)}"
        case ChitsCorrected(power, victim):
            held = state.chits.get(power, ()).count(victim)
            return f"FIX CHITS {name(power)} {name(victim)} {held}"
        case EliminationCorrected(power, out):
            return f"FIX ELIMINATION {'NO ' if out else ''}{name(power)}"
        case HomeCorrected(home, places):
            return f"FIX HOME {name(state.homes.get(places[0]))} COUNTRY {name(home)}"
        case _:
            return _words_of_place(state, event, name)


def _words_of_place(
    state: State, event: CorrectionEvent, name: Callable[[PowerId | None], str]
) -> str | None:
    """The same for what stands or lies in a place; None if no line can name what stood there."""
    match event:
        case UnitCorrected(place, in_city, unit):
            was = (state.garrisons if in_city else state.field).get(place)
            if was is None:
                return f"FIX UNIT {NOBODY} {unit.kind.value} {place}" if unit is not None else None
            if was.owner == AUTONOMOUS:
                return None
            coast = f"/{was.coast}" if was.coast else ""
            return f"FIX UNIT {name(was.owner)} {was.kind.value} {place}{coast}"
        case OwnerCorrected(place, in_city):
            owner = (state.cities if in_city else state.provinces).get(place)
            return f"FIX OWNER {name(owner)} {'CITY' if in_city else 'PROVINCE'} {place}"
        case MarkerCorrected(place, marker):
            no = "" if is_marked(state, marker, place) else "NO "
            return f"FIX MARKER {no}{marker.value.upper()} {place}"
        case _:
            return None


_CANNOT_BE = frozenset(
    f"phases.fix.{why}"
    for why in ("no_assassins", "no_bank", "no_city_there", "no_money", "not_played")
)
_NO_KIND = Message("phases.fix.kinds", kinds=KINDS)


def _tell(context: MailContext, view: GameView, event: Event) -> None:
    game, words = context.game or view.game, Words(view.world)
    before = view.state
    told_to = partial(correction_lines, words, before, evolve(before, event), [event])
    for line in told_to(sight_of(game, [])):
        context.note("correction", line)
    readers: dict[tuple[Message, ...], set[str]] = {}
    for to in addressees(context.services, game, context.people(game), context.now):
        readers.setdefault(told_to(to.sight), set()).add(to.address)
    code = before.moment.code
    digest = correction_digest(sealing_key(game.secret, game.id, code), game.id, code, event)
    proof = Message("game.orders.fixed", game=game.id, code=code, digest=digest)
    for seen, those in readers.items():
        lines: list[MessageOrText] = [Message("phases.fix.announced"), *seen, proof]
        announce(context, game, Message("phases.fix.subject"), lines, those)
    if len(readers) > 1:
        context.answer.notices.append(Message("phases.fix.reason_for_all"))


def correct(context: MailContext, view: GameView, events: Sequence[Event]) -> None:
    """Change the position of a game outside its phases, without messages."""
    corrected = interlude(context.services, view, events, context.now)
    again = _carried_over(context, view, corrected.stored.number)
    context.pass_on(replace(corrected, order_sets=tuple(again)))


def _carried_over(context: MailContext, view: GameView, number: int) -> Iterator[OrderSet]:
    old = view.phase.number
    for power in view.order_sets:
        filed = [s for s in context.changes.order_sets if (s.power, s.after) == (power, old)]
        history = context.uow.order_sets.history(view.game.id, old, power)
        yield from [replace(order_set, after=number) for order_set in (*history, *filed)]


def leave_to_garrisons(context: MailContext, powers: tuple[PowerId, ...]) -> list[Message]:
    """Give some living powers to autonomous garrisons; return the announcement."""
    lines: list[Message] = []
    because = context.services.renderer.say(Message("seats.quits.because"))
    for power in powers:
        view = context.view()
        if view is None or power in view.state.eliminated:
            continue
        words = Words(view.world)
        held = [*_held(view.world, view.state, power)]
        correct(context, view, [*_leaving(power, held, because)])
        lines.append(
            Message(
                "seats.quits.announced",
                power=words.power(power),
                cities=tuple(map(words.place, held)),
            )
        )
    return lines


def _held(world: World, state: State, power: PowerId) -> Iterator[PlaceId]:
    """A power's cities that a garrison can hold: without rebels and foreign units."""
    for place in sorted(place for place, owner in state.cities.items() if owner == power):
        garrison = state.garrisons.get(place)
        is_own = garrison is None or garrison.owner == power
        if is_own and world.holds_garrison(place) and place not in state.city_rebellions:
            yield place


def _leaving(power: PowerId, held: list[PlaceId], because: str) -> Iterator[CorrectionEvent]:
    yield EliminationCorrected(power, out=True, because=because)
    for place in held:
        garrison = Unit(AUTONOMOUS, GARRISON, place)
        yield UnitCorrected(place, in_city=True, unit=garrison, because=because)
