"""The answer to a mail as letters: to its sender, and to the seat in whose name they wrote."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from machjudge.letters.page.head import Head, Reader
from machjudge.letters.page.page import Page, Stationery
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording, joined
from machjudge.service.credentials.reply_tokens import Speaks, without_codes
from machjudge.service.game.completeness import numbers, verdict
from machjudge.service.game.view import GameView, reader_of
from machjudge.service.identity.provisional import code_for, waiting_words
from machjudge.service.lines.bounds import SAYS
from machjudge.service.model.records import Role
from machjudge.service.orders.on_file import filed
from machjudge.service.phases.impersonation import own_seats
from machjudge.service.pictures.seen import pictures_of_orders
from machjudge.service.ports.generations import token_of
from machjudge.service.ports.mails import Attachment, Outgoing, in_language
from machjudge.service.ports.message_parts import paged
from machjudge.service.ports.services import Services
from machjudge.service.press.postal import waiting_lines
from machjudge.service.session.outgoing import Addressee, head_of, sight_of
from machjudge.service.session.replied_phase import Answered, answered
from machjudge.service.session.session import Session
from machjudge.service.setup.forming import for_beginner


def answer_letters(session: Session) -> list[Outgoing]:
    """The answer to the sender; a copy to the seat's address of record where that is another."""
    to = session.answer_to
    seat = session.seat
    owner = seat.address if seat is not None and seat.person is not None else to
    situation, reader = session.situation(), _reader(session)
    _judge_orders(session, situation, reader)
    session.answer.verdict += waiting_words(session)
    _tell_overlooked(session)
    page = _page(session, situation, reader, _writer(session) if owner != to else "")
    # Whoever's registration was changed is told as well, wherever the answer goes.
    known = [person for person in session.changes.persons.values() if person.is_confirmed]
    changed = (person.addresses[0] for person in known)
    addresses = dict.fromkeys((to, owner, *changed))
    return [_letter(session, address, page) for address in addresses if address]


def _writer(session: Session) -> Wording:
    """From whom the mail came, for the seat's owner; a master's address is their own affair."""
    if not session.became or session.power is None or session.game is None:
        return session.address
    power = Words(session.services.world(session.game)).power(session.power)
    return Sentence("intake.master_as", power=power)


def _letter(session: Session, address: str, page: Page) -> Outgoing:
    about = session.game.id if session.game is not None and session.seat is not None else None
    letter, language = paged(address, page, about), session.paper.language
    return replace(
        letter,
        answers=session.mail.message_id,
        references=without_codes(session.mail.references),
        reply=(reply := _reply(session, address, page)),
        takes_token=reply is not None,
        attachments=(
            *letter.attachments,
            *(
                Attachment(file.name, in_language(file.media_type, language), file.content)
                for file in dict.fromkeys(session.answer.files)
            ),
        ),
    )


def _reply(session: Session, address: str, page: Page) -> Speaks | None:
    """For what an answer speaks: the seat that spoke, if the address is on file for it.

    Without a seat, for the address.
    """
    game, seat = session.game, session.seat
    if game is None or seat is None or session.is_claim:
        return code_for(session, address)
    owner = session.people(game).get(seat.person) if seat.person is not None else None
    on_file = (seat.address, *(owner.addresses if owner is not None else ()))
    return token_of(game, seat, page.phase) if address in on_file else None


def _judge_orders(session: Session, situation: GameView | None, reader: Reader) -> None:
    """Verdict and order set, for whoever has a seat at a running game."""
    seat, answer = session.seat, session.answer
    if situation is None or seat is None or session.is_claim:
        return
    if seat.person is None and not session.became:
        return
    seats = [seat] if session.became or seat.role is not Role.PLAYER else list(own_seats(session))
    if _shows_orders(session):
        _show_orders(session, situation, sight_of(situation.game, seats), reader)
    if seat.role is Role.PLAYER:
        for each in seats:
            answer.verdict += verdict(
                situation, each, answer.errors, session.now, is_dry=session.is_dry
            )
            if _shows_orders(session) and not session.is_dry:
                answer.numbers += numbers(situation, each)
        answer.verdict += _late(session, situation, reader)
        if answer.warnings:
            answer.verdict.append(Sentence("intake.warned", n=len(answer.warnings)))


