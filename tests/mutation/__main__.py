# ruff: noqa: T201 - a tool prints
"""What became of the mutants: ``python -m tests.mutation``, after ``run.py``; `make mutation`.

Prints how many of each module were killed, and each survivor with the line that it changes.  Ends
with 1 if fewer than nine tenths were killed.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

MADE = Path("mutants/machjudge/adjudicator")
LEAST = 0.9
SURVIVED = 0
UNTRIED = (None, 33, 34)
"""Not run yet, reached by no test, or left out."""


def main() -> int:
    """Print the score and the survivors."""
    total: Counter[str] = Counter()
    for module, mutants in modules():
        counts = Counter(map(fate, mutants.values()))
        total += counts
        print(f"{module:14} {line(counts)}")
    print(f"{'all':14} {line(total)}")
    for _, mutants in modules():
        for name, code in mutants.items():
            if fate(code) == "survived":
                print(f"\n{name}\n{change(name)}")
    return 0 if killed(total) >= LEAST else 1


def modules() -> Iterator[tuple[str, dict[str, int | None]]]:
    """Each module with its mutants, and with what code their tests ended."""
    for file in sorted(MADE.rglob("*.meta")):
        mutants = json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"]
        if mutants:
            yield file.name.partition(".")[0], mutants


def fate(code: int | None) -> str:
    """What became of a mutant whose tests ended with that code."""
    if code in UNTRIED:
        return "untried"
    return "survived" if code == SURVIVED else "killed"


def killed(counts: Counter[str]) -> float:
    """The share of those killed."""
    return counts["killed"] / max(counts.total(), 1)


def line(counts: Counter[str]) -> str:
    """One line of the table."""
    each = "".join(f"{counts[kind]:6} {kind}" for kind in ("killed", "survived", "untried"))
    return f"{counts.total():5} mutants:{each}   {100 * killed(counts):.1f} %"


def change(name: str) -> str:
    """The lines that a mutant takes out and puts in."""
    command = [sys.executable, "-m", "mutmut", "show", name]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    lines = (text for text in shown.stdout.splitlines() if not text.startswith(("---", "+++")))
    return "\n".join(f"    {text}" for text in lines if text.startswith(("-", "+")))


if __name__ == "__main__":
    sys.exit(main())
