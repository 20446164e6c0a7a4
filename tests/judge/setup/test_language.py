"""Everybody reads the judge in a language of their own."""

import pytest

from machjudge.judge.records import GameId, Notice
from machjudge.messages.catalogue import TEXTS, Library
from tests.judge.house import NOON, ROOT, House, built_once, message_renderer, started
from tests.judge.letters_in import answer, message_to, write
from tests.judge.year import OPENING, SPRING, order, play

ANNA = "anna@player.example"
MARCO = "marco@player.example"


@built_once
def spanish() -> House:
    """A running game in which Florence reads Spanish."""
    house = started("nodice")
    write(house, ANNA, "SIGNON Lborgia pwL", "SET LANGUAGE es")
    return house


@pytest.mark.parametrize("named", ["es", "ES", "Spanish", "español", "castellano"])
def test_a_language_is_set_by_any_of_its_names(named: str) -> None:
    """And the answer is already written in it; so are those that follow, until it is set back."""
    house = started("nodice")
    said = answer(write(house, ANNA, "SIGNON Lborgia pwL", f"SET LANGUAGE {named}"), ANNA)
    later = answer(order(house, "L", "maintain all"), ANNA)
    back = answer(write(house, ANNA, "SIGNON Lborgia pwL", "SET LANGUAGE English"), ANNA)

    assert "El juez te escribe en español." in said
    assert "COMPLETO: constan todas las órdenes de Florencia." in later
    assert "The judge writes to you in English." in back


@pytest.mark.parametrize("named", ["it", "Italian", "italiano"])
def test_italian_is_set_by_any_of_its_names(named: str) -> None:
    """And the answer is already written in it."""
    house = started("nodice")
    said = answer(write(house, ANNA, "SIGNON Lborgia pwL", f"SET LINGUA {named}"), ANNA)

    assert "Il giudice ti scrive in italiano." in said


def test_a_text_that_was_asked_for_comes_in_the_language_of_its_reader() -> None:
    """Where there is one."""
    said = answer(write(spanish(), ANNA, "SIGNON Lborgia pwL", "GET PRESS"), ANNA)

    assert "Nadie ve la dirección de nadie" in said


def test_a_rule_is_sent_in_the_language_of_its_reader() -> None:
    """One by its number, a section by its Spanish title, and all of them as a file."""
    house = spanish()
    said = answer(write(house, ANNA, "SIGNON Lborgia pwL", "GET RULES INC-14"), ANNA)
    section = answer(write(house, ANNA, "SIGNON Lborgia pwL", "GET RULES conversion"), ANNA)
    whole = message_to(write(house, ANNA, "SIGNON Lborgia pwL", "GET RULES"), ANNA)

    assert "REGLAS: INC-14\n- INC-14 " in said
    assert "- CNV-01 Una unidad de campo puede convertirse" in section
    assert "  SIE  asedios\n" in whole.body
    assert "LAS REGLAS DEL JUEZ\n" in whole.attachments[0].content.decode()


def test_what_an_option_can_be_is_told_in_the_language_of_its_reader() -> None:
    """HELP OPTION has no English in it, nor have the pages of all options and all commands."""
    house = spanish()
    said = answer(write(house, ANNA, "SIGNON Lborgia pwL", "HELP OPTION unit_caps"), ANNA)
    pages = answer(write(house, ANNA, "SIGNON Lborgia pwL", "GET OPTIONS", "GET COMMANDS"), ANNA)

    assert "Posible: números de 0 a 99 para algunos de A, F, G; o none." in said
    assert "- Posible: números de 0 a 99 para algunos de A, F, G; o none." in pages
    assert "Crea una partida nueva; eres su máster.\nPara cualquiera." in pages


@pytest.mark.parametrize(("language", "told"), [("es", "en inglés"), ("it", "in inglese")])
@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_comes_in_english_says_so(language: str, told: str, name: str) -> None:
    """In a line above it, and in the list of texts; one in the language of its reader does not."""
    house = spanish()
    write(house, ANNA, "SIGNON Lborgia pwL", f"SET LANGUAGE {language}")
    letter = message_to(write(house, ANNA, "SIGNON Lborgia pwL", f"GET {name}"), ANNA)
    listed = answer(write(house, ANNA, "SIGNON Lborgia pwL", "GET INDEX"), ANNA)
    row = " ".join(listed.partition(f"  GET {name.upper()}: ")[2].partition("  GET ")[0].split())
    files = [file.content.decode() for file in letter.attachments]
    is_own = Library(ROOT / "docs").is_in(language, name)

    assert row.endswith(f" ({told})") is not is_own
    assert any(f" {told}.\n\n" in text for text in (letter.body, *files)) is not is_own


