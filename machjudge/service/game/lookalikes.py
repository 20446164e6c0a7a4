"""Whether two names look alike (Unicode Technical Standard 39, section 4: confusables).

Signs that look alike come from the Unicode table in the library.  Beyond that, case, accents,
spaces and punctuation make no difference here: in a header nobody sees them.
"""

import unicodedata
from functools import lru_cache

_MARKS = frozenset({"Mn", "Mc", "Me"})
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing."""


@lru_cache(maxsize=20_000)
def skeletons(name: str) -> frozenset[str]:
    """What a name is compared by: two names look alike if they share one of these.

    As written, in capitals and in small letters, because ``l`` looks like the capital ``I`` only.
    A name without any letter or digit has none.
    """
    spelt = (name, name.upper(), name.lower())
    return frozenset(found for each in spelt if (found := _skeleton(each)))


def unseen_signs(name: str) -> bool:
    """Whether a name has signs that nobody sees, or that turn the direction of the text."""
    return any(unicodedata.category(each) in _UNSEEN or each in _FILLERS for each in name)


def without_unseen(name: str) -> str:
    """The name without the signs that nobody sees."""
    return "".join(each for each in name if not unseen_signs(each))


def _skeleton(name: str) -> str:
    plain = unicodedata.normalize("NFKD", without_unseen(name))
    bare = "".join(each for each in plain if unicodedata.category(each) not in _MARKS)
    once = "".join(map(_prototype, bare)).casefold()
    return "".join(each for each in map(_prototype, once) if each.isalnum())


@lru_cache(maxsize=4096)
def _prototype(sign: str) -> str:
    """The sign or signs that the table names for it; itself where there is none.

    The table goes both ways: a sign with one entry is written like that entry, one with several
    is what the others are written like.
    """
    found = _similar(sign)
    if len(found) != 1:
        return sign
    (other,) = found
    back = _similar(other)
    is_pair = back == (sign,) and len(other) == 1
    return min(sign, other) if is_pair else other


def _similar(sign: str) -> tuple[str, ...]:
    # Its table takes long to load, and most processes compare no names.
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415

    return tuple(each["c"].replace("\u200e", "") for each in confusables_data.get(sign, ()))
