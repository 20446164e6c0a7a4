"""Where the data that belongs to the program lies: in the installed package, or beside it."""

from pathlib import Path

from machjudge.adjudicator.model.names import MachjudgeError

_PACKAGE = Path(__file__).resolve().parent.parent


def docs_folder() -> Path:
    """The texts that are sent for the asking; MachjudgeError if they are missing."""
    return find_folder(_PACKAGE, "docs")


def maps_folder() -> Path:
    """The boards and scenarios that come with the program; MachjudgeError if they are missing."""
    return find_folder(_PACKAGE, "maps")


def templates_folder() -> Path:
    """The templates of the messages; MachjudgeError if they are missing."""
    return find_folder(_PACKAGE, "templates")


def migrations_folder() -> Path:
    """The steps of the database; MachjudgeError if they are missing."""
    return find_folder(_PACKAGE, "migrations")


def find_folder(package: Path, name: str) -> Path:
    """The folder *name* inside *package* (as in a wheel) or beside it (as in a checkout)."""
    inside = package / name
    if inside.is_dir():
        return inside
    beside = package.parent / name
    # Beside an installed package lie the folders of strangers, and no pyproject.toml.
    if beside.is_dir() and (package.parent / "pyproject.toml").is_file():
        return beside
    message = f"the folder {name} is missing from this installation: {inside}"
    raise MachjudgeError(message)
