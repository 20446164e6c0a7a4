"""What a process loads before it has anything to do; each starts a Python of its own."""

import subprocess
import sys


def test_starting_builds_no_grammar() -> None:
    """To import the whole program compiles no grammar and loads nothing that asks name servers."""
    script = (
        "import sys, machjudge.wiring\n"
        "from machjudge.language.commands import dialogue\n"
        "from machjudge.language.vocabulary import grammar\n"
        "built = [each._grammar.cache_info().currsize for each in (dialogue, grammar)]\n"
        "print(built, sorted({'dkim', 'dns', 'confusable_homoglyphs'} & set(sys.modules)))"
    )

    output = subprocess.check_output([sys.executable, "-c", script], text=True)  # noqa: S603

    assert output == "[0, 0] []\n"
