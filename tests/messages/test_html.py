"""The HTML of messages: the same facts as their text, and nothing that a mail program refuses."""

import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from machjudge.judge.mails import OutboxId, Outgoing, QueuedMessage
from machjudge.judge.records import Judge
from machjudge.judge.secret import fixed
from machjudge.mail.compose import compose
from machjudge.mail.html import DARK, LIGHT, html_styles
from machjudge.messages.layout import PLAIN
from machjudge.messages.render import MessageRenderer, Page
from tests.judge.house import House
from tests.judge.letters_in import write
from tests.judge.year import OPENING, order, play
from tests.messages.language_letters import LANGUAGE_MESSAGES
from tests.messages.test_golden import GOLDEN, LETTERS, running
from tests.messages.test_languages import TEMPLATES

JUDGE = Judge("MACH", "judge@mach.example", None, "0.1.0")
TO_THE_KEEPER = ("broken_map", "fault", "out_of_reach")
"""The layouts of what is wrong with the program or its files."""
SECRET = fixed(bytes(range(32)))
MADE = datetime(2026, 11, 20, 12, tzinfo=UTC)
NASTY = "<b>Anna</b> \"><script>alert('x')</script> &lt;i&gt;"


class Seen(HTMLParser):
    """What a reader sees of an HTML part, and what its tags and styles are."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self._hidden = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag begins: keep it, and what it says in place of a picture."""
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        if tag != "area":  # it repeats lines that stand in the text, as a button's address does
            self.words += words(found.get("alt", ""))
        if self._hidden or tag in ("title", "style") or "aria-hidden" in found:
            self._hidden += 1

    def handle_endtag(self, tag: str) -> None:
        """A tag ends."""
        self._hidden = max(0, self._hidden - 1)

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        if not self._hidden:
            self.words += words(data)


def words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return re.findall(r"\w+", text.casefold())


@cache
def seen(html: str) -> Seen:
    """What is seen of an HTML part; the same letters are part of many games."""
    return Seen(html)


@cache
def parts(letter: Outgoing) -> tuple[str, str]:
    """The text and the HTML of a letter as a mail program gets them; no HTML is empty."""
    mail = compose(QueuedMessage(OutboxId(7), MADE, 1, letter), JUDGE, SECRET).content
    found = message_from_bytes(mail, policy=default)
    text, html = (found.get_body([kind]) for kind in ("plain", "html"))
    assert text is not None
    return text.get_content(), html.get_content() if html is not None else ""


LAID_OUT: set[str] = set()
"""The layouts of which `letters` has a message."""


@cache
def letters() -> dict[str, list[Outgoing]]:
    """All letters that the golden messages are taken from."""
    kept: dict[str, list[Outgoing]] = {}
    usual, page = House.mails_out, MessageRenderer.page

    def noted(renderer: MessageRenderer, name: str, facts: Mapping[str, object]) -> Page:
        LAID_OUT.add(name)
        return page(renderer, name, facts)

    MessageRenderer.page = noted  # type: ignore[method-assign]
    for name, made in LETTERS.items():
        own = kept[name] = []

        def recorded(house: House, own: list[Outgoing] = own) -> list[Outgoing]:
            sent = usual(house)
            own += sent
            return sent

        House.mails_out = recorded  # type: ignore[method-assign]
        try:
            made()
        finally:
            House.mails_out = usual  # type: ignore[method-assign]
    MessageRenderer.page = page  # type: ignore[method-assign]
    return kept


@pytest.mark.parametrize("name", LETTERS)
def test_no_fact_stands_in_one_part_only(name: str) -> None:
    """What is seen of the HTML are the words of subject and text, each as often.

    A title leaves out the phase's code with which a subject ends.
    """
    for letter in letters()[name]:
        text, html = parts(letter)
        if html:
            subject = letter.subject.removeprefix("Re: ")
            titles = (subject, re.sub(r" \([SUF]\d{4}[MRB]\)$", "", subject))
            said = [Counter(words(title) + words(text)) for title in titles]
            assert Counter(seen(html).words) in said


def test_every_kind_of_message_is_compared() -> None:
    """Each layout of a message that people at a game get, digests and reminders too."""
    letters()
    layouts = {
        file.stem
        for file in (TEMPLATES / "en").glob("*.txt")
        if "{% block subject %}" in file.read_text("utf-8")
    }

    assert layouts - LAID_OUT == set(TO_THE_KEEPER)


