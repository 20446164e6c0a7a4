"""Letters that others overtake or that are of no use later, and how the relay refuses us."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("yields_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("outbox", sa.Column("expires", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "relay",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("paused_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("pauses", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("is_untold", sa.Boolean(), nullable=False),
        sa.Column("told", sa.DateTime(timezone=True), nullable=True),
    )


def downgrade() -> None:
    op.drop_table("relay")
    op.drop_column("outbox", "expires")
    op.drop_column("outbox", "yields_until")
