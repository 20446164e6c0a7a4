"""Messages as values: the key of a sentence, and the values of its fields.

Nothing here knows the words of a language: its catalogue (`templates/en/*.toml`) holds them, and
`machjudge.messages` says them.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import NoReturn, Self


class Message:
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
        if not isinstance(other, Message):
            return NotImplemented
        return (self.key, self._fields) == (other.key, other._fields)

    def __hash__(self) -> int:
        return hash((self.key, self._fields))

    def __repr__(self) -> str:
        fields = "".join(f", {name}={value!r}" for name, value in self._fields)
        return f"Message({self.key!r}{fields})"

    def __str__(self) -> NoReturn:
        """Refuse to be text: only a catalogue knows the words.  Raises TypeError."""
        msg = f"the sentence {self.key} has to be said in a language first"
        raise TypeError(msg)

    def __format__(self, spec: str) -> NoReturn:
        self.__str__()


MessageOrText = Message | str
"""A sentence, or text that is the same in every language: an order, a name, a row of a table.

What of a text is the name of a place or a power is a `Name`, which has words of its own.
"""

Translations = Mapping[str, Mapping[str, str]]
"""By language the names that it has in other words, by the usual ones."""


class TranslatedText(str):
    """A text with words of its own in some languages; it never changes, so that it is its copy."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def said(self, language: str, say: Callable[[MessageOrText], str]) -> str:
        """The text in a language; *say* has the words for sentences."""
        raise NotImplementedError


class Name(TranslatedText):
    """A name, which some languages have in other words: ``Venice``, in Spanish ``Venecia``.

    Everywhere but in a message it is the usual name, a text like others.
    """

    __slots__ = ("_own",)
    _own: Translations

    def __new__(cls, text: str, own: Translations) -> Self:
        """The name *text* with what languages call it."""
        name = super().__new__(cls, text)
        name._own = own
        return name

    def said(self, language: str, say: Callable[[MessageOrText], str]) -> str:
        """The name in a language; *say* has the words for sentences."""
        text = str(self)
        return self._own.get(language, {}).get(text, text)


class CommonName(TranslatedText):
    """A name that is a sentence in each language, such as ``nobody`` or ``the master``."""

    __slots__ = ("_sentence",)
    _sentence: Message

    def __new__(cls, text: str, sentence: Message) -> Self:
        """The usual *text* of a sentence."""
        term = super().__new__(cls, text)
        term._sentence = sentence
        return term

    def said(self, language: str, say: Callable[[MessageOrText], str]) -> str:
        """The name in the language of *say*."""
        return say(self._sentence)


class Phrase(TranslatedText):
    """A text in which names stand, such as an order."""

    __slots__ = ("form", "parts")
    form: str
    """As of `str.format`."""
    parts: tuple[str, ...]

    def said(self, language: str, say: Callable[[MessageOrText], str]) -> str:
        """The text with its names in a language."""
        return self.form.format(
            *(p.said(language, say) if isinstance(p, TranslatedText) else p for p in self.parts)
        )


class Capital(TranslatedText):
    """A name at the beginning of a line."""

    __slots__ = ("_text",)
    _text: TranslatedText

    def __new__(cls, text: TranslatedText) -> Self:
        """The name with a capital."""
        capital = super().__new__(cls, text.capitalize())
        capital._text = text
        return capital

    def said(self, language: str, say: Callable[[MessageOrText], str]) -> str:
        """The name in a language, with a capital."""
        said = self._text.said(language, say)
        return said[:1].upper() + said[1:]


def phrase(form: str, *parts: str) -> str:
    """The form, as of `str.format`, with its parts, of which some may be names."""
    for part in parts:
        if type(part) is not str:
            said = Phrase(form.format(*parts))
            said.form, said.parts = form, parts
            return said
    return form.format(*parts)


def joined(between: str, parts: Iterable[str]) -> str:
    """The parts with a text between them, as of `str.join`."""
    listed = tuple(parts)
    return phrase(between.join(["{}"] * len(listed)), *listed)


def capitalized(text: str) -> str:
    """The text with a capital at its beginning."""
    return Capital(text) if isinstance(text, TranslatedText) else text.capitalize()
