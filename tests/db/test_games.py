"""What the desk keeps comes back as it was put in; who was slower is told."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
import sqlalchemy as sa

from machjudge.db.engine import WroteWhileReading, writing
from machjudge.db.tables import NoteRow, PressRow
from machjudge.judge.credentials import PendingAct, Token, TokenPurpose
from machjudge.judge.faults import Stale, Vanished
from machjudge.judge.records import (
    AddressStanding,
    Attendance,
    Author,
    End,
    Ending,
    Holding,
    Note,
    NoteKind,
    Notice,
    PersonId,
    PressItem,
    Readership,
    Role,
    Status,
)
from tests.db.examples import (
    FLORENCE,
    GAME,
    LUCIA,
    NOW,
    OTTO,
    PHASE,
    SHEET,
    VENICE,
)

AS_VENICE = Author(Role.PLAYER, (VENICE,))


def test_a_person_comes_back_whole(filled) -> None:
    """By his token and by each of his addresses, whatever their case."""
    with filled.store().reading() as uow:
        assert uow.persons.get(LUCIA.id) == LUCIA
        assert uow.persons.by_address("L.Rossi@Example.ORG") == LUCIA
        assert uow.persons.by_address("nobody@example.com") is None
        assert uow.persons.get(PersonId("p9")) is None


def test_a_person_is_replaced(filled) -> None:
    """Addresses that he has given up are free for others."""
    moved = replace(LUCIA, name="Lucia", addresses=("new@example.com",))
    with filled.store().writing() as uow:
        uow.persons.save(moved)
        uow.persons.save(replace(OTTO, addresses=("otto@example.com", "lucia@example.com")))
        uow.commit()

    with filled.store().reading() as uow:
        assert uow.persons.get(LUCIA.id) == moved
        assert uow.persons.by_address("lucia@example.com").id == OTTO.id


def test_two_persons_never_share_an_address(filled) -> None:
    """Anyone who comes second is told, and nothing of his transaction stays."""
    with pytest.raises(Stale), filled.store().writing() as uow:
        uow.persons.save(replace(OTTO, name="Ottone", addresses=("lucia@example.com",)))

    with filled.store().reading() as uow:
        assert uow.persons.get(OTTO.id) == OTTO


def test_a_game_comes_back_whole(filled) -> None:
    """Rules, settings, secret, seats and clock; locked or not."""
    with filled.store().writing() as uow:
        assert uow.games.get(GAME.id) == GAME
        assert uow.games.get("sforza") is None
        for name in (GAME.id, "sforza"):
            uow.games.lock(name)
        assert uow.games.get(GAME.id) == GAME
        assert uow.games.get("sforza") is None


def test_games_are_listed_by_name(filled) -> None:
    """Forming ones too, finished ones not."""
    forming = replace(
        GAME, id="albizzi", status=Status.FORMING, position=None, clock=None, seats=()
    )
    with filled.store().writing() as uow:
        uow.games.add(forming)
        uow.games.add(replace(GAME, id="medici", status=Status.FINISHED, clock=None))
        uow.commit()

    with filled.store().reading() as uow:
        assert list(uow.games.unfinished()) == [forming, GAME]


def test_games_are_found_by_those_who_stand_in_their_attendance(filled) -> None:
    """Finished ones too, and no more once somebody is taken out."""
    lucia, otto = Attendance(LUCIA.id, 3, 1, 0), Attendance(OTTO.id, 1, 0, 0)
    over = replace(GAME, id="medici", status=Status.FINISHED, clock=None, attendance=(lucia, otto))
    with filled.store().writing() as uow:
        uow.games.add(over)
        read = uow.games.get(GAME.id)
        uow.games.save(replace(read, version=read.version + 1, attendance=(otto,)), read)
        uow.commit()

    with filled.store().reading() as uow:
        assert [game.id for game in uow.games.attended_by(OTTO.id)] == [GAME.id, "medici"]
        assert list(uow.games.attended_by(LUCIA.id)) == [over]
        assert uow.games.attended_by(PersonId("p9")) == []


def test_people_sit_at_games(filled) -> None:
    """Each is named once; a claim is no seat."""
    with filled.store().reading() as uow:
        sitting = sorted({seat.person for seat in GAME.seats if seat.person is not None})
        assert uow.games.seated([LUCIA.id, OTTO.id, PersonId("p9")]) == sitting


def test_the_phases_of_several_games_are_read_at_once(filled) -> None:
    """Of a game that forms there is none."""
    with filled.store().writing() as uow:
        uow.phases.add(PHASE, ())
        uow.commit()

    with filled.store().reading() as uow:
        game = replace(GAME, position=PHASE.number)
        assert uow.phases.now([game, replace(GAME, id="albizzi", position=None)]) == {
            GAME.id: PHASE.after.moment.code
        }
        assert uow.phases.now([]) == {}


def test_games_with_claims_are_found_without_the_others(filled) -> None:
    """Each of them once, however many seats wait for an answer."""
    with filled.store().writing() as uow:
        uow.games.add(replace(GAME, id="albizzi", seats=()))
        read = uow.games.get(GAME.id)
        claims = tuple(replace(read.seats[0], number=80 + n) for n in range(2))
        uow.games.save(replace(read, version=read.version + 1, claims=claims), read)
        uow.commit()

    with filled.store().reading() as uow:
        assert [game.id for game in uow.games.unfinished()] == ["albizzi", GAME.id]
        assert uow.games.claimed() == [GAME.id]


def test_a_name_is_given_once(filled) -> None:
    """Anyone who creates a game of that name second is told."""
    with pytest.raises(Stale), filled.store().writing() as uow:
        uow.games.add(GAME)


def test_a_game_is_saved_whole(filled) -> None:
    """Seats that are gone are gone; what is read next, even in the same transaction, is new."""
    saved = replace(
        GAME, version=2, seats=(replace(GAME.seats[1], waits=False),), clock=None, position=3
    )
    with filled.store().writing() as uow:
        uow.games.lock(GAME.id)
        uow.games.save(saved)
        assert uow.games.get(GAME.id) == saved
        uow.commit()

    with filled.store().reading() as uow:
        assert uow.games.get(GAME.id) == saved


def test_a_game_that_has_changed_is_not_overwritten(filled) -> None:
    """Anyone who saves second, from an older version, is told."""
    with filled.store().writing() as uow:
        uow.games.save(replace(GAME, version=2))
        uow.commit()

    with pytest.raises(Stale), filled.store().writing() as uow:
        uow.games.save(replace(GAME, version=2, name="Other"))


def test_of_two_at_once_one_saves(filled) -> None:
    """Twenty threads save the same version: one of them succeeds."""

    def save(n: int) -> bool:
        try:
            with filled.store().writing() as uow:
                uow.games.save(replace(GAME, version=2, name=f"Game {n}"))
                uow.commit()
        except Stale:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(save, range(20))) == 1


def test_a_lock_keeps_others_waiting(filled) -> None:
    """Anyone who locks a game sees what the one before him has saved."""
    with ThreadPoolExecutor() as pool:
        with filled.store().writing() as uow:
            uow.games.lock(GAME.id)

            def look() -> int:
                with filled.store().writing() as later:
                    later.games.lock(GAME.id)
                    return later.games.get(GAME.id).version

            seen = pool.submit(look)
            uow.games.save(replace(GAME, version=2))
            uow.commit()

        assert seen.result() == 2


def test_a_reader_sees_one_state(filled) -> None:
    """What is committed meanwhile does not show."""
    with filled.store().reading() as uow:
        before = uow.games.get(GAME.id)
        with filled.store().writing() as other:
            other.games.save(replace(GAME, version=2))
            other.commit()

        assert uow.games.get(GAME.id) == before


def test_anyone_who_reads_does_not_write(filled) -> None:
    """Nothing that is done in a reading transaction lasts."""
    with pytest.raises(WroteWhileReading), filled.store().reading() as uow:
        uow.games.save(replace(GAME, version=2))

    with filled.store().reading() as uow:
        assert uow.games.get(GAME.id).version == 1


def test_leaving_without_a_commit_undoes_everything(filled) -> None:
    """With an exception or without."""
    with filled.store().writing() as uow:
        uow.games.save(replace(GAME, version=2))

    with filled.store().reading() as uow:
        assert uow.games.get(GAME.id).version == 1


def test_newest_sheet_of_each_power_is_on_file(filled) -> None:
    """For the phase asked for; older sheets are history."""
    second = replace(SHEET, number=2, flawed=False)
    other = replace(SHEET, power=FLORENCE)
    later = replace(SHEET, after=1)
    with filled.store().writing() as uow:
        for order_set in (SHEET, second, other, later):
            uow.order_sets.add(order_set)
        uow.commit()

    with filled.store().reading() as uow:
        assert uow.order_sets.on_file(GAME.id, 0) == {VENICE: second, FLORENCE: other}
        assert list(uow.order_sets.history(GAME.id, 0, VENICE)) == [SHEET, second]
        assert uow.order_sets.on_file(GAME.id, 1) == {VENICE: later}
        assert uow.order_sets.on_file(GAME.id, 2) == {}


def test_a_sheet_is_numbered_once(filled) -> None:
    """Anyone who comes second with a number is told."""
    with filled.store().writing() as uow:
        uow.order_sets.add(SHEET)
        uow.commit()

    with pytest.raises(Stale), filled.store().writing() as uow:
        uow.order_sets.add(SHEET)


def test_a_sheet_names_a_mail_that_is_there(filled) -> None:
    """A reference to a mail that nobody has kept is found out at the commit."""

    def name_it() -> None:
        with filled.store().writing() as uow:
            uow.order_sets.add(replace(SHEET, mail=99))
            uow.commit()

    with pytest.raises(Vanished):
        name_it()


def test_a_person_who_is_changed_is_nobody_elses_meanwhile(filled) -> None:
    """Of many who change somebody at once, none undoes what another one has done."""
    together = Barrier(6)

    def rename(number: int) -> None:
        together.wait()
        with filled.store().writing() as uow:
            known = uow.persons.held((LUCIA.id,))[LUCIA.id]
            uow.persons.save(replace(known, name=f"{known.name} {number}"))
            uow.commit()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(rename, range(6)))

    with filled.store().reading() as uow:
        name = uow.persons.get(LUCIA.id).name
    assert sorted(name.removeprefix(LUCIA.name).split()) == [*"012345"]


def test_anyone_who_has_confirmed_an_address_just_now_is_not_removed(filled) -> None:
    """Somebody else had decided before that nobody would confirm it."""
    paula = replace(
        OTTO, id=PersonId("p8"), addresses=("p@x.example",), standing=AddressStanding.CLAIMED
    )
    with filled.store().writing() as uow:
        uow.persons.save(paula)
        uow.commit()

    with filled.store().writing() as uow:
        uow.persons.save(replace(paula, standing=AddressStanding.CONFIRMED))
        uow.commit()

    def remove() -> None:
        with filled.store().writing() as uow:
            uow.persons.remove(paula.id)
            uow.commit()

    with pytest.raises(Vanished):
        remove()


def test_a_game_that_goes_takes_along_what_belongs_to_it(house) -> None:
    """Whatever was said in it, and whatever was asked for."""
    token = Token("h", TokenPurpose.WAY_IN, OTTO.id, NOW, NOW, GAME.id, 1, "otto@example.com")
    act = PendingAct("act", GAME.id, 1, 0, ("resign",), NOW, NOW)
    with house.store().writing() as uow:
        uow.games.add(GAME)
        for each in (LUCIA, OTTO):
            uow.persons.save(each)
        uow.press.add(PressItem(GAME.id, NOW, None, 1, (2,), "Hello"))
        uow.notices.add(Notice(GAME.id, NOW, None, "created", "Otto"))
        uow.notes.add(Note(GAME.id, NoteKind.DIARY, OTTO.id, 1, 1, AS_VENICE, NOW, "", "Hm"))
        uow.tokens.add(token)
        uow.acts.add(act)
        uow.commit()

    with house.store().writing() as uow:
        uow.games.remove(GAME.id)
        uow.commit()

    with house.store().reading() as uow:
        assert uow.games.get(GAME.id) is None


def test_a_phase_comes_back_whole(filled) -> None:
    """Positions, orders, rules and events are equal, and so is the index beside them."""
    index = [Holding(VENICE, 2, 12), Holding(FLORENCE, 1, None)]
    with filled.store().writing() as uow:
        uow.phases.add(PHASE, index)
        uow.commit()

    with filled.store().reading() as uow:
        assert uow.phases.get(GAME.id, 0) == PHASE
        assert list(uow.phases.holdings(GAME.id, 0)) == [index[1], index[0]]


def test_phases_are_numbered_from_nothing_on(filled) -> None:
    """-1 where there is none; a number that is taken is refused; all come by number."""
    second = replace(PHASE, number=1, parent=0)
    with filled.store().writing() as uow:
        numbers = [uow.phases.last_number(GAME.id)]
        uow.phases.add(second, [])
        uow.phases.add(PHASE, [])
        numbers.append(uow.phases.last_number(GAME.id))
        uow.commit()

    assert numbers == [-1, 1]
    with filled.store().reading() as uow:
        assert list(uow.phases.all_of(GAME.id)) == [PHASE, second]
    with pytest.raises(Stale), filled.store().writing() as uow:
        uow.phases.add(PHASE, [])


def test_a_phase_that_is_not_there(filled) -> None:
    """Is a fault of the person who asks for it."""
    with pytest.raises(KeyError), filled.store().reading() as uow:
        uow.phases.get(GAME.id, 7)


def test_notes_come_back_and_can_be_thrown_away(filled) -> None:
    """By kind, oldest first; a number is taken once."""
    diary = [
        Note(GAME.id, NoteKind.DIARY, OTTO.id, number, 1, AS_VENICE, NOW, "S1454M", f"ü{number}")
        for number in (1, 2)
    ]
    postal = replace(diary[0], kind=NoteKind.POSTAL)
    with filled.store().writing() as uow:
        for note in (*diary, postal):
            uow.notes.add(note)
        uow.commit()
    with pytest.raises(Stale), filled.store().writing() as uow:
        uow.notes.add(replace(diary[0], text="other"))
    with filled.store().writing() as uow:
        uow.notes.remove(diary[0])
        uow.commit()

    with filled.store().reading() as uow:
        assert list(uow.notes.all_of(GAME.id, NoteKind.DIARY)) == [diary[1]]
        assert list(uow.notes.all_of(GAME.id, NoteKind.POSTAL)) == [postal]
        assert list(uow.notes.all_of("sforza", NoteKind.DIARY)) == []


def test_press_and_log_come_back_in_order(filled) -> None:
    """Oldest first, those of other games apart."""
    items = [
        PressItem(GAME.id, NOW, None, 1, (), "To all\n"),
        PressItem(GAME.id, NOW, 3, 2, (0, 1), "To some: ü\n"),
        PressItem(
            GAME.id,
            NOW,
            3,
            1,
            (2,),
            "To one",
            anonymous=True,
            author=AS_VENICE,
            aim=Readership((FLORENCE,)),
            shown=Readership(all_but=True),
            people=(OTTO.id, LUCIA.id),
        ),
    ]
    notices = [
        Notice(GAME.id, NOW, None, "ran", "S1454M"),
        Notice(GAME.id, NOW, OTTO.id, "wait", ""),
        Notice(GAME.id, NOW, OTTO.id, "nowait", ""),
    ]
    with filled.store().writing() as uow:
        for item, notice in zip(items, notices, strict=True):
            uow.press.add(item)
            uow.notices.add(notice)
        uow.commit()

    with filled.store().reading() as uow:
        assert list(uow.press.all_of(GAME.id)) == items
        assert list(uow.notices.all_of(GAME.id)) == notices
        assert list(uow.press.all_of("sforza")) == []
        assert uow.press.to_all() == {GAME.id: 1}


@pytest.mark.parametrize(
    ("readers", "kept", "read"),
    [
        ([], {"aim": "", "shown": None, "shown_to_all": True}, ((), True, None)),
        ([2], {"aim": "Milan and Naples", "shown": None}, (("Milan and Naples",), False, None)),
        ([2], {"aim": "Milan", "shown": ""}, (("Milan",), False, Readership())),
        (
            [2],
            {"aim": "Milan", "shown": "everybody", "shown_to_all": True},
            (("Milan",), False, Readership(all_but=True)),
        ),
    ],
)
def test_press_that_was_kept_in_words_is_read(filled, readers, kept, read) -> None:
    """Rows of earlier versions: whose words were everybody's are, others stay words."""
    manner = {"anonymous": False, "author": "Venice", "shown_to_all": False, "people": [], **kept}
    with filled.store().writing() as uow:
        uow.press.add(PressItem(GAME.id, NOW, 3, 1, tuple(readers), "Hello"))
        uow.notes.add(Note(GAME.id, NoteKind.POSTAL, OTTO.id, 1, 1, AS_VENICE, NOW, "", "Hm"))
        uow.commit()
    with writing(filled.engine) as connection:
        connection.execute(sa.update(PressRow).values(manner={**manner, "postal": False}))
        connection.execute(sa.update(NoteRow).values(author="Venice"))
        connection.commit()

    named, all_but, shown = read
    with filled.store().reading() as uow:
        (item,) = uow.press.all_of(GAME.id)
        (note,) = uow.notes.all_of(GAME.id, NoteKind.POSTAL)
    assert item.author == note.author == Author(name="Venice")
    assert (item.aim, item.shown) == (Readership(named, all_but), shown)


def test_the_end_of_a_game_and_its_votes_come_back(filled) -> None:
    """A finished game with its winners; a seat's votes; none where there are none."""
    ending = Ending(End.DRAW, (VENICE, FLORENCE), NOW, by_vote=True)
    seats = (replace(GAME.seats[0], draw=(VENICE, FLORENCE), concede=VENICE), *GAME.seats[1:])
    ended = replace(GAME, version=2, status=Status.FINISHED, ending=ending, seats=seats)
    with filled.store().writing() as uow:
        uow.games.save(ended)
        uow.commit()

    with filled.store().reading() as uow:
        assert uow.games.get(GAME.id) == ended
