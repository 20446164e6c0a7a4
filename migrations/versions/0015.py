"""How many processes ended while they held a mail or a message."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("inbox", "outbox"):
        op.add_column(table, sa.Column("deaths", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    for table in ("inbox", "outbox"):
        with op.batch_alter_table(table) as changed:
            changed.drop_column("deaths")
