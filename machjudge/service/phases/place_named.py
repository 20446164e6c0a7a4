"""The place that words of a command name."""

from collections.abc import Sequence

from machjudge.adjudicator.model.names import PlaceId
from machjudge.language.vocabulary.lexicon import Lexicon, Several, Unknown
from machjudge.language.vocabulary.words import fold
from machjudge.sentence import Sentence
from machjudge.service.orders.order_refusals import may_mean


def place_named(lexicon: Lexicon, words: Sequence[str]) -> PlaceId | Sentence:
    """The place, or that the words name none or several."""
    text = " ".join(words)
    found = lexicon.place(fold(text))
    if isinstance(found, Several):
        return may_mean(text, found.candidates)
    return Sentence("language.no_place", found=text) if isinstance(found, Unknown) else found
