"""How games end: the master declares, the players vote, everything is revealed."""

from dataclasses import replace

from machjudge.adjudicator.dice import commitment
from machjudge.adjudicator.events import EndThrown, VictoryReached
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.rules import HomeFormula, Level
from machjudge.formats.game_file import Chronicle, seal_of
from machjudge.judge.archive import export
from machjudge.judge.endings import ending_of
from machjudge.judge.game_view import players
from machjudge.judge.mails import Outgoing
from machjudge.judge.records import End, Status
from machjudge.judge.tick import look_at_games
from tests.judge.house import House, started
from tests.judge.letters_in import answer, write
from tests.judge.year import OPENING, SPRING, address_of, order, play
from tests.results_told import tells_results

MASTER = "lucia@player.example"
MAX = VictoryReached(PowerId("V"), 5, 1)
FEWER = VictoryReached(PowerId("P"), 4, 2)


def as_master(house: House, *lines: str) -> list:
    """The master writes."""
    return write(house, "gina@player.example", "SIGNON Mborgia masterkey", *lines)


def test_master_recognises_a_victory() -> None:
    """The game is over, its clock stands, and the winner is kept."""
    house = started()
    sent = as_master(house, "DECLARE VICTORY Venice")
    game = house.game()

    assert (game.status, game.clock) == (Status.FINISHED, None)
    assert (game.ending.end, game.ending.winners, game.ending.by_vote) == (
        End.VICTORY,
        ("V",),
        False,
    )
    assert "Venice has won." in answer([m for m in sent if "game over" in m.subject], MASTER)


def test_last_mail_goes_to_every_seat_and_has_the_secret() -> None:
    """Each address gets the secret and the commitment that the first mail had."""
    house = started()
    sent = as_master(house, "DECLARE DRAW LV")
    last = {mail.to: mail for mail in sent if "game over" in mail.subject}
    secret = house.game().secret

    assert set(last) == {seat.address for seat in house.game().seats}
    for mail in last.values():
        told = "".join(mail.body.split())
        assert secret.hex() in told
        assert commitment(secret) in told
        assert "Venice and Florence share the win" in mail.body


def test_last_mail_tells_nothing_of_the_seat_from_which_a_master_plays() -> None:
    """That its player is away, or revokes tokens, is no act of a master."""
    house = started("nomoney")
    seat = next(s for s in house.game().seats if s.powers and s.address == MASTER)
    order(house, seat.powers[0], "SET ABSENCE 2027-06-17 TO 2027-06-18", "REVOKE TOKENS")
    as_master(house, "SET COMMENT Be quick")
    as_master(house, "SET ABSENCE 2027-07-01 TO 2027-07-02")
    last = {mail.body for mail in as_master(house, "DECLARE DRAW LV") if "over" in mail.subject}

    assert last
    for body in last:
        assert "Be quick" in body.split("WHAT THE MASTER DID")[1]
        assert "2027-" not in body
        assert f"seat {seat.number}" not in body.lower()


def test_last_mail_has_the_seal_that_the_exported_game_has() -> None:
    """With all that was ordered until then."""
    house = started()
    play(house, OPENING)
    sent = as_master(house, "DECLARE DRAW LV")
    chronicle = export(house.services, house.game().id)

    assert isinstance(chronicle, Chronicle)
    assert len(chronicle.phases) > 1
    for mail in [mail for mail in sent if "game over" in mail.subject]:
        assert seal_of(chronicle) in "".join(mail.body.split())


def test_secret_is_in_no_mail_before_the_last() -> None:
    """Neither the start nor a phase's results give it away."""
    house = House()
    house.start(keep_mails=True)
    mails = [*house.mails_out(), *play(house, OPENING)]

    assert mails
    assert [m.subject for m in mails if house.game().secret.hex() in "".join(m.body.split())] == []


def test_last_draw_vote_ends_the_game() -> None:
    """Seven votes do nothing; the eighth makes them unanimous."""
    house = started("nomoney")
    for power in "AFLINPT":
        order(house, power, "SET DRAW")
    assert house.game().status is Status.RUNNING
    order(house, "V", "SET DRAW")

    assert house.game().ending.end is End.DRAW
    assert house.game().ending.winners == tuple(house.services.scenario(house.game()).in_play)
    assert house.game().ending.by_vote


def test_different_draws_do_not_agree() -> None:
    """All must vote for a draw among the same powers."""
    house = started("nomoney")
    for power in "AFLINPT":
        order(house, power, "SET DRAW LV")
    order(house, "V", "SET DRAW LVP")
    assert house.game().status is Status.RUNNING
    order(house, "V", "SET DRAW VL")

    assert house.game().ending.winners == ("V", "L")


