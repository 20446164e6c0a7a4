"""Seats whose messages come back: their masters are told before the deadline, nobody else.

The judge goes on mailing there.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from machjudge.letters.page.head import Reader
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.game.view import GameView
from machjudge.service.model.records import Bounces, Role, Seat
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.services import Services
from machjudge.service.session.outgoing import Addressee, addressees, head_now, letter


def tell_out_of_reach(services: Services, situation: GameView, now: datetime) -> Changes:
    """Tell the masters which seats cannot be reached, once in a phase for each of them.

    A master whose own messages come back is not told: this one would, too.
    """
    bounces = situation.out_of_reach(now)
    told = tuple(sorted({*situation.clock.out_of_reach, *bounces}))
    game = replace(situation.game, clock=replace(situation.clock, out_of_reach=told))
    facts = {
        "head": head_now(services, situation),
        "subject": Sentence("clock.out_of_reach.subject"),
    }
    letters = []
    for to in addressees(services, game, situation.people, now):
        if not to.sight.sees_bounces() or any(seat.number in bounces for seat in to.seats):
            continue
        lines = (
            Sentence(
                "clock.out_of_reach.told",
                seats=out_of_reach_lines(situation, to.reader, to.sight),
                deadline=situation.clock.deadline,
                zone=to.reader.zone,
            ),
        )
        page = services.paper.page("announcement", {**facts, "reader": to.reader, "lines": lines})
        letters.append(letter(game, to.address, page))
    return Changes(read=situation.game, game=game, letters=letters)


def out_of_reach_lines(situation: GameView, reader: Reader, sight: Sight) -> tuple[Sentence, ...]:
    """The seats that cannot be reached, a line each, for whoever may see them."""
    bounces = situation.out_of_reach(reader.now) if sight.sees_bounces() else {}
    words = Words(situation.world)
    return tuple(
        _line(situation, words, seat, bounces, reader)
        for seat in situation.game.seats
        if seat.number in bounces
    )


def _line(
    situation: GameView, words: Words, seat: Seat, bounces: Mapping[int, Bounces], reader: Reader
) -> Sentence:
    person = situation.people.get(seat.person) if seat.person is not None else None
    return Sentence(
        "clock.out_of_reach.seat",
        powers=tuple(map(words.power, seat.powers)),
        is_master=seat.role is Role.MASTER,
        name=person.name if person is not None else "",
        address=seat.address,
        since=bounces[seat.number].since,
        zone=reader.zone,
    )


def told_themselves(situation: GameView, to: Addressee) -> tuple[Sentence, ...]:
    """What somebody reads whose messages come back, should one arrive."""
    bounces = situation.out_of_reach(to.reader.now)
    own = next((bounces[seat.number] for seat in to.seats if seat.number in bounces), None)
    if own is None:
        return ()
    told = Sentence(
        "clock.out_of_reach.own",
        address=own.address,
        last=own.last,
        zone=to.reader.zone,
        is_master=to.sight.is_master,
    )
    return (told,)
