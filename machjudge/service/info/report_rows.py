"""The rows of the table of commands that ask for reports."""

from machjudge.language.commands import commands as said
from machjudge.service.info import player_record, reports
from machjudge.service.orders import ping
from machjudge.service.session.command import ASKING, EVERYBODY, Entry

REPORT_ROWS: tuple[Entry, ...] = (
    Entry(
        "history",
        ASKING,
        "HISTORY [game] [FROM S1454M] [TO F1455B] [LINES 500]",
        "The results and broadcasts again, as an observer got them.",
        EVERYBODY,
        reports.history,
        said.History,
        more=("FROM and TO take a phase or a date.",),
    ),
    Entry(
        "summary",
        ASKING,
        "SUMMARY [game]",
        "The game by years: owners, cities, ducats.",
        EVERYBODY,
        reports.summary,
        said.Summary,
        also=("status",),
    ),
    Entry(
        "info player",
        ASKING,
        "INFO PLAYER address",
        "How punctual somebody is, by address or name.",
        EVERYBODY,
        player_record.info_player,
        said.PlayerRecord,
        more=("Also: INFO PLAYER Lucia Neri",),
    ),
    Entry(
        "ping",
        ASKING,
        "PING",
        "Lists what arrived from you and what was sent to you.",
        EVERYBODY,
        ping.ping,
        said.Ping,
    ),
)
"""All of them."""