def test_concession_needs_all_others() -> None:
    """Anyone who wins is not asked."""
    house = started("nomoney")
    for power in "AFLINP":
        order(house, power, "SET CONCEDE V")
    assert house.game().status is Status.RUNNING
    order(house, "T", "SET CONCEDE Venice")

    assert (house.game().ending.end, house.game().ending.winners) == (End.CONCESSION, ("V",))


def test_votes_stand_over_the_phases_until_they_are_withdrawn() -> None:
    """The results say what a reader has voted, and to nobody else."""
    house = started()
    for power in "AFLINP":
        order(house, power, "SET DRAW")
    results = {m.to: m.body for m in play(house, OPENING) if tells_results(m.body)}

    assert house.view().state.moment.code == "S1454M"
    assert [bool(seat.draw) for seat in players(house.game())].count(True) == 6
    own = results[address_of(house, "L")]
    assert "YOUR VOTE" in own
    assert "SET NODRAW withdraws the vote." in " ".join(own.split())
    assert "YOUR VOTE" not in results[address_of(house, "V")]

    order(house, "L", "SET NODRAW")
    for power in "VT":
        order(house, power, "SET DRAW")
    assert house.game().status is Status.RUNNING
    order(house, "L", "SET DRAW")
    assert house.game().status is Status.FINISHED


def all_hold(house: House, powers: str) -> list[Outgoing]:
    """These powers order all that they have to hold; what comes of it."""
    sent: list[Outgoing] = []
    for power in powers:
        units = house.view().state.units_of(PowerId(power))
        sent += order(house, power, *(f"{unit.kind.value} {unit.place} H" for unit in units))
    return sent


def without_land(house: House, power: str) -> None:
    """A power has lost all that it had, units and land."""
    phases = house.store.tables.phases
    state = phases[-1].after

    def others(owned):
        return {place: owner for place, owner in owned.items() if owner != power}

    after = replace(
        state,
        field={p: unit for p, unit in state.field.items() if unit.owner != power},
        garrisons={p: unit for p, unit in state.garrisons.items() if unit.owner != power},
        provinces=others(state.provinces),
        cities=others(state.cities),
    )
    house.store.tables.phases = [*phases[:-1], replace(phases[-1], after=after)]


def test_votes_that_an_elimination_makes_unanimous_end_the_game() -> None:
    """The one who had not voted is out: results and last mail go out together."""
    house = started("nomoney")
    without_land(house, "T")
    for power in "AFLINPV":
        order(house, power, "SET DRAW")
    assert house.game().status is Status.RUNNING
    sent = all_hold(house, "AFLINPV")

    assert house.game().status is Status.FINISHED
    assert (house.game().ending.end, house.game().ending.by_vote) == (End.DRAW, True)
    assert "T" not in house.game().ending.winners
    to_venice = [m for m in sent if m.to == address_of(house, "V")]
    assert [tells_results(m.body) for m in to_venice].count(True) == 1
    assert ["game over" in m.subject for m in to_venice].count(True) == 1


def test_vote_that_names_an_eliminated_power_lapses_and_says_so() -> None:
    """One for a draw of some; one for all survivors goes on."""
    house = started("nomoney")
    without_land(house, "T")
    order(house, "V", "SET DRAW VT")
    order(house, "L", "SET DRAW, CONCEDE T")
    sent = all_hold(house, "AFLINPV")
    votes = {seat.powers[0]: seat for seat in players(house.game())}
    told = {m.to: " ".join(m.body.split()) for m in sent if tells_results(m.body)}

    assert votes["V"].draw is None
    assert (set(votes["L"].draw), votes["L"].concede) == (set("AFILNPV"), None)
    assert "Turkey has lapsed: one of them is eliminated." in told[address_of(house, "V")]
    assert "Your vote for Turkey to have won has lapsed." in told[address_of(house, "L")]


def test_abandoned_seats_are_not_asked() -> None:
    """Nobody can block a draw by leaving."""
    house = started("nomoney")
    order(house, "T", "RESIGN")
    for power in "AFLINPV":
        order(house, power, "SET DRAW")

    assert house.game().status is Status.FINISHED


def test_vote_is_taken_back() -> None:
    """SET NODRAW and SET NOCONCEDE."""
    house = started("nomoney")
    order(house, "L", "SET DRAW, CONCEDE V")
    order(house, "L", "SET NODRAW, NOCONCEDE")

    assert [seat for seat in house.game().seats if seat.draw or seat.concede] == []


