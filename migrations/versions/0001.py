"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
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
        sa.Column("answers", sa.Text(), nullable=True),
        sa.Column("thread", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=True),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_state_due", "outbox", ["state", "due"])

    op.create_table(
        "persons",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("registered", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_persons"),
    )
    op.create_table(
        "addresses",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["persons.id"],
            name="fk_addresses_person",
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("address", name="pk_addresses"),
    )
    op.create_index("ix_addresses_person", "addresses", ["person"])

    op.create_table(
        "attachments",
        sa.Column("letter", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["letter"],
            ["outbox.id"],
            name="fk_attachments_letter",
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("letter", "rank", name="pk_attachments"),
    )
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
        sa.Column("reminded", sa.Boolean(), nullable=False),
        sa.Column("late_told", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["master"],
            ["persons.id"],
            name="fk_games_master",
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by"], ["persons.id"], name="fk_notices_by", initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name="fk_notices_game", initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notices_game", "notices", ["game"])

    op.create_table(
        "phases",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("moment", sa.Text(), nullable=False),
        sa.Column("adjudicator", sa.Text(), nullable=False),
        sa.Column("processed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name="fk_phases_game", initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("game", "number", name="pk_phases"),
    )
    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("after", sa.Integer(), nullable=True),
        sa.Column("sender", sa.Integer(), nullable=False),
        sa.Column("readers", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name="fk_press_game", initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name="pk_press"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_press_game", "press", ["game"])

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
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name="fk_seats_game", initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["person"],
            ["persons.id"],
            name="fk_seats_person",
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("game", "number", name="pk_seats"),
    )
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
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name="fk_sheets_game", initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["mail"], ["inbox.id"], name="fk_sheets_mail", initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("game", "after", "power", "number", name="pk_sheets"),
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


def downgrade() -> None:
    op.drop_table("holdings")
    op.drop_table("sheets")
    op.drop_table("seats")
    op.drop_index("ix_press_game", "press")

    op.drop_table("press")
    op.drop_table("phases")
    op.drop_index("ix_notices_game", "notices")

    op.drop_table("notices")
    op.drop_table("games")
    op.drop_table("attachments")
    op.drop_index("ix_addresses_person", "addresses")

    op.drop_table("addresses")
    op.drop_table("persons")
    op.drop_index("ix_outbox_state_due", "outbox")

    op.drop_table("outbox")
    op.drop_index("ix_inbox_state_sender", "inbox")
    op.drop_index("ix_inbox_state_id", "inbox")

    op.drop_table("inbox")
