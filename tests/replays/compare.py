# ruff: noqa: T201 - a tool prints
"""Agreement with the recorded phases: ``python -m tests.replays.compare [FILE…] [--show N]``.

Prints for each file how many comparable records we answer alike, and the first that differ, field
by field.  A tool for anyone who works on the adjudicator; what has to hold is in ``test_replays``.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable

from tests.replays.judge import answer_to, board_of
from tests.replays.records import FILES, Differences, Record, differences, records


def main() -> None:
    """Compare the files asked for."""
    asked = _arguments()
    for name in asked.files or FILES:
        compare(name, asked)


def compare(name: str, asked: argparse.Namespace) -> None:
    """Compare one file and print what came of it."""
    fields: Counter[str] = Counter()
    total = alike = shown = 0
    started = time.process_time()
    differing = []
    for record in _chosen(name, asked):
        total += 1
        answer = answer_to(record)
        found = differences(record, answer, board_of(record))
        alike += not found
        if found:
            fields.update(found.keys())
            differing.append(record["id"])
            if shown < asked.show:
                shown += 1
                _show(record, answer, found, with_events=asked.events)
    spent = (time.process_time() - started) * 1000 / max(total, 1)
    print(f"{name}: {alike} of {total} alike, {spent:.2f} ms a phase; differing: {dict(fields)}")
    if asked.ids:
        print(" ".join(differing))


def _chosen(name: str, asked: argparse.Namespace) -> Iterable[Record]:
    for record in records(name):
        if not (record["comparable"] or asked.all or asked.id):
            continue
        if asked.id and record["id"] not in asked.id:
            continue
        money = record["rules"].get("set", {}).get("money", False)
        if asked.money is None or asked.money == money:
            yield record


def _show(record: Record, answer: dict, found: Differences, *, with_events: bool) -> None:
    print(f"== {record['id']} {record['position']['phase']} {record.get('title', '')}")
    if record.get("why_not"):
        print("   not comparable:", *record["why_not"])
    for field, (expected, actual) in found.items():
        print(f"   {field}: expected {expected}\n   {' ' * len(field)}  came     {actual}")
    print("   units:", ", ".join(record["position"]["units"]))
    for field in ("dislodged", "sieges", "rebellion", "city_rebellion", "eliminated"):
        if record["position"].get(field):
            print(f"   {field}:", record["position"][field])
    for power, lines in sorted(record["orders"].items()):
        print(f"   {power}: {'; '.join(lines)}")
    if with_events:
        for event in answer.get("events", ()):
            print("     ", json.dumps(event))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help=", ".join(FILES))
    parser.add_argument("--show", type=int, default=3, metavar="N", help="differing records shown")
    parser.add_argument("--events", action="store_true", help="show the events of these, too")
    parser.add_argument("--all", action="store_true", help="also records that are not comparable")
    parser.add_argument("--id", action="append", help="only this record")
    parser.add_argument("--ids", action="store_true", help="list the ids of all that differ")
    money = parser.add_mutually_exclusive_group()
    money.add_argument("--money", action="store_true", default=None, help="only with money")
    money.add_argument("--no-money", dest="money", action="store_false", help="only without")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
