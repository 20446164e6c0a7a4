"""What an answer to a question of the judge says: yes, no, or something else.

An answer without words of its own says yes: most people who mean it send it so.  Whoever wonders
why they are asked writes words, and so does a machine that answers for somebody who is away: they
agree only with a word for it.  What is asked once more costs little; a seat that a stranger gets
by an answer which meant something else costs a game.
"""

import re
from collections.abc import Iterator

from machjudge.reading import Mail, MailFlaw, Where

_MOST_WORDS = 25
"""Of a line that agrees."""
_SURE = re.compile(
    r"\W*(?:yes|yep|yeah|sí|sì|ja|oui|sim|i confirm|(?:lo )?confirmo|(?:lo )?confermo|i agree|"
    r"(?:it|that)(?:'s| is| was) me|soy yo|fui yo|he sido yo|sono io|sono stat[oa] io|ero io)\b"
    r"(?! (?:what|that|qué|que|che|cosa)\b)",
    re.IGNORECASE,
)
"""Words that agree, whatever stands behind them."""
_LIGHT = re.compile(
    r"\W*(?:ok|okay|okey|vale|si|y|confirm|confirmed|confirmad[oa]|confermat[oa]|agreed|done|sure|"
    r"of course|"
    r"all right|alright|fine|great|claro|perfecto|certo|perfetto|bene|de acuerdo|va bene|"
    r"d['’]accordo|do it|please do)(?P<rest>\W.*)?",
    re.IGNORECASE,
)
"""Words that agree where nothing follows them but courtesies, or a stop."""
_OBJECT = re.compile(
    r"\A\s+(?:it|this|that|me|(?:my|the|mi|la|il mio|il) "
    r"(?:address|seat|account|game|dirección|puesto|indirizzo|posto))\b",
    re.IGNORECASE,
)
"""What is confirmed."""
_STOP = re.compile(r"\s*[.,;:!–—-]")
_BUT = re.compile(
    r"\?|n['’]t\b|\b(?:no|not|non|never|nunca|mai|but|pero|però|stop|stopp|unsubscribe|remove|delete|"
    r"spam|cancel|baja|basta|wrong|away|office|vacation|holidays?|leave|absent|ferie|vacanza|vacaciones|"
    r"fuera|assente|ausente|sbagliat[oa]|equivocad[oa]|prega)\b",
    re.IGNORECASE,
)
"""What makes of a word of agreement something else."""
_DENIAL = re.compile(
    r"\W*(?:no|nope)(?:,? (?:thanks|thank you|gracias|grazie))?\W*"
    r"|.*\b(?:not|wasn['’]?t) (?:me|mine)\b.*"
    r"|.*\bno (?:soy|fui|he sido|era) yo\b.*|.*\byo no (?:soy|fui|he sido|era)\b.*"
    r"|.*\bnon (?:sono|ero) (?:stat[oa] )?io\b.*|\W*no[n]? (?:yo|io)\W*",
    re.IGNORECASE,
)
"""A line by which somebody says that others have used their address."""
_INSTRUCTION = re.compile(r"\b(?:reply|answer|contesta|responde|rispondi)\b", re.IGNORECASE)
"""A word of the judge's own message, as some programs quote it without a mark."""
_COURTEOUS = frozenset(
    """
    hello hi hey dear good morning day evening afternoon regards best kind kindest warm wishes
    greetings cheers thanks thank you thx very much many sincerely yours truly faithfully sir madam
    judge keeper all everybody everyone and a the with bye goodbye please
    hola estimado estimada querido querida buenos buenas días dias tardes noches gracias muchas
    saludos saludo cordiales atentamente un una abrazo por favor y juez
    ciao salve buongiorno buonasera caro cara gentile grazie mille tante saluti cordiali
    cordialmente distinti saluto e giudice per favore
    hallo liebe lieber grüße gruß viele mit freundlichen danke bonjour merci cordialement
    """.split()  # noqa: SIM905
)
_MOST_COURTEOUS, _MOST_NAMES = 8, 2
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_REPLIES = re.compile(r"\s*(?:[^\s:：]{1,12}\s?[:：]\s*)+")
_SAID = (Where.GREETING, Where.CLOSING)
_HIDES_NOTHING = frozenset(
    (
        MailFlaw.EMPTY,
        MailFlaw.ATTACHMENT,
        MailFlaw.QUOTE_CUT,
        MailFlaw.QUOTE_REST,
        MailFlaw.AFTER_QUOTE,
    )
)
"""Flaws of an answer that may be without words; all others may hide some."""
_AWAY = re.compile(
    r"\b(?:away|out of (?:the )?office|vacation|on (?:leave|holidays?)|assente|in ferie|"
    r"fuori ufficio|ausente|de vacaciones|fuera de la oficina)\b",
    re.IGNORECASE,
)
"""What a signature says that is a notice of absence."""
_DECORATION = re.compile(
    r"image/|signature|calendar|\.(?:png|jpe?g|gif|bmp|svg|webp|vcf|ics|p7s|asc)$", re.IGNORECASE
)
"""A file that says nothing: a logo, a signature, a card."""


