"""Press in its manners, postal press and diaries, and what people at seats wish."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("wishes", sa.JSON(), nullable=True))
    op.add_column("press", sa.Column("manner", sa.JSON(), nullable=True))
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
        sa.PrimaryKeyConstraint("game", "kind", "person", "number", name="pk_notes"),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
            name="fk_notes_game",
            deferrable=True,
            initially="DEFERRED",
        ),
        sa.ForeignKeyConstraint(
            ["person"],
            ["persons.id"],
            name="fk_notes_person",
            deferrable=True,
            initially="DEFERRED",
        ),
    )


def downgrade() -> None:
    op.drop_table("notes")
    with op.batch_alter_table("press") as press:
        press.drop_column("manner")
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("wishes")
