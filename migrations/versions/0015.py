"""Who has written a mail whose last try failed."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("writer", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("inbox", "writer")
