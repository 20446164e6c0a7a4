"""Games for fewer people than powers: which variants a scenario has, and what they are like."""

from collections.abc import Sequence

from machjudge.adjudicator.model.scenario import Scenario
from machjudge.atlas import Atlas, varied_id
from machjudge.letters.wording.words import counted, listed


def for_players(atlas: Atlas, scenario: Scenario, numbers: Sequence[int]) -> Scenario | str:
    """The scenario for a number of players, and an option where there are several; or why not."""
    base = base_of(atlas, scenario)
    players, option = (*numbers, 1)[:2]
    if players == base.players and option == 1:
        return base
    for variant in base.variants:
        if (variant.players, variant.option) == (players, option):
            return atlas.scenario(varied_id(base, variant)) or scenario
    known = sorted({base.players, *(variant.players for variant in base.variants)})
    option_words = f", option {option}" if option > 1 else ""
    return (
        f"the scenario {base.id} is not made for {counted(players, 'player')}{option_words}; "
        f"it is for {listed(map(str, known), 'or')}"
    )


def base_of(atlas: Atlas, scenario: Scenario) -> Scenario:
    """The scenario of which this one is a variant; itself where it is none."""
    if scenario.variant is None:
        return scenario
    option = scenario.variant.option
    parts = 2 if option > 1 else 1
    return atlas.scenario(scenario.id.rsplit("-", parts)[0]) or scenario


def people_lines(scenario: Scenario) -> tuple[str, ...]:
    """What a listing says of a variant: how many people, who leads what, who is out."""
    variant = scenario.variant
    if variant is None:
        return ()
    lines = [f"For {counted(variant.players, 'player')}."]
    if variant.each_chooses > 1:
        lines.append(f"Each leads {variant.each_chooses} powers, which win together.")
    if variant.sides:
        lines.append("Powers that go together, and win together:")
        lines += [f"  {_names(scenario, side.powers)}" for side in variant.sides]
    if variant.then_choose:
        lines.append(f"Each also leads one of {_names(scenario, variant.then_choose)}.")
    if variant.dropped:
        lines.append(f"Out of the game: {', '.join(variant.dropped)}.")
    return tuple(lines)


def _names(scenario: Scenario, powers: Sequence[str]) -> str:
    return listed(power.name for power in scenario.powers.values() if power.id in powers)


def variant_table(scenario: Scenario) -> tuple[str, ...]:
    """For which numbers of players the scenario can be had, by the ids of its variants."""
    return tuple(
        f"{varied_id(scenario, variant):<9} {counted(variant.players, 'player')}, "
        f"{_division(scenario, variant.each_chooses, [side.powers for side in variant.sides])}"
        for variant in scenario.variants
        if variant.players != scenario.players
    )


def _division(scenario: Scenario, each: int, sides: Sequence[Sequence[str]]) -> str:
    if each:
        return counted(each, "power") + " each"
    return " ".join("".join(side) for side in sides)
