"""The observer's seat to which a message goes, who can leave by an address in it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("observer", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("outbox", "observer")