def test_an_unknown_language_is_asked_back() -> None:
    """With those that there are."""
    house = started()
    said = answer(write(house, ANNA, "SIGNON Lborgia pwL", "SET LANGUAGE klingon"), ANNA)

    assert "Write en, es or it." in said


def test_anyone_who_is_not_registered_has_no_language() -> None:
    """They read, in that language, how they register with it."""
    said = answer(write(House(), "dino@player.example", "SET LANGUAGE es"), "dino@player.example")

    assert "El juez te escribe" not in said
    assert "REGISTER\nName: tu nombre\nTimezone: Europe/Madrid\nLanguage: es\nEND" in said


def test_each_reader_of_the_results_reads_their_own_language() -> None:
    """What the one reads in Spanish the other reads in English."""
    sent = play(spanish(), OPENING)
    told = {each.to: each for each in sent}

    assert "– nada perdido, nada tomado (" in told[ANNA].subject
    assert "Resultados de otoño de 1453, ajuste." in told[ANNA].body
    assert "Results of Fall 1453, adjustment." in told[MARCO].body


def test_press_is_not_translated() -> None:
    """Its text stays as it was written."""
    house = spanish()
    sent = write(
        house, MARCO, "SIGNON Vborgia pwV", "PRESS TO L", "Peace with you.", "ENDPRESS", "SIGNOFF"
    )

    (told,) = [each for each in sent if each.to == ANNA]
    assert "  Peace with you." in told.body


@pytest.mark.parametrize(
    "news",
    [
        "borgia, ajuste de otoño de 1453: nada perdido, nada tomado",
        "borgia, Fall 1453 adjustment: nothing lost, nothing taken",
    ],
)
def test_a_reply_to_older_results_is_known_by_its_subject(news: str) -> None:
    """In the reader's language, and in English, which they may have read before."""
    house = spanish()
    play(house, OPENING)
    play(house, SPRING)
    own = ["SIGNON Lborgia pwL", "A flo h", "SIGNOFF"]
    said = answer(write(house, ANNA, *own, subject=f"Re: {news}"), ANNA)

    assert "Tu asunto nombra S1454M." in said


def test_the_log_of_a_game_is_in_one_language() -> None:
    """All read the same history, no matter who wrote."""
    house, english = spanish(), House()
    english.start(options=["nodice"])
    for each in (house, english):
        write(each, ANNA, "SIGNON Lborgia pwL", "SET DRAW LV", "RESIGN", "SIGNOFF")
    logged = [each.text for each in house.store.tables.notices]

    assert logged == [each.text for each in english.store.tables.notices]
    assert len(logged) > 1


REGISTER = ("REGISTER", "Name: Rosa", "Timezone: Rome", "END")
FIRST_MAILS = [
    (*REGISTER, "SET CALENDAR OFF", "SET LANGUAGE es"),
    ("SET LANGUAGE es", *REGISTER, "SET CALENDAR OFF"),
    ("SET LANGUAGE it", *REGISTER, "SET LANGUAGE es", "SET CALENDAR OFF"),
]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("Name: Rosa", "Timezone: Rome", "Language: es"), "Constas como Rosa"),
        (("Nombre: Rosa", "Zona horaria: Rome", "Idioma: español"), "Constas como Rosa"),
        (("Nome: Rosa", "Fuso orario: Rome", "Lingua: italiano"), "Sei nel registro come Rosa"),
        (("Name: Rosa", "Timezone: Rome"), "You are registered as Rosa"),
        (("Name: Rosa", "Timezone: Rome", "Language: Klingon"), "Write en, es or it."),
    ],
)
def test_a_registration_says_its_language(lines: tuple[str, ...], told: str) -> None:
    """The answer is already written in it; the words before the colons may be, too."""
    house = House()
    (sent,) = write(house, "rosa@new.example", "REGISTER", *lines, "END")
    (person,) = house.store.tables.persons.values()

    assert told in " ".join(sent.body.split())
    assert (person.name, person.zone) == ("Rosa", "Europe/Rome")


@pytest.mark.parametrize("confirm", [False, True])
@pytest.mark.parametrize("lines", FIRST_MAILS)
def test_a_first_mail_is_answered_in_the_language_that_it_sets(
    lines: tuple[str, ...], confirm: bool
) -> None:
    """Wherever the line stands, all of the answer, and so are the later ones."""
    house = House(confirm=confirm)
    (sent,) = write(house, "rosa@new.example", *lines)
    told = " ".join(sent.body.split())

    assert "Rosa, zona horaria Europe/Rome." in told
    assert "Ya no llegan plazos para tu calendario." in told
    assert "El juez te escribe en español." in told
    assert [word for word in ("The judge", "calendar.", "time zone", "Reply") if word in told] == []
    assert [person.language for person in house.store.tables.persons.values()] == ["es"]


