"""How often somebody wants mails; messages that wait for a digest."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_NEW: tuple[tuple[str, str, sa.types.TypeEngine], ...] = (
    ("persons", "notify", sa.Text()),
    ("persons", "digest_hour", sa.Integer()),
    ("outbox", "held_for", sa.Text()),
    ("outbox", "digest_of", sa.Text()),
)


def upgrade() -> None:
    for table, name, kind in _NEW:
        op.add_column(table, sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    for table, name, _ in reversed(_NEW):
        op.drop_column(table, name)