@pytest.mark.parametrize("name", LANGUAGE_MESSAGES)
def test_html_is_as_it_was_read_and_approved(name: str) -> None:
    """In each language, for the kinds that everybody gets."""
    html = parts(LANGUAGE_MESSAGES[name]())[1].replace("\r\n", "\n")
    file = GOLDEN / "html" / f"{name}.html"
    if os.environ.get("GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(html, encoding="utf-8")

    assert html == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "es", "it"])
def test_messages_in_a_digest_are_laid_out_without_their_buttons(language: str) -> None:
    """A button would answer the digest, perhaps about a phase that is over."""
    digest = LANGUAGE_MESSAGES[f"{language}_digest"]()
    text, html = parts(digest)
    tags = [tag for tag, _ in seen(html).tags]

    assert ("E Arezzo H" if language == "es" else "A Arezzo H") in text
    assert "a" not in tags
    assert {"h3", "pre", "blockquote", "ul"} <= set(tags)
    assert "===" not in html.replace("=== END", "").replace("=== FIN", "")


@pytest.mark.parametrize("name", LETTERS)
def test_nothing_is_loaded_and_nothing_runs(name: str) -> None:
    """No script, no picture from elsewhere, no address but the judge's; its own few styles."""
    for letter in letters()[name]:
        _, html = parts(letter)
        assert len(html) <= 80_000
        for tag, found in seen(html).tags:
            assert tag not in ("script", "link", "iframe", "form", "svg")
            assert not any(each.startswith("on") for each in found)
            assert found.get("src", "cid:").startswith("cid:")
            assert found.get("href", "mailto:").startswith("mailto:")
            assert "url(" not in found.get("style", "")
        styles = re.findall("<style>(.*?)</style>", html, re.DOTALL)
        assert styles == ([html_styles()] if html else [])
        assert not re.search("url|@import", "".join(styles))


@pytest.mark.parametrize("name", LETTERS)
def test_letters_are_large_enough_and_headings_in_order(name: str) -> None:
    """At least 16 px; one first heading, and none leaves out a level; the language is named."""
    for letter in letters()[name]:
        _, html = parts(letter)
        if not html:
            continue
        sizes = re.findall(r"font(?:-size)?:(\d+)px", html)
        levels = [int(tag[1]) for tag, _ in seen(html).tags if re.fullmatch(r"h\d", tag)]
        assert min(map(int, sizes)) >= 16
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert f'<html lang="{letter.layout.partition(" ")[0]}">' in html
        assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("name", LETTERS)
def test_a_button_sends_what_the_text_says_to_the_address_for_answers(name: str) -> None:
    """In less than 2,000 characters; lines to send back stand in the text part, too."""
    for letter in letters()[name]:
        text, html = parts(letter)
        for tag, found in seen(html).tags:
            if tag not in ("a", "area"):
                continue
            link = urlsplit(found["href"])
            lines = parse_qs(link.query)["body"][0].split("\r\n")
            assert len(found["href"]) < 2000
            assert re.fullmatch(r"judge\+r\.[a-z0-9]{26}@mach\.example", unquote(link.path))
            verb, _, rest = lines[0].partition(" ")
            whole = [lines[0]] if lines[0] in text else [f"{verb} ", rest]
            assert all(line in text for line in (*whole, *lines[1:]))


def test_markup_of_people_stays_text() -> None:
    """A name, press, a line that cannot be read: no tag of theirs is one of the HTML."""
    house = running()
    write(house, "anna@player.example", "REGISTER", f"Name: {NASTY}", "END")
    sent = order(house, "L", "PRESS TO V", NASTY, "ENDPRESS", f"A flo - {NASTY}")
    sent += write(house, "anna@player.example", "SIGNON Lborgia pwL", f"SET COMMENT {NASTY}")
    sent += write(house, "nina@player.example", "LIST borgia", subject=NASTY)

    for letter in sent:
        text, html = parts(letter)
        assert "script" not in [tag for tag, _ in seen(html).tags]
        assert "b" not in [tag for tag, found in seen(html).tags if "nn" in str(found)]
        assert "<script" not in html
        assert "alert" not in text or "alert" in html


