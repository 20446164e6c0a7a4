"""The form may be answered in the HTML part, as mail programs quote it, in every language."""

import re
from collections.abc import Sequence
from email.message import EmailMessage

import pytest

from machjudge.judge.credentials import code_of, tag_of
from machjudge.judge.mails import Outgoing
from machjudge.mail_parser.html import lines_of
from tests.judge.fakes import SECRET
from tests.judge.house import House, built_once
from tests.judge.letters_in import answer, work, write
from tests.judge.lines.html_replies import PROGRAMS
from tests.judge.year import OPENING, on_file, play
from tests.messages.test_html import parts
from tests.results_told import tells_results

ANNA = "anna@player.example"
LANGUAGES = {
    "en": ("A Florence H", "Florence", "Your mail holds nothing but the message that it quotes"),
    "es": ("E Florencia H", "Florencia", "Tu mensaje no contiene más que el mensaje que cita"),
    "it": ("A Firenze H", "Firenze", "Il tuo messaggio non contiene altro che il messaggio citato"),
}
FORMS = (("html", "en"), ("html", "es"), ("text", "en"), ("both", "it"))
"""HTML alone, the text that a program makes of it, or both; and the reader's language."""
ENDING = ("gmail", "apple", "yahoo")
"""The programs that mark where a quotation ends."""


def results_for(house: House) -> Outgoing:
    """The results that bring Anna the lines to send back."""
    sent = [each for each in play(house, OPENING) if each.to == ANNA]
    (found,) = [
        each
        for each in sent
        if "\nResultados de " in each.body
        or "\nRisultati: " in each.body
        or tells_results(each.body)
    ]
    return found


@built_once
def house_in(language: str) -> House:
    """1454 before its first campaign; Anna leads Florence, and reads in a language."""
    house = House()
    house.start(options=["nodice"])
    write(house, ANNA, "SIGNON Lborgia pwL", f"SET LANGUAGE {language}")
    return house


def send(house: House, letter: Outgoing, html: str, form: str = "html") -> str:
    """Answer a message with an HTML document; what comes back."""
    assert letter.reply is not None
    tag = tag_of(code_of(SECRET, letter.reply))
    mail = EmailMessage()
    mail["From"] = letter.to
    mail["To"] = f"judge+{tag}@mach.example"
    mail["Subject"] = f"Re: {letter.subject}"
    mail["Message-ID"] = f"<html{abs(hash(html))}@player.example>"
    if form == "html":
        mail.set_content(html, subtype="html")
    else:
        mail.set_content("\n".join(lines_of(html, 10_000)[0]) + "\n")
    if form == "both":
        mail.add_alternative(html, subtype="html")
    house.store.receive(
        mail.as_bytes(), letter.to, house.now, recipient=f"judge+{tag}@mach.example"
    )
    work(house)
    return answer(house.mails_out(), letter.to)


def html_of(letter: Outgoing) -> str:
    """Its HTML part, as programs give it back."""
    return parts(letter)[1].replace("\r\n", "\n")


def changed(html: str, *pairs: tuple[str, str]) -> str:
    """The HTML of a message with rows of its form changed in place."""
    for old, new in pairs:
        html, count = re.subn(rf"(?<=[\n>]){re.escape(old)}(?=\n|</pre>)", new, html)
        assert count == 1, old
    return html


@pytest.mark.parametrize(("form", "language"), FORMS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_rows_changed_in_the_quotation_are_orders(program: str, language: str, form: str) -> None:
    """And the rest of the quotation is not: it is neither obeyed nor named."""
    house = house_in(language)
    letter = results_for(house)
    line, city, _ = LANGUAGES[language]
    html = changed(
        html_of(letter), (line, f"{line[0]} {city} - Siena"), ("F Pisa H", "f pisa - pio")
    )

    told = send(house, letter, PROGRAMS[program](html, (), ()), form)

    assert on_file(house) == ["A are h", "A flo - sie", "F psa - pio"], told
    assert not re.search("NOT READ|NO LEÍDO|NON LETTO", told), told


@pytest.mark.parametrize(("form", "language"), FORMS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_untouched_quotation_changes_nothing(program: str, language: str, form: str) -> None:
    """And its sender is told so."""
    house = house_in(language)
    letter = results_for(house)

    told = send(house, letter, PROGRAMS[program](html_of(letter), (), ()), form)

    assert on_file(house) == []
    assert LANGUAGES[language][2] in " ".join(told.split()), told


@pytest.mark.parametrize(
    ("program", "below"),
    [*((each, False) for each in PROGRAMS), *((each, True) for each in ENDING)],
)
def test_rows_typed_above_or_below_count_more(program: str, below: bool) -> None:
    """What stands outside the quotation is what its writer meant last."""
    house = house_in("es")
    letter = results_for(house)
    html = changed(html_of(letter), ("E Florencia H", "E Florencia - Siena"))
    typed: Sequence[str] = ("E Florencia - Pisa",)

    send(house, letter, PROGRAMS[program](html, () if below else typed, typed if below else ()))

    assert on_file(house) == ["A are h", "A flo - psa", "F psa h"]


ODD = {
    "spaces that do not break": "A&nbsp;Florence&nbsp;-&nbsp;Siena",
    "a longer dash": "A Florence &#8211; Siena",
    "an arrow": "A Florence &#8594; Siena",
    "curly quotes": "&#8220;A Florence - Siena&#8221;",
    "a link": 'A Florence - <a href="http://siena.example/">Siena</a>',
    "a break behind it": "A Florence - Siena<br>",
    "marks of style": 'A <b>Florence</b> - <span style="background-color:yellow">Siena</span>',
    "the old order struck out": "<s>A Florence H</s><br>A Florence - Siena",
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("program", ["gmail", "outlook", "samsung"])
def test_odd_signs_of_programs_make_no_difference(program: str, odd: str) -> None:
    """What programs make of what was typed is read as what was meant."""
    house = house_in("en")
    letter = results_for(house)
    html = changed(html_of(letter), ("A Florence H", ODD[odd]))

    told = send(house, letter, PROGRAMS[program](html, (), ()))

    assert on_file(house) == ["A are h", "A flo - sie", "F psa h"], told
