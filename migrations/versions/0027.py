"""The people who would lead a seat that has lost its player."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "substitutes",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("notice", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["persons.id"],
            name="fk_substitutes_person",
            deferrable=True,
            initially="DEFERRED",
        ),
        sa.PrimaryKeyConstraint("person", "game", name="pk_substitutes"),
    )


def downgrade() -> None:
    op.drop_table("substitutes")
