"""When a game has to be looked at next."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("next_look", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_games_next_look", "games", ["next_look"])
    op.execute("UPDATE games SET next_look = created")


def downgrade() -> None:
    op.drop_index("ix_games_next_look", "games")
    op.drop_column("games", "next_look")
