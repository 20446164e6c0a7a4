"""Orders about money, allies and chits: SYN-05 to SYN-07, with every synonym and default."""

import tomllib
from pathlib import Path

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Ally,
    Borrow,
    Burn,
    Cede,
    Excommunicate,
    Expense,
    GiveChit,
    Named,
    Order,
    Pay,
    Permit,
    Purpose,
)
from machjudge.adjudicator.units import Kind
from machjudge.language import Fault, Lexicon, ParseError, parse_order
from tests.messages.said import say

CASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

FER, SIE, PER = PlaceId("fer"), PlaceId("sie"), PlaceId("per")
MILAN, VENICE = PowerId("I"), PowerId("V")


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("borrow 10 ducats for 1 year", Borrow(10, 1)),
        ("pay 3 ducats to Milan", Pay(3, MILAN)),
        ("pay 3 ducats to bank", Pay(3, None)),
        ("give Turkey to Naples", GiveChit(PowerId("T"), PowerId("N"))),
        ("ally Milan", Ally(MILAN)),
        ("excommunicate Milan", Excommunicate(MILAN)),
        ("cede Perugia to Milan", Cede(PlaceId("per"), MILAN)),
        ("burn Perugia", Burn(PlaceId("per"))),
        ("permit Milan", Permit(MILAN)),
        ("unally Milan", Ally(MILAN, allowed=False)),
        ("not excommunicate Milan", Excommunicate(MILAN, banned=False)),
        ("not cede per", Cede(PER, None)),
        ("not burn per", Burn(PER, burnt=False)),
        ("not permit Milan", Permit(MILAN, allowed=False)),
        ("expense 1: 3 ducats famine relief fer", Expense(1, Purpose.FAMINE_RELIEF, 3, place=FER)),
        ("expense 2: 12 ducats pacify rebellion fer", Expense(2, Purpose.PACIFY, 12, place=FER)),
        (
            "expense 3: 6 ducats counter-bribe A per",
            Expense(3, Purpose.COUNTER_BRIBE, 6, unit=Named(Kind.ARMY, PER)),
        ),
        ("expense 4: disband fer", Expense(4, Purpose.DISBAND, unit=Named(None, FER))),
        (
            "expense 1: 9 ducats buy G sie",
            Expense(1, Purpose.BUY, 9, unit=Named(Kind.GARRISON, SIE)),
        ),
        (
            "expense 1: 9 ducats garrison to autonomous sie",
            Expense(1, Purpose.TO_AUTONOMOUS, 9, unit=Named(Kind.GARRISON, SIE)),
        ),
        (
            "expense 1: 9 ducats cause rebellion fer",
            Expense(1, Purpose.CAUSE_REBELLION, 9, place=FER),
        ),
        (
            "expense 1: 12 ducats assassinate Venice",
            Expense(1, Purpose.ASSASSINATE, 12, power=VENICE),
        ),
        ("expense 1: none", Expense(1, None)),
        (
            "expense 1: 6 ducats disband autonomous garrison fer",
            Expense(1, Purpose.DISBAND, 6, unit=Named(Kind.GARRISON, FER, owner=AUTONOMOUS)),
        ),
        (
            "expense 1: 12 ducats disband Venetian army fer",
            Expense(1, Purpose.DISBAND, 12, unit=Named(Kind.ARMY, FER, owner=VENICE)),
        ),
    ],
)
def test_money_order_is_read(classic: Lexicon, text: str, order: Order) -> None:
    """Each kind of expense has its own kind of target."""
    assert parse_order(text, classic, Stage.CAMPAIGN).said == (order,)


