"""What is said to somebody, as a value: which sentence it is, and what stands in it.

Nothing here knows a language.  The catalogue of a language (`templates/en/*.toml`) holds the words,
and `machjudge.letters` says them.
"""

from collections.abc import Hashable
from typing import NoReturn


class Sentence:
    """A sentence by its key in the catalogue, with the values of its fields.

    *key* is the name of the catalogue's file, a dot, and the entry: ``setup.name_taken``.  A field
    is a number, a name, an instant (with its zone in another field), another sentence, or a tuple.
    Two sentences are equal if they say the same.
    """

    __slots__ = ("_fields", "key")

    def __init__(self, key: str, /, **fields: Hashable) -> None:
        self.key = key
        self._fields = tuple(sorted(fields.items()))

    @property
    def fields(self) -> dict[str, Hashable]:
        """The values that stand in the sentence, by name."""
        return dict(self._fields)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return (self.key, self._fields) == (other.key, other._fields)

    def __hash__(self) -> int:
        return hash((self.key, self._fields))

    def __repr__(self) -> str:
        fields = "".join(f", {name}={value!r}" for name, value in self._fields)
        return f"Sentence({self.key!r}{fields})"

    def __str__(self) -> NoReturn:
        """Refuse to be text: only a catalogue knows the words.  Raises TypeError."""
        msg = f"the sentence {self.key} has to be said in a language first"
        raise TypeError(msg)

    def __format__(self, spec: str) -> NoReturn:
        self.__str__()


Wording = Sentence | str
"""A sentence, or text that is the same in every language: an order, a name, a row of a table."""
