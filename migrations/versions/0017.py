"""When calendars remind people of a deadline."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("persons", sa.Column("alarms", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("persons", "alarms")
