# ruff: noqa: T201 - a tool prints
"""Odd inputs for all that reads what strangers write: ``python -m tests.fuzz``, `make fuzz`.

The same target, seed and number are the same input.  Ends with 1 if one of them raised, hung, took
more time or memory than its size allows, or brought something that cannot be; the line that says
so repeats it, and ``--show`` writes the input itself.
"""

import argparse
import sys
from collections.abc import Sequence

from machjudge.app import log_to_stderr
from tests.fuzz.conversations import CONVERSATIONS
from tests.fuzz.dialogues import TALKS
from tests.fuzz.lines import LINES
from tests.fuzz.mails import MAILS
from tests.fuzz.maps import FILES
from tests.fuzz.positions import BATTLES, POSITIONS
from tests.fuzz.trying import Target, bound_memory, chance_of, seconds_used, tried
from tests.surroundings import cut_off

TARGETS: Sequence[Target] = (LINES, MAILS, CONVERSATIONS, TALKS, POSITIONS, BATTLES, FILES)
_MAX_TOLD = 20


def main() -> int:
    """Try what is asked for, and say what came of it."""
    asked = _arguments()
    cut_off()
    log_to_stderr("critical")  # what is logged of a fault is found otherwise
    chosen = [each for each in TARGETS if asked.only in {None, each.name}]
    if asked.show:
        sys.stdout.buffer.write(chosen[0].make(chance_of(chosen[0].name, asked.seed, asked.first)))
        return 0
    bound_memory()
    shares = sum(each.share for each in chosen)
    failed = 0
    for target in chosen:
        inputs = max(1, asked.inputs * target.share // shares)
        failed += _try(target, asked.seed, range(asked.first, asked.first + inputs))
    return 1 if failed else 0


def _try(target: Target, seed: int, numbers: range) -> int:
    """How many of the inputs failed; the first of them are told."""
    before, failed = seconds_used(), 0
    for number, found in tried(target, seed, numbers):
        failed += 1
        if failed <= _MAX_TOLD:
            again = f"--only {target.name} --seed {seed} --first {number} --inputs 1"
            print(f"FAILED python -m tests.fuzz {again}", flush=True)
            print(*(f"  {each}" for each in found[:5]), sep="\n", flush=True)
    took = seconds_used() - before
    print(f"{target.name}: {len(numbers)} inputs, {failed} failed, {took:.0f} seconds", flush=True)
    return failed


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--inputs", type=int, default=100_000, help="how many, of all targets")
    parser.add_argument("--seed", type=int, default=1, help="from which all inputs follow")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--only", choices=[each.name for each in TARGETS], help="one target")
    parser.add_argument("--show", action="store_true", help="write the first input, try nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
