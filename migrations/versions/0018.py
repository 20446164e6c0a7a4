"""People and seats whose address nobody has confirmed yet."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "persons", sa.Column("standing", sa.Text(), nullable=False, server_default="confirmed")
    )
    op.add_column("persons", sa.Column("claimed", sa.Text(), nullable=True))
    op.add_column("seats", sa.Column("claimed", sa.JSON(), nullable=True))
    op.add_column("seats", sa.Column("is_claim", sa.Boolean(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("is_claim")
        seats.drop_column("claimed")
    with op.batch_alter_table("persons") as persons:
        persons.drop_column("claimed")
        persons.drop_column("standing")