SAME = {
    "borrow 10 ducats for 1 year": "borrow 10d 1 year|borrow 10 for one year"
    "|borrow ten for a year|borrow 10 ducats at 20%|borrow 10 d 20 percent"
    "|BORROW 10 DUCATS FOR 1 YEARS|borrow 6+4 1 year",
    "borrow 25 ducats for 2 years": "borrow 25 ducats 2 years"
    "|borrow 25 at 50%|borrow 25d two years",
    "pay 3 ducats to Milan": "pay 3d to milan|pay 3 ducats to Mi"
    "|pay three ducats to milan|pay 3 to i"
    "|give 3 ducats to milanese|loan 3 d to milan|lend 3 to milan|give milan 3 ducats|pay Milan 3"
    "|pay 3 ducats to the Milanese",
    "pay 1 ducat to bank": "pay 1 ducats to bank|give 1 to the bankers"
    "|loan bank 1 ducat|pay 1d to bank",
    "pay 0 ducats to Milan": "pay 0 to milan|pay 0d to I",
    "give Turkey to Naples": "give turks to n|give Turkey assassination chit to Naples|give t to n"
    "|give turkish chit to naples|give assassination chit turkey to naples"
    "|give chit of turkey to naples|give assassination of turkey to naples",
    "ally Milan": "ally with milan|alliance milan|allow milan|allies with the milanese"
    "|allow I|ally mi",
    "ally Austria": "ally a|allow au|ally with austrian",
    "ally France": "ally f|ally fr|allow French",
    "unally Milan": "unalliance milan|not allies milan|dont allow milan|don't allow milan"
    "|don’t ally with milan|disallow milan|not ally mi|unally with Milan",
    "not cede per": "no cede perugia|cancel cede per|don't cede per to Milan",
    "not burn per": "no burn perugia|cancel burn per|dont burn perugia|not scorch per",
    "not permit Milan": "no permit I|cancel permit milan|don't permit milan",
    "expense 1: 3 ducats counter-bribe A per": "exp 1 3d cb a per|e1: 3d cb a per"
    "|e 1 : 3 d cb A per"
    "|expense1 3d counterbribe army perugia|expense one: three ducats counter bribe A per"
    "|Expense 1: cb A per 3d|expenditure 1: 3 counter A per|e1 cb A per 3|EXPENSES 1: 3 D CB A PER",
    "expense 1: 9 ducats counter-bribe per": "expense 1: 6+3 d cb per|expense 1: cb per 6+3",
    "expense 1: 12 ducats disband G fer": "expense 1: 12d d g fer|e1: 12 ducats d garrison ferrara"
    "|expense 1: disband g fer 12 d|e1 12 disband g fer",
    "expense 1: 12 ducats disband fer": "expense 1: 12 d fer|e1: 12d d fer|e1 d fer 12",
    "expense 1: 12 ducats disband F fer": "expense 1: 12 d f fer",
    "expense 1: disband fer": "expense 1: d fer|e1: disband ferrara",
    "expense 1: 9 ducats buy G sie": "expense 1: 9 ducats purchase g siena|e1: 9 d b g sie",
    "expense 1: garrison to autonomous G sie": "expense 1: gta sie|e1: g sie|e1: autonomous g sie"
    "|e1: to autonomous sie|e1: to a sie|expense 1: garrison to autonomous siena|e1: gta g sie",
    "expense 1: 3 ducats famine relief bol": "expense 1: 3 fr bol|e1: 3d famine bol"
    "|e1: 3d relief in bologna|e1: 3 ducats famine relief for bol",
    "expense 1: famine relief for": "expense 1: famine relief for for|e1: fr for",
    "expense 1: pacify rebellion bol": "expense 1: pr bol|expense 1: pacify bologna",
    "expense 1: cause rebellion fer": "expense 1: cr fer|expense 1: rebellion fer|e1: cause fer"
    "|e1: cause a rebellion in ferrara",
    "expense 1: assassinate Milan": "expense 1: a milan|e1: assassination of milan"
    "|e1: assassinate I|e1: assassinates mi",
    "expense 1: 12 ducats assassinate Milan": "expense 1: 12 d a milan|e1: 12 assassinate milanese",
    "expense 1: assassinate Austria": "e1: a a",
    "expense 1: 24 ducats assassinate Milan on 5 2": "e1: 24 d a milan on 5 2"
    "|e1: 24 assassinate milan on 5, 2|e1: 24 d assassination of milan on 5 and 2"
    "|e1: 24 ducats assassinate milan on 5 2 5",
    "expense 1: assassinate Milan on 6": "e1: a milan on 6|e1: assassinate I on six",
    "expense 1: none": "e1: nothing|exp 1 none|e1 cancel|expense 1: withdraw|e1: nil",
    "expense 1: 12 ducats disband Venetian A bol": "Expense 1: 12d, Disband Venetian army Bologna",
    "expense 1: 9 ducats buy A mil": "expense 1: buy A mil, 9 ducats",
}


@pytest.mark.parametrize(
    ("short", "text"), [(short, text) for short, texts in SAME.items() for text in texts.split("|")]
)
def test_many_forms_say_the_same(canonical, short: str, text: str) -> None:
    """Amounts before or behind, words or letters, with or without "ducats"."""
    assert canonical(short) == canonical(text) == [short]


def test_borrow_nothing_withdraws_both_terms(read) -> None:
    """One order of each term may stand, so both are withdrawn (BNK-04)."""
    assert read("borrow 0").said == (Borrow(0, 1), Borrow(0, 2))


@pytest.mark.parametrize("stage", list(Stage))
def test_chit_may_be_given_in_any_phase(read, stage: Stage) -> None:
    """ASN-02: chits can be given at any time."""
    assert read("give v to f", stage).said == (GiveChit(VENICE, PowerId("F")),)


@pytest.mark.parametrize(
    ("text", "found", "sentence"),
    [
        *CASES["impossible_number_gets_one_sentence"],
        (f"pay {'9' * 400} to bank", "9" * 400, "one order moves at most 9999 ducats"),
    ],
)
def test_impossible_number_gets_one_sentence(read, text: str, found: str, sentence: str) -> None:
    """The number is shown, and what a number may be."""
    (problem,) = read(text).said

    assert isinstance(problem, ParseError)
    assert (problem.fault, problem.found, say(problem.reason)) == (Fault.NUMBER, found, sentence)
    assert text[problem.column :].startswith(found)


def test_zeros_in_front_do_not_make_a_number_long(read) -> None:
    """00000000003 is 3, however many zeros there are."""
    assert read(f"pay {'0' * 300}3 to bank").said == (Pay(3, None),)
    assert read("pay 000 to bank").said == (Pay(0, None),)


def test_borrowing_without_a_term_is_incomplete(read) -> None:
    """Only the withdrawal needs none."""
    (problem,) = read("borrow 3").said

    assert (problem.fault, say(problem.reason)) == (Fault.INCOMPLETE, "for how long is missing")
    assert problem.expected == ("for 1 year", "for 2 years")


@pytest.mark.parametrize(
    "text", ["pay 3 ducats to genoa", "ally xyz", "e1: a genoa", "give v to x"]
)
def test_unknown_power_is_named(read, text: str) -> None:
    """Paying an unknown power is no order."""
    (problem,) = read(text).said

    assert problem.fault is Fault.NO_POWER
    assert text.endswith(problem.found)
