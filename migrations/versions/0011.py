"""What came back from an address, as a score."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_NEW = {
    "bounced_since": sa.DateTime(timezone=True),
    "bounced_last": sa.DateTime(timezone=True),
    "bounce_halves": sa.Integer(),
    "bounce_today": sa.Integer(),
}


def upgrade() -> None:
    for name, kind in _NEW.items():
        op.add_column("addresses", sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    for name in reversed(_NEW):
        op.drop_column("addresses", name)
