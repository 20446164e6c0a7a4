"""The options: one table, from which settings, help and documents follow."""

import json
import os
import re
from collections.abc import Iterator

import pytest

from machjudge.adjudicator.model.fixed import AT_THE_DESK, NO_OPTIONS
from machjudge.adjudicator.model.options import (
    OPTIONS,
    Option,
    departures,
    find_option,
    possible,
    said_value,
    value_text,
    with_option,
    written,
)
from machjudge.adjudicator.model.presets import JUDGE, PRESETS, preset
from machjudge.adjudicator.model.rules.option import Flag, Table
from machjudge.letters.wording.option_words import about_option, played_with
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.desk_options import (
    DESK_OPTIONS,
    desk_departures,
    desk_value,
    with_preset,
)
from machjudge.service.setup.flags import FLAGS
from tests.service.house import ROOT, stationery

PAGE = ROOT / "docs" / "options.md"
say = stationery().say

_HEAD = """# The options of the rules

Every option of a game's rules, with what is played with each of its values; the usual one is bold.
`HELP OPTIONS` lists them by mail, and `HELP OPTION home_formula` tells of one.
The master sets one with `SET OPTION home_formula floor`.
A flag (`SET NODICE`) or a named set of rules (`SET PRESET basic`) sets several at once.
The listing of a game says what is not as usual.
"""


def page() -> str:
    """The table of options, as it shall stand in the docs."""
    return "\n".join([_HEAD, *_presets(), *_options(), *_fixed()])


def _presets() -> Iterator[str]:
    yield "## The named sets of rules\n"
    yield "What each of them plays otherwise than `judge`, the usual rules.\n"
    for name in PRESETS:
        found = [(each, OPTIONS[each].of(preset(name))) for each in departures(preset(name), JUDGE)]
        run = with_preset(Conduct(), name)
        found += [(each, desk_value(run, each)) for each in desk_departures(run, Conduct())]
        if found:
            yield f"### {name}\n"
            yield from (f"- `{each}` `{value_text(value)}`" for each, value in found)
            yield ""


def _options() -> Iterator[str]:
    yield "## The options\n"
    for name, option in OPTIONS.items():
        about = say(about_option(name))
        yield f"### {name}\n"
        yield f"{about[0].upper()}{about[1:]} ({', '.join(option.facts.numbers)})."
        yield f"{_switch(option)}\n" if option.facts.flag else ""
        for value in option.choices or (option.default,):
            mark = "**" if value == option.default else ""
            yield f"- {mark}`{value_text(value)}`{mark}: {say(played_with(name, value))}"
        if not option.choices:
            yield f"- It is {possible(option)}."
        yield ""


def _switch(option: Option) -> str:
    flag = option.facts.flag
    if isinstance(flag, Flag):
        return f"Flag: `SET {flag.name.upper()}`, `SET NO{flag.name.upper()}`."
    return f"Switched together with `{flag}`."


def _fixed() -> Iterator[str]:
    yield "## How a game is run\n"
    yield "Options of the desk: a set of rules decides them, too, and no outcome depends on them.\n"
    for name, option in DESK_OPTIONS.items():
        about = say(about_option(name))
        yield f"### {name}\n"
        yield f"{about[0].upper()}{about[1:]}.\n"
        for value in option.choices:
            mark = "**" if value == option.default else ""
            yield f"- {mark}`{value_text(value)}`{mark}: {say(played_with(name, value))}"
        yield ""
    yield "## Rules, and no options\n"
    yield "Names of that list that no source of the rules plays otherwise; [rulings.md](rulings.md)"
    yield "says under the number why each is a rule. A file may name one with this value.\n"
    for name, (only, rule) in NO_OPTIONS.items():
        yield f"- `{name}` `{json.dumps(only)}` ({rule})"
    yield ""


def test_the_page_of_options_is_the_table() -> None:
    """``GOLDEN=write`` writes it anew."""
    if os.environ.get("GOLDEN") == "write":
        PAGE.write_text(page(), encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8") == page()


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


def test_the_desk_s_options_are_those_that_the_adjudicator_passes_over() -> None:
    """With the same values; none of them is an option of the rules."""
    values = {name: tuple(map(value_text, option.choices)) for name, option in DESK_OPTIONS.items()}

    assert values == AT_THE_DESK
    assert not AT_THE_DESK.keys() & OPTIONS.keys()


def test_no_option_is_fixed_and_free() -> None:
    """What can be set stands in one table only, and no name begins another option's."""
    assert not set(NO_OPTIONS) & set(OPTIONS)
