"""The log of a game is told in the language of its reader."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notices", sa.Column("translations", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("notices", "translations")
