"""The language in which somebody reads mails of the judge."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("persons", sa.Column("language", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("persons", "language")
