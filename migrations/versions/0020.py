"""A master gives back the seats of somebody who was ejected."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("ejected", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "ejected")
