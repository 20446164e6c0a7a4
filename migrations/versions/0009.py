"""Who wants maps in messages, and who wants results as JSON."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_NEW = ("pictures", "json")


def upgrade() -> None:
    for name in _NEW:
        op.add_column("persons", sa.Column(name, sa.Boolean(), nullable=True))


def downgrade() -> None:
    for name in reversed(_NEW):
        op.drop_column("persons", name)