def _show_orders(session: Session, everything: GameView, sight: Sight, reader: Reader) -> None:
    """What is on file, as far as it may be seen; players get a picture of it, too."""
    situation = everything.seen_by(sight)
    answer, shown = session.answer, filed(situation, sight)
    answer.orders, answer.money = [*shown.orders], [*shown.money]
    answer.warnings = [*shown.warnings]
    answer.notices += shown.notices
    answer.later = [*shown.later]
    if sight.powers and reader.pictures:
        answer.pictures = pictures_of_orders(session.services, situation, sight)


def _shows_orders(session: Session) -> bool:
    """Whether the answer repeats what is on file: not where the mail was about press alone."""
    changed = session.has_ordered or bool(session.changes.sheets or session.changes.plans)
    return changed or not session.has_written


def _tell_overlooked(session: Session) -> None:
    """That something that was not read may have been meant."""
    numbers = session.answer.overlooked
    if numbers:
        shown = tuple(str(number) for number in numbers[:_MOST_NAMED])
        told = Sentence("intake.overlooked", numbers=shown, n=len(numbers))
        session.answer.verdict.append(told)


def _late(session: Session, situation: GameView, reader: Reader) -> list[Sentence]:
    deadline = situation.clock.deadline
    is_late = session.received > deadline and situation.clock.paused is None
    if not session.has_ordered or not is_late:
        return []
    by = session.received - deadline
    return [Sentence("intake.late", deadline=deadline, zone=reader.zone, by=by)]


def _page(
    session: Session, situation: GameView | None, reader: Reader, copied_from: Wording
) -> Page:
    answer, about = session.answer, None if session.answers_press else answered(session)
    facts = {
        "head": _head(session, situation),
        "reader": reader,
        "subject": session.safe(_subject(session, about)),
        "about": _about(situation, about, session) if about is not None else (),
        "errors": answer.errors,
        "dry": SAYS if session.is_dry else "",
        "speaker": _speaker(session, situation),
        "verdict": answer.verdict,
        "troubles": answer.trouble_lines(session.paper.say),
        "done": [
            f"  {text}" for line in answer.done_lines() for text in session.say(line).split("\n")
        ],
        "ignored": [f"  {session.say(line)}" for line in answer.ignored],
        "orders": answer.orders,
        "later": answer.later,
        "numbers": answer.numbers,
        "money": answer.money,
        "buttons": _buttons(session, situation),
        "warnings": answer.warnings,
        "notices": answer.notices,
        "pictures": answer.pictures,
        **_beginning(session, situation, reader),
        "postal": waiting_lines(session),
        # Whoever asks a thousand times for the map gets it once.
        "texts": tuple(dict.fromkeys(answer.texts)),
        "copied_from": copied_from,
    }
    return session.services.paper.page("reply", facts)


def _beginning(
    session: Session, situation: GameView | None, reader: Reader
) -> Mapping[str, object]:
    """What whoever has just taken a seat reads of the position, as at the start of a game."""
    seat = session.seat
    if situation is None or seat is None or not session.begins or session.has_ordered:
        return {"form": (), "units": ()}
    to = Addressee(seat.address, reader, (seat,), sight_of(situation.game, [seat]))
    return for_beginner(session.services, situation, to)


def _buttons(session: Session, situation: GameView | None) -> tuple[Sentence, ...]:
    """What whoever has sent orders may send next, in one line."""
    seat = session.seat
    if situation is None or seat is None or seat.role is not Role.PLAYER or session.is_dry:
        return ()
    if seat.person is None or session.is_claim or session.became or not session.has_ordered:
        return ()
    is_flagged = any(s.flawed for s in map(situation.sheets.get, seat.powers) if s is not None)
    ready = (Sentence("todo.button.ready"),) if is_flagged else ()
    if situation.state.eliminated.issuperset(seat.powers):
        return ()
    if situation.is_overdue(session.now) or situation.clock.ends is not None:
        return ready
    return (*ready, Sentence(f"todo.button.{'nowait' if seat.waits else 'wait'}"))


