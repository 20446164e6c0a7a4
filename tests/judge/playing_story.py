"""What happens unseen in the game of the player's guide: what the others write, and time."""

from collections.abc import Mapping
from datetime import timedelta

from tests.judge.calendar import Record
from tests.judge.guide import Chapter
from tests.judge.letters_in import write
from tests.judge.year import OPENING

PLAYERS: Mapping[str, str] = {
    "L": "lucia",
    "P": "paolo",
    "V": "marco",
    "I": "anna",
    "N": "rosa",
    "T": "nino",
    "A": "enzo",
    "F": "carla",
}
GINA = "gina@player.example"


def person(record: Record, name: str, *lines: str) -> None:
    """Somebody writes to the judge."""
    record.keep(write(record.house, f"{name}@player.example", *lines))


def orders(record: Record, said: Mapping[str, tuple[str, ...]]) -> None:
    """Powers send orders."""
    for power, lines in said.items():
        record.say(power, *lines, "SIGNOFF")


def gina_creates(record: Record) -> None:
    """A game is there to be joined."""
    person(record, "gina", "REGISTER", "Name: Gina Bassi", "Timezone: Europe/Rome", "END")
    record.master_address = GINA
    person(record, "gina", "CREATE ?Borgia masterkey 1454")


def others_join(record: Record) -> None:
    """Seven more players, each with the power that he likes; the game begins."""
    record.passwords["L"] = "tulip9"
    for power, name in PLAYERS.items():
        if power != "L":
            lines = ("REGISTER", f"Name: {name.capitalize()}", "END")
            person(record, name, *lines)
            person(record, name, f"SIGNON ?Borgia pw{power}", f"SET PREFERENCES {power}")


def others_adjust(record: Record) -> None:
    """The opening adjustment is played with the last of these mails."""
    record.later(days=3)
    orders(record, {power: lines for power, lines in OPENING.items() if power != "L"})


def paolo_agrees(record: Record) -> None:
    """He believes it."""
    lines = ("PRESS TO L", "Agreed. Siena is yours, I go north.", "P.", "ENDPRESS", "SIGNOFF")
    record.say("P", *lines)


def spring(record: Record) -> None:
    """Papacy and Venice bounce in Ferrara."""
    papal = ("A bol - fer", "A per h", "A rme h", "F anc - uas")
    orders(record, {"P": papal, "V": ("A pad - fer", "A ver h", "F dal - las", "G ven h")})
    record.later(days=2)
    record.all_in(without="LPV")


def summer(record: Record) -> None:
    """Papacy goes north."""
    orders(record, {"P": ("A bol - fer", "A per h", "A rme h", "F uas h")})
    record.later(days=2)
    record.all_in(without="LP")


def paolo_retreats(record: Record) -> None:
    """And strikes back in Fall, for which Lucia is late by two days."""
    record.say("P", "A per - spo")
    orders(record, {"P": ("A rme - per", "A spo s A rme - per", "F uas h")})
    record.all_in(without="LP")
    record.later(days=5)


def others_adjust_again(record: Record) -> None:
    """The second year begins."""
    record.all_in(without="L")


def turkey_is_silent(record: Record) -> None:
    """Until Dino takes its seat between the years."""
    record.all_in(without="LT")
    record.until(record.deadline + timedelta(days=17))
    person(record, "dino", "REGISTER", "Name: Dino", "END")
    person(record, "dino", "SIGNON TBorgia gondola7")
    record.passwords["T"] = "gondola7"
    record.say("T", "A alb H", "F dur H", "F tun H", "SIGNOFF")


def gina_pauses(record: Record) -> None:
    """For the whole winter."""
    record.master("PAUSE")


def gina_resumes(record: Record) -> None:
    """And the clock of the server leaps by three days."""
    record.step = timedelta(hours=12)
    record.later(days=150)
    record.master("RESUME", "SET MOVES NEXT 96")
    record.step = timedelta(hours=3)
    record.later(hours=3)
    record.house.now += timedelta(days=3)
    record.cron()


def others_vote(record: Record) -> None:
    """All alike."""
    for power in "PVINTAF":
        record.say(power, "SET DRAW LPV", "SIGNOFF")


STORY: Mapping[str, Chapter] = {
    "Gina creates the game": gina_creates,
    "the others join": others_join,
    "the others adjust": others_adjust,
    "Paolo agrees": paolo_agrees,
    "the others play Spring": spring,
    "the others play Summer": summer,
    "Paolo retreats, and Lucia sends nothing in Fall": paolo_retreats,
    "the others adjust again": others_adjust_again,
    "Turkey is silent until somebody else takes it": turkey_is_silent,
    "Gina pauses the game": gina_pauses,
    "Gina resumes it, and the clock leaps": gina_resumes,
    "the others vote alike": others_vote,
}
