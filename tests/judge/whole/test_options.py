"""The options: one table, from which settings, help and documents follow."""

import json
import re
from collections.abc import Iterator

import pytest

from machjudge.adjudicator.options import (
    JUDGE,
    NO_OPTIONS,
    OPTIONS,
    PRESETS,
    SERVICE_OPTIONS,
    Option,
    departures,
    find_option,
    preset,
    said_value,
    value_text,
    with_option,
    written,
)
from machjudge.adjudicator.rules import Flag, Table
from machjudge.judge.game_settings import (
    SERVICE_OPTION_FIELDS,
    GameSettings,
    service_departures,
    service_value,
    with_preset,
)
from machjudge.judge.rule_settings import FLAGS
from machjudge.messages.wording import about_option, played_with, possible_values
from tests.judge.house import ROOT, message_renderer
from tests.judge.whole.pages import LANGUAGES, TablePage, table_page

say = message_renderer().say


def text_of(page: TablePage) -> str:
    """The table of options, as it shall stand in the docs."""
    parts = (*_presets(page), *_options(page), *_fixed(page))
    return "\n".join([page.words["head"], *parts])


def _presets(page: TablePage) -> Iterator[str]:
    yield page.words["presets"]
    for name in PRESETS:
        found = [(each, OPTIONS[each].of(preset(name))) for each in departures(preset(name), JUDGE)]
        run = with_preset(GameSettings(), name)
        found += [
            (each, service_value(run, each)) for each in service_departures(run, GameSettings())
        ]
        if found:
            yield f"### {name}\n"
            yield from (f"- `{each}` `{value_text(value)}`" for each, value in found)
            yield ""


def _options(page: TablePage) -> Iterator[str]:
    yield page.words["options"]
    for name, option in OPTIONS.items():
        yield f"### {name}\n"
        yield f"{capitalized(page.say(about_option(name)))} ({', '.join(option.facts.numbers)})."
        yield f"{_switch(page, option)}\n" if option.facts.flag else ""
        yield from _values(page, option)
        if not option.choices:
            yield page.words["possible"].format(possible=page.say(possible_values(option)))
        yield ""


def _values(page: TablePage, option: Option) -> Iterator[str]:
    for value in option.choices or (option.default,):
        mark = "**" if value == option.default else ""
        played = page.say(played_with(option.facts.name, value))
        yield f"- {mark}`{value_text(value)}`{mark}: {played}"


def _switch(page: TablePage, option: Option) -> str:
    flag = option.facts.flag
    if isinstance(flag, Flag):
        return page.words["flag"].format(flag=flag.name.upper())
    return page.words["together"].format(flag=flag)


def _fixed(page: TablePage) -> Iterator[str]:
    yield page.words["desk"]
    for name, option in SERVICE_OPTION_FIELDS.items():
        yield f"### {name}\n"
        yield f"{capitalized(page.say(about_option(name)))}.\n"
        yield from _values(page, option)
        yield ""
    yield page.words["fixed"]
    for name, (only, rule) in NO_OPTIONS.items():
        yield f"- `{name}` `{json.dumps(only)}` ({rule})"
    yield ""


def capitalized(text: str) -> str:
    """The text with a capital at its beginning."""
    return f"{text[0].upper()}{text[1:]}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_options_is_the_table(language: str) -> None:
    """In each language; ``GOLDEN=write`` writes it anew."""
    page = table_page("options", language)

    assert page.is_up_to_date(text_of(page))


@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_has_a_sentence_of_its_own(name: str) -> None:
    """And the option says what it decides, and which rules of the catalogue are meant."""
    option = find_option(name)
    said = [say(played_with(name, value)) for value in option.choices or (option.default,)]

    assert say(about_option(name))
    assert len(set(said)) == len(said)
    assert all(each.endswith(".") for each in said)
    assert option.facts.numbers


@pytest.mark.parametrize("name", OPTIONS)
def test_the_numbers_of_an_option_are_rules(name: str) -> None:
    """Each of them stands in the rules that GET RULES sends."""
    rules = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")

    for number in OPTIONS[name].facts.numbers:
        assert re.search(rf"^- \*\*{number}\b", rules, re.MULTILINE), number


@pytest.mark.parametrize(("name", "rule"), [(n, rule) for n, (_, rule) in NO_OPTIONS.items()])
def test_what_is_no_option_says_why(name: str, rule: str) -> None:
    """Under its number in the rulings, by its name."""
    rulings = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")

    assert re.search(rf"^- \*\*{rule}\b.*`{name}`", rulings, re.MULTILINE)


@pytest.mark.parametrize("name", OPTIONS)
def test_what_is_written_of_a_value_reads_as_that_value(name: str) -> None:
    """As settings write it, and as people do."""
    option = OPTIONS[name]
    for value in option.choices or (option.default,):
        assert option.of(with_option(JUDGE, name, written(value))) == value
        said = said_value(option, value_text(value).split())
        assert option.of(with_option(JUDGE, name, said)) == value


def test_a_map_changes_the_entries_that_it_names() -> None:
    """The other prices stay."""
    rules = with_option(JUDGE, "expense_prices", {"i": 24})

    assert rules.money.prices == Table({**JUDGE.money.prices, "i": 24})
    assert hash(rules) != hash(JUDGE)


def test_every_flag_of_the_fields_is_listed() -> None:
    """No field has a flag that players do not know."""
    words = [o.facts.flag.name for o in OPTIONS.values() if isinstance(o.facts.flag, Flag)]

    assert sorted(words) == sorted(flag.name for flag in FLAGS)


def test_the_service_options_are_those_that_the_adjudicator_passes_over() -> None:
    """With the same values; none of them is an option of the rules."""
    values = {
        name: tuple(map(value_text, option.choices))
        for name, option in SERVICE_OPTION_FIELDS.items()
    }

    assert values == SERVICE_OPTIONS
    assert not SERVICE_OPTIONS.keys() & OPTIONS.keys()


def test_no_option_is_fixed_and_free() -> None:
    """What can be set stands in one table only, and no name begins another option's."""
    assert not set(NO_OPTIONS) & set(OPTIONS)
