"""When a silent master was warned that somebody takes over."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("warned", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "warned")
