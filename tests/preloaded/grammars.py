"""Imports the whole judge, and makes what each process makes once: grammars and vocabulary."""

import pkgutil
from importlib import import_module

import machjudge
from machjudge.judge.mail_context import vocabulary
from machjudge.language.command_parser import parse_command

for module in pkgutil.walk_packages(machjudge.__path__, "machjudge."):
    if not module.name.endswith("__main__"):
        import_module(module.name)
vocabulary()
parse_command("list")
