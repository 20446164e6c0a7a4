"""The solver alone, with small equations that have nothing to do with the game."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random

import pytest

from machjudge.adjudicator.battle.solve import MAX_GUESSES, Assignment, Tie, solve

Known = Sequence[bool | None]
Equation = Callable[[Known], bool | None]


class Riddle:
    """Questions with equations that are given as functions of the answers."""

    def __init__(self, *equations: Equation) -> None:
        self.answers: list[bool | None] = [None] * len(equations)
        self.equations = equations
        self.asked = 0

    def equation(self, question: int) -> bool | None:
        """What the equation says."""
        self.asked += 1
        return self.equations[question](self.answers)


def same_as(other: int) -> Equation:
    """The answer of another question."""
    return lambda known: known[other]


def contrary_of(other: int) -> Equation:
    """The contrary of another question's answer."""
    return lambda known: None if known[other] is None else not known[other]


def both(one: int, other: int) -> Equation:
    """True if two others are so; certain as soon as one is not."""

    def answer(known: Known) -> bool | None:
        if known[one] is False or known[other] is False:
            return False
        return None if known[one] is None or known[other] is None else True

    return answer


def yes(_known: Known) -> bool:
    """Always so."""
    return True


class Umpire:
    """A tie-break that remembers what it was asked, and answers with what it was told to."""

    def __init__(self, answer: bool = False) -> None:
        self.answer = answer
        self.groups: list[list[int]] = []

    def __call__(self, group: Sequence[int]) -> Assignment:
        """The same answer for the whole group."""
        self.groups.append(list(group))
        return dict.fromkeys(group, self.answer)


def solved(riddle: Riddle, umpire: Umpire | None = None) -> tuple[list[bool | None], list[Tie]]:
    """All answers, and the ties."""
    ties = solve(riddle, range(len(riddle.equations)), umpire or Umpire())
    return riddle.answers, ties


def test_what_is_certain_needs_no_guess() -> None:
    """Answers follow from each other in any order of the questions."""
    answers, ties = solved(Riddle(same_as(1), contrary_of(2), same_as(3), yes))

    assert answers == [False, False, True, True]
    assert ties == []


def test_the_only_consistent_answers_are_taken() -> None:
    """Both wait for each other; that both are so contradicts, so both are not."""
    riddle = Riddle(both(1, 2), same_as(0), contrary_of(0))

    answers, ties = solved(riddle, Umpire(answer=True))

    assert answers == [False, False, True]
    assert ties == []


@pytest.mark.parametrize("answer", [True, False])
def test_two_consistent_answers_are_a_tie(answer: bool) -> None:
    """Each is as the other: yes and no fit alike, so the umpire decides."""
    umpire = Umpire(answer)

    answers, ties = solved(Riddle(same_as(1), same_as(0)), umpire)

    assert answers == [answer, answer]
    assert ties == [Tie((0, 1), {0: answer, 1: answer})]


def test_no_consistent_answer_is_a_tie() -> None:
    """A question that is so if it is not has no answer but the umpire's."""
    umpire = Umpire(answer=True)

    answers, _ = solved(Riddle(contrary_of(0)), umpire)

    assert answers == [True]
    assert umpire.groups == [[0]]


def test_the_smallest_group_comes_first() -> None:
    """Of two groups the umpire sees the smaller, and what hangs on it is then certain."""
    riddle = Riddle(same_as(1), same_as(2), same_as(0), same_as(4), same_as(3), both(3, 0))
    umpire = Umpire()

    answers, _ = solved(riddle, umpire)

    assert umpire.groups == [[3, 4], [0, 1, 2]]
    assert answers == [False] * 6


def test_of_equal_groups_the_first_comes_first() -> None:
    """Between groups of one size the numbers decide."""
    umpire = Umpire()

    solved(Riddle(same_as(3), same_as(2), same_as(1), same_as(0)), umpire)

    assert umpire.groups == [[0, 3], [1, 2]]


def test_what_only_waits_is_in_no_group() -> None:
    """A question that waits for a tie, but for which the tie does not wait, stays out of it."""
    umpire = Umpire(answer=True)

    answers, _ = solved(Riddle(same_as(1), same_as(2), same_as(1)), umpire)

    assert umpire.groups == [[1, 2]]
    assert answers == [True, True, True]


def test_a_guess_may_ask_further_than_the_equation_did() -> None:
    """Question 0 looks at 2 only once 1 is known; then 2 belongs to the group."""

    def curious(known: Known) -> bool | None:
        if known[1] is None:
            return None
        return known[2]

    umpire = Umpire()

    solved(Riddle(curious, same_as(0), same_as(0)), umpire)

    assert umpire.groups == [[0, 1, 2]]


def test_known_answers_are_not_asked_again() -> None:
    """Only what is asked is answered, and what was known stays."""
    riddle = Riddle(yes, same_as(0), contrary_of(0))
    riddle.answers[0] = False

    ties = solve(riddle, [1], Umpire())

    assert riddle.answers == [False, False, None]
    assert ties == []


