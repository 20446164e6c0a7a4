"""How a mailbox is reached, for figures."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_INSTANTS = ("polled", "connected", "faulted")
_NUMBERS = ("waiting", "connections")


def upgrade() -> None:
    with op.batch_alter_table("mailboxes") as table:
        for name in _INSTANTS:
            table.add_column(sa.Column(name, sa.DateTime(timezone=True), nullable=True))
        for name in _NUMBERS:
            table.add_column(sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
        table.add_column(sa.Column("why", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("mailboxes") as table:
        for name in (*_INSTANTS, *_NUMBERS, "why"):
            table.drop_column(name)
