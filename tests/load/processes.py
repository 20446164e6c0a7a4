"""What whole processes cost, and what a line of JSON costs beside the resolution in it."""

import sys
from collections.abc import Iterator, Sequence

from machjudge.adjudicator.year.steps import play
from machjudge.cli.adjudicate import Spoken
from machjudge.formats.adjudicate import answer, write_answer
from machjudge.language.lexicon import lexicon_of
from tests.bench.ours import read, scene_of
from tests.bench.phases import Phase, classic_phases
from tests.load.game import LoadedJudge, environment_of
from tests.load.measure import Figure, seconds_of, seconds_of_process
from tests.replays.judge import ATLAS
from tests.replays.records import question


def tick_process(judge: LoadedJudge) -> Figure:
    """A `machjudge tick` with nothing to do, beside a Python that imports SQLAlchemy."""
    environment = environment_of(judge)
    tick = seconds_of_process(sys.executable, "-m", "machjudge", "tick", environment=environment)
    least = seconds_of_process(sys.executable, "-c", "import sqlalchemy", environment=environment)
    return Figure(
        "tick with nothing to do, / importing SQLAlchemy", tick / least, "<= 3",
        remark=f"{1000 * tick:.0f} ms",
    )  # fmt: skip


def help_process(judge: LoadedJudge) -> Iterator[Figure]:
    """`machjudge --help` and what a shell completes, beside `--version`, which loads no command."""
    environment = environment_of(judge)
    program = (sys.executable, "-m", "machjudge")
    least = seconds_of_process(*program, "--version", environment=environment)
    asked = {"_MACHJUDGE_COMPLETE": "bash_complete", "COMP_WORDS": "machjudge ", "COMP_CWORD": "1"}
    for what, arguments, more in (("--help", ("--help",), {}), ("TAB", (), asked)):
        taken = seconds_of_process(*program, *arguments, environment={**environment, **more})
        name = f"machjudge {what}, / --version"
        yield Figure(name, taken / least, "<= 2", remark=f"{1000 * taken:.0f} ms")


def json_lines(phases: int) -> Figure:
    """Lines of `machjudge adjudicate` beside the resolutions inside them."""
    asked = classic_phases()[:phases]
    lines = [question(phase.record) for phase in asked]
    whole = seconds_of(lambda: _all_told(lines))
    inside = [_ready(phase) for phase in asked]
    bare = seconds_of(lambda: [play(*each) for each in inside])
    return Figure("a line of machjudge adjudicate, / its resolution", whole / bare, "<= 2.5")


def _all_told(lines: Sequence[bytes]) -> list[str]:
    """As in one run of the command: what it remembers of earlier lines, it has read in this run."""
    spoken = Spoken()
    return [_told(line, spoken) for line in lines]


def _told(line: bytes, spoken: Spoken) -> str:
    return write_answer(answer(line, ATLAS, spoken))


def _ready(phase: Phase) -> tuple[object, ...]:
    scene = scene_of(phase)
    orders = read(phase.lines, lexicon_of(phase.scenario), scene.state.moment.stage)
    return scene.world, scene.state, orders, scene.dice
