"""Tokens that open seats and link addresses, and how often somebody sent a wrong password."""

import sqlalchemy as sa
from alembic import op

from machjudge.store.schema.columns import Instant, Prose

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def _belongs_to(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column],
        [f"{other}.id"],
        name=f"fk_{table}_{column}",
        initially="DEFERRED",
        deferrable=True,
    )


def upgrade() -> None:
    op.create_table(
        "tokens",
        sa.Column("hashed", Prose(), nullable=False),
        sa.Column("purpose", Prose(), nullable=False),
        sa.Column("person", Prose(), nullable=False),
        sa.Column("made", Instant(), nullable=False),
        sa.Column("until", Instant(), nullable=False),
        sa.Column("game", Prose(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("address", Prose(), nullable=False),
        _belongs_to("tokens", "person", "persons"),
        _belongs_to("tokens", "game", "games"),
        sa.PrimaryKeyConstraint("hashed", name="pk_tokens"),
    )
    op.create_index("ix_tokens_person", "tokens", ["person"])
    op.create_table(
        "tries",
        sa.Column("key", Prose(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_tries"),
    )


def downgrade() -> None:
    op.drop_table("tries")
    op.drop_index("ix_tokens_person", table_name="tokens")
    op.drop_table("tokens")
