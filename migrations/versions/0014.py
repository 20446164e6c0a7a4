"""What is counted for the limits, in place of the table of wrong passwords."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "counts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_counts"),
    )
    op.create_index("ix_counts_key_at", "counts", ["key", "at"])
    op.create_index("ix_counts_at", "counts", ["at"])
    op.drop_table("tries")


def downgrade() -> None:
    op.create_table(
        "tries",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_tries"),
    )
    op.drop_index("ix_counts_at", table_name="counts")
    op.drop_index("ix_counts_key_at", table_name="counts")
    op.drop_table("counts")