def test_a_long_chain_is_searched_to_its_end() -> None:
    """Guesses are taken back: one of many assignments fits, and it is found."""
    odd = [contrary_of((n + 1) % 9) for n in range(9)]

    answers, ties = solved(Riddle(*odd[:8], both(0, 1)))

    assert answers == [False, True, False, True, False, True, False, True, False]
    assert ties == []


def entangled(size: int, right: int) -> Riddle:
    """Questions that look at all others, and are so if *right* of them are."""

    def equation(known: Known) -> bool | None:
        answers = [known[number] for number in range(size)]
        return None if None in answers else answers.count(True) == right

    return Riddle(*[equation] * size)


def test_the_last_guess_counts_as_the_first() -> None:
    """Nine questions of which none may be so: only the very last of 512 assignments fits."""
    riddle = entangled(9, right=12)

    answers, ties = solved(riddle, Umpire(answer=True))

    assert answers == [False] * 9
    assert ties == []


def test_too_large_a_group_is_left_to_the_umpire() -> None:
    """The search gives up after as many guesses as a group is worth, and says so by a tie."""
    umpire = Umpire()
    riddle = entangled(12, right=20)

    solved(riddle, umpire)

    assert umpire.groups == [list(range(12))]
    assert riddle.asked < 40 * MAX_GUESSES


def test_the_umpire_may_answer_a_part() -> None:
    """What he leaves open follows from what he said, or comes to him again."""
    groups: list[list[int]] = []

    def first_only(group: Sequence[int]) -> Mapping[int, bool]:
        groups.append(list(group))
        return {group[0]: True}

    riddle = Riddle(same_as(1), same_as(0), same_as(3), same_as(2))
    ties = solve(riddle, range(4), first_only)

    assert riddle.answers == [True] * 4
    assert [tie.decided for tie in ties] == [{0: True}, {2: True}]
    assert groups == [[0, 1], [2, 3]]


# --- against brute force ---------------------------------------------------------------------


def from_table(asks: Sequence[int], table: Sequence[bool]) -> Equation:
    """An equation that is certain as soon as what it still waits for changes nothing."""

    def equation(known: Known) -> bool | None:
        seen = [known[other] for other in asks]
        fits = (
            answer
            for inputs, answer in zip(product((False, True), repeat=len(asks)), table, strict=True)
            if all(one is None or one is other for one, other in zip(seen, inputs, strict=True))
        )
        possible = set(fits)
        return possible.pop() if len(possible) == 1 else None

    return equation


Rule = tuple[tuple[int, ...], tuple[bool, ...]]
"""At which questions an equation looks, and its answer for each of theirs, all no first."""


def at_random(dice: Random, size: int) -> list[Rule]:
    """Equations that each look at up to three questions, themselves perhaps among them."""
    looks = [tuple(dice.randrange(size) for _ in range(dice.randint(1, 3))) for _ in range(size)]
    return [(asks, tuple(dice.random() < 0.5 for _ in range(2 ** len(asks)))) for asks in looks]


def by_brute_force(rules: Sequence[Rule], umpire: Umpire) -> list[bool | None]:
    """What is certain, then group by group whatever assignment alone is consistent."""
    equations = [from_table(*rule) for rule in rules]
    known: list[bool | None] = [None] * len(rules)
    while None in known:
        news = {n: eq(known) for n, eq in enumerate(equations) if known[n] is None}
        certain = {n: answer for n, answer in news.items() if answer is not None}
        for number, answer in (certain or decided(rules, equations, known, umpire)).items():
            known[number] = answer
    return known


def decided(
    rules: Sequence[Rule], equations: Sequence[Equation], known: Known, umpire: Umpire
) -> Mapping[int, bool]:
    """The answers of the smallest group of questions that wait for nothing but each other."""
    closed = (
        g for n, answer in enumerate(known) if answer is None for g in [reach(rules, known, n)]
    )
    group = min((sorted(group) for group in closed), key=lambda group: (len(group), group))
    consistent = []
    for answers in product((True, False), repeat=len(group)):
        tried = list(known)
        for number, answer in zip(group, answers, strict=True):
            tried[number] = answer
        if all(equations[number](tried) is tried[number] for number in group):
            consistent.append(dict(zip(group, answers, strict=True)))
    return consistent[0] if len(consistent) == 1 else umpire(group)


def reach(rules: Sequence[Rule], known: Known, start: int) -> set[int]:
    """What a question waits for, directly or not, itself among it."""
    found, edge = {start}, [start]
    while edge:
        news = {other for other in rules[edge.pop()][0] if known[other] is None} - found
        found |= news
        edge += news
    return found


@pytest.mark.parametrize("seed", range(8))
def test_solver_finds_what_brute_force_finds(seed: int) -> None:
    """The only consistent answers of each group; of none or several, what the umpire says."""
    dice = Random(seed)  # noqa: S311 - nobody bets on it
    for _ in range(60):
        rules = at_random(dice, dice.randint(2, 6))
        says = dice.random() < 0.5
        expected, asked = Umpire(says), Umpire(says)

        answers, ties = solved(Riddle(*(from_table(*rule) for rule in rules)), asked)

        assert answers == by_brute_force(rules, expected)
        assert asked.groups == expected.groups == [list(tie.group) for tie in ties]
