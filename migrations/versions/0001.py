"""All tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TABLES = (
    "inbox",
    "outbox",
    "attachments",
    "reply_tokens",
    "persons",
    "addresses",
    "games",
    "attended",
    "seats",
    "phases",
    "holdings",
    "sheets",
    "plans",
    "press",
    "notes",
    "notices",
    "tokens",
    "pending_acts",
    "counts",
    "pulse",
)


def upgrade() -> None:
    _mails()
    _people()
    _games()
    _orders()
    _messages()
    _acts()


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)


def _mails() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("envelope_sender", sa.Text(), nullable=False),
        sa.Column("recipients", sa.JSON(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("deaths", sa.Integer(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=True),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=True),
        sa.Column("in_doubt", sa.Boolean(), nullable=False),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_inbox"),
        sa.UniqueConstraint("key", name="uq_inbox_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_inbox_state_id", "inbox", ["state", "id"])
    op.create_index("ix_inbox_state_sender", "inbox", ["state", "sender"])
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=True),
        sa.Column("thread", sa.JSON(), nullable=False),
        sa.Column("reply", sa.JSON(), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("deaths", sa.Integer(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=True),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_state_due", "outbox", ["state", "due"])
    op.create_table(
        "attachments",
        sa.Column("letter", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        _belongs_to("attachments", "letter", "outbox"),
        sa.PrimaryKeyConstraint("letter", "rank", name="pk_attachments"),
    )
    op.create_table(
        "reply_tokens",
        sa.Column("hashed", sa.Text(), nullable=False),
        sa.Column("speaks", sa.JSON(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hashed", name="pk_reply_tokens"),
    )


def _people() -> None:
    op.create_table(
        "persons",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("registered", sa.DateTime(timezone=True), nullable=False),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.Column("claimed", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_persons"),
    )
    op.create_table(
        "addresses",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        _belongs_to("addresses", "person", "persons"),
        sa.PrimaryKeyConstraint("address", name="pk_addresses"),
    )
    op.create_index("ix_addresses_person", "addresses", ["person"])


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("scenario", sa.Text(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("conduct", sa.JSON(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("master", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("began", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("late_told", sa.DateTime(timezone=True), nullable=True),
        sa.Column("times", sa.JSON(), nullable=True),
        sa.Column("ending", sa.JSON(), nullable=True),
        sa.Column("shared", sa.JSON(), nullable=True),
        sa.Column("attendance", sa.JSON(), nullable=False),
        sa.Column("heard", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_look", sa.DateTime(timezone=True), nullable=True),
        _belongs_to("games", "master", "persons"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_next_look", "games", ["next_look"])
    op.create_index("ix_games_status", "games", ["status"])
    op.create_table(
        "attended",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        _belongs_to("attended", "game", "games"),
        sa.PrimaryKeyConstraint("person", "game", name="pk_attended"),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("powers", sa.JSON(), nullable=False),
        sa.Column("preferences", sa.Text(), nullable=False),
        sa.Column("waits", sa.Boolean(), nullable=False),
        sa.Column("absences", sa.JSON(), nullable=False),
        sa.Column("priority", sa.JSON(), nullable=False),
        sa.Column("votes", sa.JSON(), nullable=True),
        sa.Column("wishes", sa.JSON(), nullable=False),
        sa.Column("approved", sa.Boolean(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("former", sa.Text(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("claimed", sa.JSON(), nullable=True),
        sa.Column("is_claim", sa.Boolean(), nullable=False),
        _belongs_to("seats", "game", "games"),
        _belongs_to("seats", "person", "persons"),
        sa.PrimaryKeyConstraint("game", "number", name="pk_seats"),
    )
    op.create_index("ix_seats_person", "seats", ["person"])
    op.create_table(
        "phases",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("moment", sa.Text(), nullable=False),
        sa.Column("adjudicator", sa.Text(), nullable=False),
        sa.Column("processed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        _belongs_to("phases", "game", "games"),
        sa.PrimaryKeyConstraint("game", "number", name="pk_phases"),
    )
    op.create_table(
        "holdings",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("phase", sa.Integer(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("cities", sa.Integer(), nullable=False),
        sa.Column("treasury", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game", "phase"],
            ["phases.game", "phases.number"],
            name="fk_holdings_game_phase",
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("game", "phase", "power", name="pk_holdings"),
    )


def _orders() -> None:
    op.create_table(
        "sheets",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("flawed", sa.Boolean(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        _belongs_to("sheets", "game", "games"),
        _belongs_to("sheets", "mail", "inbox"),
        sa.PrimaryKeyConstraint("game", "after", "power", "number", name="pk_sheets"),
    )
    op.create_table(
        "plans",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        _belongs_to("plans", "game", "games"),
        _belongs_to("plans", "mail", "inbox"),
        sa.PrimaryKeyConstraint("game", "power", "number", name="pk_plans"),
    )


def _messages() -> None:
    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("after", sa.Integer(), nullable=True),
        sa.Column("sender", sa.Integer(), nullable=False),
        sa.Column("readers", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("manner", sa.JSON(), nullable=False),
        _belongs_to("press", "game", "games"),
        sa.PrimaryKeyConstraint("id", name="pk_press"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_press_game", "press", ["game"])
    op.create_table(
        "notes",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        _belongs_to("notes", "game", "games"),
        _belongs_to("notes", "person", "persons"),
        sa.PrimaryKeyConstraint("game", "kind", "person", "number", name="pk_notes"),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        _belongs_to("notices", "by", "persons"),
        _belongs_to("notices", "game", "games"),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notices_game", "notices", ["game"])


def _acts() -> None:
    op.create_table(
        "tokens",
        sa.Column("hashed", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("address", sa.Text(), nullable=False),
        _belongs_to("tokens", "game", "games"),
        _belongs_to("tokens", "person", "persons"),
        sa.PrimaryKeyConstraint("hashed", name="pk_tokens"),
    )
    op.create_index("ix_tokens_person", "tokens", ["person"])
    op.create_table(
        "pending_acts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        _belongs_to("pending_acts", "game", "games"),
        sa.PrimaryKeyConstraint("name", name="pk_pending_acts"),
    )
    op.create_index("ix_pending_acts_game", "pending_acts", ["game"])
    op.create_table(
        "counts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_counts"),
    )
    op.create_index("ix_counts_at", "counts", ["at"])
    op.create_index("ix_counts_key_at", "counts", ["key", "at"])
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("usual", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_pulse"),
    )


def _belongs_to(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    """A reference that is checked when the transaction is committed."""
    return sa.ForeignKeyConstraint(
        [column],
        [f"{other}.id"],
        name=f"fk_{table}_{column}",
        initially="DEFERRED",
        deferrable=True,
    )
