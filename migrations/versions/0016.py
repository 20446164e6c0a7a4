"""Short silences of the judge add up, and its database knows its secret."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("heartbeat", sa.Column("missed", sa.Integer(), nullable=True))
    op.create_table(
        "judge",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("secret", sa.Text(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("judge")
    op.drop_column("heartbeat", "missed")