def test_votes_that_cannot_be_are_refused() -> None:
    """Each with its sentence."""
    house = started("nomoney")
    body = answer(
        order(house, "L", "SET CONCEDE L", "SET CONCEDE X", "SET DRAW L", "SET CONCEDE"),
        address_of(house, "L"),
    )

    for reason in ("you cannot concede to yourself", "'X' is no power", "SET CONCEDE L", "to whom"):
        assert reason.lower() in body.lower()


def test_finished_game_takes_no_orders() -> None:
    """Orders and settings are refused; press still goes."""
    house = started("nomoney")
    as_master(house, "DECLARE VICTORY Venice")
    sent = order(house, "L", "A flo h", "SET WAIT", "SET DRAW", "BROADCAST", "Well played.")
    body = answer([m for m in sent if m.subject.startswith("Re:")], address_of(house, "L"))

    assert body.count("\nThe game is over.") == 3
    assert any("Well played." in m.body for m in sent if m.to == address_of(house, "V"))


def test_times_of_a_finished_game_are_not_those_of_one_that_has_not_begun() -> None:
    """The master reads that it is over, and of no first deadline."""
    house = started()
    as_master(house, "DECLARE VICTORY Venice")
    for line in ("SET DEADLINE +48h", "SET GRACE +48h", "SET START +48h"):
        said = answer(as_master(house, line), MASTER)
        assert "The game is over." in said
        assert "has not begun" not in said


def test_terminate_ends_a_forming_game_at_once() -> None:
    """A game that nobody joins can be broken off as well; there is nothing to reveal."""
    house = House()
    write(house, "gina@player.example", "CREATE ?Borgia masterkey 1454")
    write(house, "marco@player.example", "SIGNON ?borgia tulip9")
    sent = as_master(house, "TERMINATE")

    assert house.game().ending.end is End.TERMINATED
    assert {m.to for m in sent if "game over" in m.subject} == {
        "gina@player.example",
        "marco@player.example",
    }


def test_only_the_master_declares() -> None:
    """A player is told so."""
    house = started("nomoney")
    body = answer(order(house, "L", "DECLARE VICTORY Florence"), address_of(house, "L"))

    assert "that is for the master" in body.lower()
    assert house.game().status is Status.RUNNING


def test_eliminated_power_cannot_win() -> None:
    """And a word that is no power neither."""
    house = started("nomoney")
    sent = as_master(house, "DECLARE VICTORY Burgundy", "DECLARE VICTORY", "DECLARE DRAW Venice")

    assert house.game().status is Status.RUNNING
    body = next(m.body for m in sent if m.subject.startswith("Re:"))
    assert "'Burgundy' is no power here" in body
    assert "at least two players" in body


def nearly_won(cities: int, *, auto: bool = True) -> House:
    """A game that so many cities and a home country win, in its first adjustment."""
    house = started()
    game = house.game()
    settings = replace(game.settings, auto_victory=auto)
    victory = replace(
        game.rules.victory, level=Level.CUSTOM, cities=cities, formula=HomeFormula.NONE, homes=1
    )
    rules = replace(game.rules, victory=victory)
    house.store.tables.games[game.id] = replace(game, rules=rules, settings=settings)
    return house


def year_to_spring(house: House) -> list[Outgoing]:
    """Play up to the results of Spring; only these and what comes with them."""
    play(house, OPENING)
    return play(house, SPRING)


def in_a_week(house: House) -> list[Outgoing]:
    """What the judge sends when a week is over."""
    look_at_games(house.services, house.later(days=7, minutes=1))
    return house.mails_out()


def test_a_game_is_won_with_the_campaign_that_wins_it() -> None:
    """The results say so, and that the master can take it back; nothing is ordered (VIC-01)."""
    house = nearly_won(4)
    results = [mail for mail in year_to_spring(house) if mail.to == MASTER][-1]
    game = house.game()

    assert (game.status, game.clock.won) == (Status.RUNNING, True)
    assert "Venice fulfils the condition of victory (4 cities" in results.body
    assert "The game is won. It ends for good" in results.body
    assert "the master can take it back with RESUME" in results.body
    assert "order your" not in results.body
    assert "DECLARE" not in results.body
    assert "secret" not in results.body.lower()


def test_a_won_game_ends_by_itself_after_a_week() -> None:
    """The last mail tells everything, as ever (VIC-01, VIC-08)."""
    house = nearly_won(4)
    year_to_spring(house)
    look_at_games(house.services, house.later(days=6))
    before = house.game().status
    last = [mail for mail in in_a_week(house) if mail.to == MASTER][-1]
    game = house.game()

    assert before is Status.RUNNING
    assert (game.status, game.clock) == (Status.FINISHED, None)
    assert game.ending.end is End.DRAW
    assert game.ending.winners == ("V", "P", "N", "F")
    assert "Venice, the Papacy, Naples and France share the win" in last.body


