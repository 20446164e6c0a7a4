"""What came back from an address stands with its owner, and is counted with the letter's end."""

from dataclasses import replace
from datetime import timedelta

from machjudge.judge.changes import Changes
from machjudge.judge.faults import Stale
from machjudge.judge.mails import Outgoing
from machjudge.judge.records import Bounce, Bounces
from tests.db.examples import GAME, LUCIA, OTTO, PHASE

HOME, WORK = LUCIA.addresses


def post(house, to: str) -> int:
    """Put a letter into the outbox and take it out; its number."""
    with house.store().writing() as uow:
        uow.outbox.put(Outgoing(to, "Results", "Hello\n"))
        uow.commit()
    return house.bag().claim(house.clock.now, house.clock.now + timedelta(minutes=2)).id


def return_letter(house, to: str, bounce: Bounce | None) -> None:
    """A letter goes out and comes back."""
    letter = post(house, to)
    house.bag().sent(letter, house.clock.now)
    with house.store().writing() as uow:
        uow.outbox.came_back(letter, house.clock.now, "why", bounce)
        uow.commit()


def lucia(house):
    """Lucia as she is stored."""
    with house.store().reading() as uow:
        return uow.persons.get(LUCIA.id)


def settle(house) -> None:
    """Store Lucia, Otto and their game, which rests."""
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.games.add(GAME)
        uow.phases.add(PHASE, [])
        uow.games.rest(GAME, None)
        uow.commit()


def test_each_address_has_its_own_score(house) -> None:
    """From a report, or from the relay's answer; a letter counts once."""
    settle(house)
    now = house.clock.now
    return_letter(house, WORK.upper(), Bounce.SOFT)
    letter = post(house, HOME)
    house.bag().give_up(letter, now, "550 5.1.1", Bounce.HARD)
    with house.store().writing() as uow:
        assert uow.outbox.came_back(letter, now, "again", Bounce.HARD) is None
        uow.commit()

    assert lucia(house) == replace(
        LUCIA, bounces=(Bounces(HOME, now, now, 2, 2), Bounces(WORK, now, now, 1, 1))
    )


def test_what_says_nothing_of_the_address_is_not_counted(house) -> None:
    """Nor what comes back from an address that is nobody's."""
    settle(house)
    return_letter(house, HOME, None)
    return_letter(house, "nobody@example.com", Bounce.HARD)
    house.bag().give_up(post(house, HOME), house.clock.now, "554 5.7.1")

    assert lucia(house) == LUCIA


def test_bounces_are_counted_together_over_days(house) -> None:
    """The score that is stored goes on."""
    settle(house)
    first = house.clock.now
    for _ in range(2):
        return_letter(house, HOME, Bounce.SOFT)
        last = house.clock.now
        house.clock.on(days=1)

    assert lucia(house).bounces == (Bounces(HOME, first, last, 2, 1),)


def test_the_score_lasts_until_somebody_ends_it(house) -> None:
    """Anyone who saves a person saves it as well; an address that goes takes its score along."""
    settle(house)
    return_letter(house, HOME, Bounce.HARD)
    kept = replace(lucia(house), zone="UTC")
    for person in (kept, replace(kept, addresses=(WORK,)), replace(kept, bounces=())):
        with house.store().writing() as uow:
            uow.persons.save(person)
            uow.commit()
        last = lucia(house)
        assert last.bounces == tuple(x for x in person.bounces if x.address in person.addresses)
    assert last == replace(LUCIA, zone="UTC")


def test_a_bounce_is_not_lost_to_anyone_who_changes_its_owner_meanwhile(house) -> None:
    """They begin again."""
    settle(house)
    changes = Changes(
        persons={LUCIA.id: replace(LUCIA, zone="UTC")}, known={LUCIA.id: lucia(house)}
    )
    return_letter(house, HOME, Bounce.HARD)

    with house.store().writing() as uow:
        try:
            changes.write(uow)
        except Stale as fault:
            told = str(fault)
        uow.commit()
    assert told == "somebody has been changed meanwhile"
    assert lucia(house).bounces


def test_the_games_of_the_address_are_looked_at(house) -> None:
    """So that their masters are told in time; those of others rest."""
    settle(house)
    seat = GAME.seats[0]
    looked_at = []
    for address in ("nobody@example.com", seat.address):
        return_letter(house, address, Bounce.SOFT)
        with house.store().reading() as uow:
            looked_at.append([*uow.games.due(GAME.created)])

    assert looked_at == [[], [GAME.id]]


def test_a_clock_that_was_ahead_leaves_no_score_in_the_future(house) -> None:
    """Otherwise it would not end for as long as the clock was ahead."""
    settle(house)
    right = house.clock.now
    house.clock.on(days=300)
    return_letter(house, HOME, Bounce.HARD)
    with house.store().writing() as uow:
        uow.heartbeat.set_back(right)
        uow.commit()

    (found,) = lucia(house).bounces
    assert (found.since, found.last) == (right, right)