def test_what_stands_above_the_line_that_sets_the_language_is_said_in_it() -> None:
    """Also where the reader had another one until then."""
    lines = ("SIGNON Lborgia pwL", "SET CALENDAR OFF", "A flo - xyz", "SET LANGUAGE it")
    told = answer(write(spanish(), ANNA, *lines), ANNA)

    assert "Il giudice ti scrive in italiano." in told
    assert [
        word for word in ("El juez", "calendario.\n  El", "línea", "Ya no") if word in told
    ] == []


def test_an_address_that_is_only_claimed_sets_no_language_for_its_owner() -> None:
    """Anyone who gets the answer reads what they read before."""
    house = House(confirm=True)
    house.start(options=["nodice"])
    write(house, ANNA, "SIGNON Lborgia pwL", "SET LANGUAGE es")
    told = answer(write(house, ANNA, "SET CALENDAR OFF", "SET LANGUAGE it"), ANNA)

    assert "línea 2: SET LANGUAGE it" in told
    assert "giudice" not in told


@pytest.mark.parametrize(
    ("language", "sent", "told", "kept"),
    [
        ("es", "Tu prensa fue al Papado:", "Prensa del Papado a Florencia:", "Florencia a todos"),
        ("it", "è andata al Papato:", "Stampa dal Papato a Firenze:", "Firenze a tutti"),
    ],
)
def test_press_names_who_writes_and_who_reads_as_the_language_does(
    language: str, sent: str, told: str, kept: str
) -> None:
    """With the article that a name has there; and what went to everybody says so in history."""
    house = spanish()
    write(house, ANNA, "SIGNON Lborgia pwL", f"SET LANGUAGE {language}")
    asked = answer(order(house, "L", "PRESS TO P", "Pax?", "ENDPRESS"), ANNA)
    replied = message_to(order(house, "P", "PRESS TO L", "Pax.", "ENDPRESS"), ANNA).body
    order(house, "L", "BROADCAST", "Pax!", "ENDPRESS")

    assert sent in asked
    assert told in replied
    assert kept in answer(order(house, "L", "HISTORY"), ANNA)


# --- who writes in another language ----------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "offer"),
    [
        (("Hola, quiero jugar una partida.", "LIST"), "SET LANGUAGE es"),
        (("Ciao, vorrei giocare una partita!", "LIST"), "SET LANGUAGE it"),
        (("AYUDA",), "SET LANGUAGE es"),
        (("Mantener E Milán", "F Venecia - Alto Adriático"), "SET LANGUAGE es"),
        (("aiuto!",), "SET LANGUAGE it"),
        (("Hello, I would like to play.", "LIST"), ""),
        (("LIST",), ""),
    ],
)
def test_who_writes_in_another_language_reads_how_to_have_it(
    lines: tuple[str, ...], offer: str
) -> None:
    """In their own language, as long as none is set."""
    house = House()
    body = write(house, "nuevo@far.example", *lines)[0].body

    assert ("SET LANGUAGE" in body) is bool(offer)
    assert offer in body


def test_a_language_that_was_chosen_is_not_offered_again() -> None:
    """Nor another one."""
    house = House()
    write(house, "nuevo@far.example", "REGISTER", "Name: Nuevo", "END", "SET LANGUAGE es")
    body = write(house, "nuevo@far.example", "Ciao, vorrei giocare una partita", "LIST")[0].body

    assert "SET LANGUAGE" not in body


# --- the log of the game ----------------------------------------------------------------------


def test_what_the_master_did_is_told_in_the_language_of_each_reader() -> None:
    """With the times in the reader's zone; one who reads English reads it in English."""
    house = spanish()
    own = "SIGNON Mborgia masterkey"
    write(house, "lucia@player.example", own, "SET NMR HOLD", "SET COMMENT Hola", "NUDGE")
    sent = write(house, "lucia@player.example", own, "DECLARE VICTORY Venice")
    told = {each.to: each.body for each in sent if "SHA-256" in each.body}

    assert "  El comentario dice: Hola" in told[ANNA]
    assert "vie 20 nov 2026, 13:00 CET (12:00 UTC)\n  recordatorio a Austria" in told[ANNA]
    assert "The comment" not in told[ANNA]
    assert "  The comment says: Hola" in told[MARCO]


def test_a_log_of_an_earlier_version_is_told_as_it_was_written() -> None:
    """It has no other words."""
    notice = Notice(GameId("borgia"), NOON, None, "conduct", "The comment says: Hola")

    assert message_renderer().of("es").say(notice.words) == "The comment says: Hola"


def test_a_spanish_army_is_an_e_in_the_units_that_are_kept_first() -> None:
    """As in orders."""
    house = spanish()
    told = answer(order(house, "L", "SET PRIORITY E Florencia, F Pisa, E"), ANNA)

    assert "estas se conservan primero: A flo, F psa, A." in told
