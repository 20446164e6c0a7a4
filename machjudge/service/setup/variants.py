"""Games for fewer people than powers: which variants a scenario has, and what they are like."""

from collections.abc import Sequence

from machjudge.adjudicator.model.scenario import Scenario
from machjudge.atlas import Atlas, varied_id
from machjudge.sentence import Name, Sentence


def for_players(atlas: Atlas, scenario: Scenario, numbers: Sequence[int]) -> Scenario | Sentence:
    """The scenario for a number of players, and an option where there are several; or why not."""
    base = base_of(atlas, scenario)
    players, option = (*numbers, 1)[:2]
    if players == base.players and option == 1:
        return base
    for variant in base.variants:
        if (variant.players, variant.option) == (players, option):
            return atlas.scenario(varied_id(base, variant)) or scenario
    known = sorted({base.players, *(variant.players for variant in base.variants)})
    return Sentence(
        "setup.people.unknown",
        scenario=base.id,
        players=players,
        option=option,
        known=tuple(map(str, known)),
    )


def base_of(atlas: Atlas, scenario: Scenario) -> Scenario:
    """The scenario of which this one is a variant; itself where it is none."""
    if scenario.variant is None:
        return scenario
    option = scenario.variant.option
    parts = 2 if option > 1 else 1
    return atlas.scenario(scenario.id.rsplit("-", parts)[0]) or scenario


def people_lines(scenario: Scenario) -> tuple[Sentence, ...]:
    """What a listing says of a variant: how many people, who leads what, who is out."""
    variant = scenario.variant
    if variant is None:
        return ()
    lines = [Sentence("setup.people.number", n=variant.players)]
    if variant.each_chooses > 1:
        lines.append(Sentence("setup.people.each", n=variant.each_chooses))
    if variant.sides:
        sides = tuple(_names(scenario, side.powers) for side in variant.sides)
        lines.append(Sentence("setup.people.sides", sides=sides))
    if variant.then_choose:
        powers = _names(scenario, variant.then_choose)
        lines.append(Sentence("setup.people.also_one", powers=powers))
    if variant.dropped:
        lines.append(Sentence("setup.people.dropped", powers=tuple(variant.dropped)))
    return tuple(lines)


def _names(scenario: Scenario, powers: Sequence[str]) -> tuple[str, ...]:
    own = scenario.board.names
    return tuple(Name(p.name, own) for p in scenario.powers.values() if p.id in powers)


def variant_table(scenario: Scenario) -> tuple[Sentence, ...]:
    """For which numbers of players the scenario can be had, by the ids of its variants."""
    return tuple(
        Sentence(
            "setup.people.variant",
            id=varied_id(scenario, variant),
            players=variant.players,
            each=variant.each_chooses,
            sides=tuple("".join(side.powers) for side in variant.sides),
        )
        for variant in scenario.variants
        if variant.players != scenario.players
    )