def test_marks_of_lines_cannot_be_typed() -> None:
    """The sign that marks begin with is a sign like others where a player writes it."""
    sent = order(running(), "L", "PRESS TO V", "\ue000hNEXT", "\ue000b x: RESIGN", "ENDPRESS")
    (letter,) = [each for each in sent if each.to == "marco@player.example"]

    html = parts(letter)[1]

    assert "\ue000hNEXT" in letter.body
    assert html.count("<a ") == html.count("To answer Florence, reply to this message.</a>") == 1


def test_who_wants_plain_text_gets_it_alone() -> None:
    """From the answer on; and back again."""
    house = running()
    (off,) = order(house, "L", "SET HTML OFF")
    started = [each for each in play(house, OPENING) if each.to == "anna@player.example"]
    (on,) = order(house, "L", "SET HTML ON")

    assert [each.layout for each in (off, *started)] == [""] * (1 + len(started))
    assert parts(on)[1]


def luminance(colour: str, *, inverted: bool) -> float:
    """The relative luminance of a colour (WCAG 2); *inverted* as programs for the dark do it."""
    signs = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    if inverted:
        most, least = max(signs), min(signs)
        signs = [each + 1 - most - least for each in signs]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in signs]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("pair", "inverted"),
    [*((pair, turned) for pair in LIGHT.pairs for turned in (False, True))]
    + [(pair, False) for pair in DARK.pairs],
)
def test_letters_stand_out_from_what_is_behind_them(pair: tuple[str, str], inverted: bool) -> None:
    """By 4.5 to 1 (WCAG 2, 1.4.3), for light and dark, and where a program turns the light one."""
    dark, light = sorted(luminance(each, inverted=inverted) for each in pair)

    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_the_dark_palette_is_for_programs_that_follow_it() -> None:
    """Every colour of an element is changed by a rule; without rules all is as it was."""
    _, html = parts(LANGUAGE_MESSAGES["en_results"]())
    dark = dict(re.findall(r"[.](\w)\{([^}]*)\}", html_styles().partition("@media (min")[0]))
    for tag, found in seen(html).tags:
        style = found.get("style", "")
        rules = "".join(dark[each] for each in found.get("class", "").split() if each != "m")
        for name in re.findall(r"(?:^|;)(color|background|border)[a-z-]*:[^;]*#", style):
            assert name in rules, (tag, found)
    assert not re.search("#[0-9a-f]{6}(?!!important)", "".join(dark.values()))


def test_a_table_of_the_text_is_a_table() -> None:
    """With a heading for each column, and a row for each place, whose name heads it."""
    (letter,) = letters()["answer_map"]
    html = parts(letter)[1]
    tags = [tag for tag, _ in seen(html).tags]
    heads = [found.get("scope") for tag, found in seen(html).tags if tag == "th"]

    assert tags.count("table") == 2
    assert heads.count("row") == 81
    assert "<pre" not in html
    assert re.search(r'<th scope="row"[^>]*>bar</th><td[^>]*>Bari</td><td[^>]*>N</td>', html)
    assert "A aqu otr slr<br>\r\nF aqu las otr</td>" in html


@pytest.mark.parametrize("name", LETTERS)
def test_no_sentence_is_broken_in_its_middle(name: str) -> None:
    """A line of prose ends with its sentence: what fits no line is broken by the layout alone."""
    for letter in letters()[name]:
        kinds = letter.layout.partition(" ")[2]
        rows = letter.body.split("\n")
        for kind, row, after, below in zip(kinds, rows, rows[1:], kinds[1:], strict=False):
            if kind == below == PLAIN and not row.startswith(" ") and after[:1].islower():
                is_whole = re.search(r"[.:!?;\"”»)]$|\d[a-z]?$", row) or _IS_WHOLE.match(after)
                assert is_whole, (row, after)


_IS_WHOLE = re.compile(r"(maintain|build|remove|move|warn|endif|hold|else|borrow|pay|the bank|to )")
"""Lines that are whole though they begin with a small letter: orders, the log, the money."""


def test_the_answer_to_a_subject_is_no_title() -> None:
    """Re says nothing: the title is what follows it."""
    (letter,) = letters()["registered"]
    html = parts(letter)[1]

    assert letter.subject.startswith("Re: ")
    assert not re.search(r">Re\b", html)


def test_a_letter_from_before_has_its_text_alone() -> None:
    """Rows of the outbox that were written without a layout."""
    letter = replace(letters()["reminder"][-1], layout="")

    assert parts(letter)[1] == ""