def _head(session: Session, situation: GameView | None) -> Head:
    """The game's head for whoever has a seat; to others the judge says only who it is."""
    services: Services = session.services
    if session.game is None or session.seat is None or session.is_claim:
        return Head(services.judge.code)
    phase = situation.state.moment.code if situation is not None else ""
    return head_of(services, session.game, phase or _started_phase(session))


def _started_phase(session: Session) -> str:
    """The phase of a game that starts with this very mail."""
    return next((phase.after.moment.code for phase, _ in session.changes.phases), "")


def _speaker(session: Session, situation: GameView | None) -> Wording:
    if session.game is None or session.seat is None or session.is_claim:
        return ""
    words = Words(session.services.world(session.game))
    return Sentence(
        "intake.speaker",
        powers=joined(", ", map(words.power, session.seat.powers)),
        role=session.seat.role.value,
        game=session.game.name,
        phase=words.moment(situation.state.moment) if situation is not None else "",
    )


def _reader(session: Session) -> Reader:
    """Whoever sits at the seat, else whoever wrote."""
    seat = session.seat
    sitting = session.people(session.game) if session.game is not None else {}
    person = sitting.get(seat.person) if seat is not None and seat.person else session.person
    return replace(
        reader_of(session.services, person, session.now), language=session.paper.language
    )


def _subject(session: Session, about: Answered | None) -> str:
    """The subject of the mail, with the code of the phase that it answers if it is another one."""
    typed = session.mail.subject
    for paper in dict.fromkeys((session.paper, session.services.paper)):
        typed = _mark(paper).sub("", typed)
    own = _without_tags(typed, session.services.judge.code)
    code = about.moment.code if about is not None else ""
    return session.say(Sentence("intake.subject", subject=own, code=code)).strip()


def _mark(paper: Stationery) -> re.Pattern[str]:
    """With what the subject of an answer ends that names another phase."""
    mark = paper.say(Sentence("intake.subject", subject="", code=_CODE)).strip()
    pattern = re.escape(mark).replace(_CODE, r"[SUF]\d{4}[MRB]")
    return re.compile(rf"\s*{pattern}\s*$", re.ASCII)


def _about(situation: GameView | None, about: Answered, session: Session) -> tuple[Sentence, ...]:
    """That the mail answers a message about another phase, for whoever plays."""
    if situation is None or session.seat is None or session.seat.role is not Role.PLAYER:
        return ()
    here, there = situation.state.moment.code, about.moment.code
    told = Sentence(
        "intake.about",
        here=here,
        there=there,
        is_certain=about.is_certain,
        has_ordered=session.has_ordered,
    )
    return (told,)


def _without_tags(subject: str, code: str) -> str:
    """The subject without the prefixes that answers have put in front of it."""
    words = list(_own_words(subject, code))
    return " ".join(words)


def _own_words(subject: str, code: str) -> Iterator[str]:
    """The words behind ``Re:``, ``[Errors]`` and ``MACH:borgia - S1454M``."""
    rest = subject.split()
    while rest and (rest[0].lower() in _PREFIXES or rest[0].upper().startswith(f"{code}:")):
        tagged = rest.pop(0).upper().startswith(f"{code}:")
        if tagged and rest[:1] == ["-"]:
            del rest[:2]
    yield from rest


_CODE = "S0000M"
_PREFIXES = frozenset(
    "re: aw: fwd: fw: wg: r: i: tr: rv: rif: [errors] [errores] [errori]".split()  # noqa: SIM905
)

_MOST_NAMED = 8
"""How many lines the verdict names by their numbers."""
