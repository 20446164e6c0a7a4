"""Imports the whole judge, and makes what each process makes once: grammars, texts, maps."""

import pkgutil
from importlib import import_module

import machjudge
from machjudge.judge.mail_context import read_mail
from machjudge.language.command_parser import parse_command
from tests.preloaded.known import share_texts_and_maps, usual_maps, usual_texts

for module in pkgutil.walk_packages(machjudge.__path__, "machjudge."):
    if not module.name.endswith("__main__"):
        import_module(module.name)
share_texts_and_maps()
read_mail(b"\r\nlist\r\n", renderer=usual_texts())
parse_command("list")
for scenario in ("1385", "1454"):
    usual_maps().scenario(scenario)
