"""Acts that wait for the answer from the address on file."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pending_acts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
            name="fk_pending_acts_game",
            deferrable=True,
            initially="DEFERRED",
        ),
        sa.PrimaryKeyConstraint("name", name="pk_pending_acts"),
    )
    op.create_index("ix_pending_acts_game", "pending_acts", ["game"])


def downgrade() -> None:
    op.drop_index("ix_pending_acts_game", table_name="pending_acts")
    op.drop_table("pending_acts")
