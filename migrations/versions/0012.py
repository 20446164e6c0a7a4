"""How long is usually between two looks at the clock."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("pulse", sa.Column("usual", sa.Integer(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("pulse") as pulse:
        pulse.drop_column("usual")
