"""What happened in a phase as a JSON file, for readers whose programs read it.

Their `Sight` decides what is in it, as in the words beside it.
"""

import json

from machjudge.codec.document.happened import events_of
from machjudge.letters.results.results import PlayedPhase
from machjudge.letters.wording.sight import Sight
from machjudge.service.model.records import Game
from machjudge.service.ports.mails import Attachment


def events_file(game: Game, played: PlayedPhase, sight: Sight) -> Attachment:
    """The file for one reader; *played* is already theirs, as `Sight.phase` makes it.

    Its form is told in ``docs/export.md``.
    """
    code = played.before.moment.code
    told = {
        "format": "machjudge-events",
        "version": 1,
        "game": game.name,
        "scenario": game.scenario,
        "phase": code,
        "next": None if played.is_last else played.after.moment.code,
        "powers": sorted(sight.powers),
        "events": events_of(sight.visible(played.events)),
    }
    content = json.dumps(told, indent=1) + "\n"
    return Attachment(f"{game.name.lower()}-{code}.json", "application/json", content.encode())