def test_the_master_takes_a_victory_back_that_the_judge_declared() -> None:
    """The game goes on, with the time of the phase that had stood, and nobody has won."""
    house = nearly_won(4)
    year_to_spring(house)
    house.later(days=2)
    sent = as_master(house, "RESUME")
    told = [mail for mail in sent if "the game goes on" in mail.subject]
    clock = house.game().clock

    assert (clock.ends, clock.won, clock.paused) == (None, False, None)
    assert clock.deadline > house.now
    assert told
    assert all("the game does not end" in mail.body for mail in told)
    in_a_week(house)
    assert house.game().status is Status.RUNNING


def test_a_game_whose_victory_was_taken_back_is_broken_off_like_any_other() -> None:
    """Then nobody has won it."""
    house = nearly_won(4)
    year_to_spring(house)
    as_master(house, "RESUME")
    as_master(house, "TERMINATE")
    in_a_week(house)

    assert house.game().ending.end is End.TERMINATED


def test_a_won_game_says_so_until_it_ends() -> None:
    """Who asks reads when, and who plays on is told why nothing is played."""
    house = nearly_won(4)
    year_to_spring(house)
    listed = answer(write(house, "ann@new.example", "LIST borgia"), "ann@new.example")
    sent = as_master(house, "PROCESS")

    assert "Won; it ends for good" in listed
    assert any("the game is won; it ends" in " ".join(mail.body.split()).lower() for mail in sent)


def test_the_master_may_end_a_won_game_at_once() -> None:
    """By declaring it."""
    house = nearly_won(4)
    year_to_spring(house)
    as_master(house, "DECLARE VICTORY Venice")

    assert house.game().ending.winners == ("V",)


def test_the_winner_of_most_cities_wins_alone() -> None:
    """Of several who fulfil the condition in the same campaign (VIC-08)."""
    house = nearly_won(3)
    game = house.game()
    play(house, OPENING)
    stored = replace(house.store.tables.phases[-1], events=(MAX, FEWER), processed=house.now)

    ending = ending_of(game, stored)

    assert (ending.end, ending.winners) == (End.VICTORY, ("V",))


def test_the_record_of_a_game_that_ended_by_itself_is_sealed_with_its_last_phase() -> None:
    """And verified like any other."""
    house = nearly_won(4)
    year_to_spring(house)
    sent = in_a_week(house)
    chronicle = export(house.services, house.game().id)

    assert isinstance(chronicle, Chronicle)
    assert chronicle.phases[-1].moment == "S1454M"
    assert any(seal_of(chronicle) in "".join(mail.body.split()) for mail in sent)


def test_a_die_ends_a_game_for_anyone_who_leads() -> None:
    """Without the option that ends won games; above the limit it goes on (VIC-10)."""
    house = started()
    play(house, OPENING)
    stored = house.store.tables.phases[-1]
    leaders = (PowerId("V"), PowerId("P"))
    over = replace(stored, events=(EndThrown(leaders, 12, 2, 2),), processed=house.now)
    goes_on = replace(stored, events=(EndThrown(leaders, 12, 3, 2),))

    ending = ending_of(house.game(), over)

    assert (ending.end, ending.winners) == (End.DRAW, leaders)
    assert ending_of(house.game(), goes_on) is None


def test_who_fulfils_the_condition_has_won_before_who_leads_when_the_die_falls() -> None:
    """Once, with or without the option that ends won games (VIC-08, VIC-10)."""
    house = started()
    play(house, OPENING)
    stored = house.store.tables.phases[-1]
    naples, both = PowerId("N"), (PowerId("P"), PowerId("V"))
    whole = VictoryReached(naples, 12, 1)
    over = replace(stored, events=(whole, EndThrown(both, 14, 2, 4)), processed=house.now)
    goes_on = replace(stored, events=(whole, EndThrown(both, 14, 5, 4)))
    itself = replace(over, events=(whole, EndThrown((naples,), 12, 2, 2)))

    assert ending_of(house.game(), over).winners == (naples,)
    assert ending_of(house.game(), itself).winners == (naples,)
    assert ending_of(house.game(), goes_on) is None


def test_without_the_option_the_master_declares() -> None:
    """The game goes on until then."""
    house = nearly_won(4, auto=False)
    results = [mail for mail in year_to_spring(house) if mail.to == MASTER][-1]

    assert house.game().status is Status.RUNNING
    assert "order your" in results.body