def own_words(mail: Mail) -> Iterator[str]:
    """The lines of an answer that say something, in their order: no press, no bare courtesies."""
    said = [(line.number, line.text) for line in mail.lines if not line.is_press]
    said += [(each.number, each.text) for each in mail.asides if each.where in _SAID]
    name = set(_WORD.findall(mail.display_name.lower()))
    return (
        text
        for _, text in sorted(said)
        if not is_bare_courtesy(text) and not name.issuperset(_WORD.findall(text.lower()) or "?")
    )


def is_wordless(mail: Mail) -> bool:
    """Whether an answer has no words of its own, be it in a subject that is no reply's.

    What cannot be read may hide words.
    """
    subject = _REPLIES.sub("", mail.subject, count=1)
    is_hidden = not _HIDES_NOTHING.issuperset(defect.flaw for defect in mail.defects)
    is_hidden |= not all(map(_DECORATION.search, mail.attachments))
    signed = (each.text for each in mail.asides if each.where is Where.SIGNATURE)
    is_away = any(map(_AWAY.search, signed))
    says_no = subject == mail.subject and bool(_BUT.search(subject))
    further = (each.text for each in mail.asides if each.where is Where.FURTHER)
    is_silent = next(own_words(mail), None) is None and all(map(is_bare_courtesy, further))
    return is_silent and not (is_hidden or is_away or says_no)


def agrees(text: str) -> bool:
    """Whether somebody says yes in English, Spanish or Italian, and nothing that takes it back."""
    if _BUT.search(text) or len(text.split()) > _MOST_WORDS:
        return False
    if _SURE.match(text):
        return True
    light = _LIGHT.fullmatch(text.strip())
    if light is None:
        return False
    rest = _OBJECT.sub("", light["rest"] or "", count=1)
    ends = not rest.strip() or _STOP.match(rest) is not None
    return ends or is_bare_courtesy(rest) or agrees(rest)


def denies(mail: Mail) -> bool:
    """Whether a line of an answer says that it was somebody else."""
    return any(
        _DENIAL.fullmatch(text) and not _INSTRUCTION.search(text) for text in own_words(mail)
    )


def is_bare_courtesy(text: str) -> bool:
    """Whether a line is a salutation, thanks or a closing, with a name, and says no more."""
    if _BUT.search(text) or any(map(str.isdigit, text)):
        return False
    words = _WORD.findall(text)
    names = [word for word in words if word.lower() not in _COURTEOUS]
    begins = not words or words[0].lower() in _COURTEOUS
    is_short = len(words) <= _MOST_COURTEOUS and len(names) <= _MOST_NAMES
    return begins and is_short and all(word[0].isupper() for word in names)
