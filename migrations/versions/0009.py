"""When the master was heard last, and whether he has approved a seat."""

import sqlalchemy as sa
from alembic import op

from machjudge.store.schema.columns import Instant

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("heard", Instant(), nullable=True))
    op.add_column("seats", sa.Column("approved", sa.Boolean(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("approved")
    with op.batch_alter_table("games") as games:
        games.drop_column("heard")
