"""Clocks with grace, warnings and pauses; absences; the last look at the clock."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("times", sa.JSON(), nullable=True))
    op.add_column("seats", sa.Column("absences", sa.JSON(), nullable=True))
    op.add_column("seats", sa.Column("priority", sa.JSON(), nullable=True))
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pulse"),
    )


def downgrade() -> None:
    op.drop_table("pulse")
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("priority")
        seats.drop_column("absences")
    with op.batch_alter_table("games") as games:
        games.drop_column("times")
