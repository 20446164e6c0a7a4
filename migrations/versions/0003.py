"""How games end, and the votes of their players."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("ending", sa.JSON(), nullable=True))
    op.add_column("seats", sa.Column("votes", sa.JSON(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("votes")
    with op.batch_alter_table("games") as games:
        games.drop_column("ending")
