"""Who has led the seats of a game, and the people who would take one over."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("seating", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "seating")
