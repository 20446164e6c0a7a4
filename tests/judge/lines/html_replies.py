"""Answers that quote the HTML part of a message, as mail programs send them.

Each takes the HTML of a message, in which its reader may have changed something, and what they
typed above and below it.
"""

import re
from collections.abc import Callable, Sequence
from html import escape

Program = Callable[[str, Sequence[str], Sequence[str]], str]
"""The HTML of an answer: that of the message, what stands above and what below the quotation."""

JUDGE = (
    'MACH judge &lt;<a href="mailto:judge@mach.example" target="_blank">judge@mach.example</a>&gt;'
)


def body_of(html: str) -> str:
    """What stands in the body of a document."""
    found = re.search(r"<body[^>]*>(.*)</body>", html, re.DOTALL)
    assert found is not None
    return found[1].strip()


def gmail(html: str, above: Sequence[str], below: Sequence[str]) -> str:
    """Gmail on the web: a class for the quotation, a narrow space in the time."""
    typed = "".join(f"<div>{escape(line)}</div>" for line in above) or "<br>"
    after = "".join(f"<div>{escape(line)}</div>" for line in below)
    return (
        f'<div dir="ltr">{typed}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 1:00\u202fPM {JUDGE} wrote:<br>'
        '</div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px '
        f'solid rgb(204,204,204);padding-left:1ex"><u></u>\n\n\n\n<div>\n{body_of(html)}\n</div>'
        f"</blockquote></div>{after}"
    )


def apple(html: str, above: Sequence[str], below: Sequence[str]) -> str:
    """Apple Mail: everything in a citation, the line above it too."""
    typed = "".join(f"<div>{escape(line)}</div>" for line in above)
    after = "".join(f"<div>{escape(line)}</div>" for line in below)
    return (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        '<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: '
        f'after-white-space;">{typed}<br id="lineBreakAtBeginningOfMessage"><div><br>'
        '<blockquote type="cite"><div>On 20 Nov 2026, at 13:00, MACH judge '
        '&lt;judge@mach.example&gt; wrote:</div><br class="Apple-interchange-newline"><div>'
        '<meta http-equiv="content-type" content="text/html; charset=utf-8"><div>'
        f"{body_of(html)}</div></div></blockquote></div>{after}<br></body></html>"
    )


def word(html: str) -> str:
    """A document as Word rewrites it: a paragraph of its own kind for everything."""
    text = body_of(html)
    text = re.sub(r"<div[^>]*>", "<div>", text)
    text = re.sub(r"<p [^>]*>", "<p class=MsoNormal style='mso-margin-bottom-alt:6.0pt'>", text)
    text = text.replace("</p>", "<o:p></o:p></p>")
    text = re.sub(r"<ul[^>]*>", "<ul style='margin-top:0cm' type=disc>", text)
    text = re.sub(
        r"<li[^>]*>", "<li class=MsoNormal style='mso-list:l1 level1 lfo2;tab-stops:list'>", text
    )
    return re.sub(r"<pre[^>]*>(.*?)</pre>", _lines_of_word, text, flags=re.DOTALL)


def _lines_of_word(found: re.Match[str]) -> str:
    lines = found[1].split("\n")
    return "".join(f"<pre><span lang=EN-US>{line}<o:p></o:p></span></pre>" for line in lines)


def _numbered_by_word(found: re.Match[str]) -> str:
    """As the list that somebody makes of lines with one button, where the program numbers them."""
    return "".join(
        f"<p class=MsoListParagraph style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:l0 "
        f"level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>{n}.<span "
        f"style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span>"
        f"<![endif]><span lang=EN-US>{line}<o:p></o:p></span></p>"
        for n, line in enumerate(found[1].split("\n"), start=1)
    )


HEAD_OF_OUTLOOK = (
    "<b><span lang=EN-US>From:</span></b><span lang=EN-US> MACH judge &lt;judge@mach.example&gt; "
    "<br><b>Sent:</b> Friday, November 20, 2026 1:00 PM<br><b>To:</b> Anna "
    "&lt;anna@player.example&gt;<br><b>Subject:</b> borgia: nothing lost<o:p></o:p></span>"
)


def _outlook(quoted: str, above: Sequence[str], below: Sequence[str]) -> str:
    typed = "".join(f"<p class=MsoNormal>{escape(line)}<o:p></o:p></p>" for line in above)
    after = "".join(f"<p class=MsoNormal>{escape(line)}<o:p></o:p></p>" for line in below)
    return (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office" '
        'xmlns:w="urn:schemas-microsoft-com:office:word"><head><style><!-- p.MsoNormal '
        "{margin:0cm;} --></style></head><body lang=EN-US link=blue vlink=purple>"
        f"<div class=WordSection1>{typed}<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div "
        "style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>"
        f"<p class=MsoNormal>{HEAD_OF_OUTLOOK}</p></div></div><p class=MsoNormal><o:p>&nbsp;</o:p>"
        f"</p>{quoted}{after}</div></body></html>"
    )


def outlook(html: str, above: Sequence[str], below: Sequence[str]) -> str:
    """Outlook for Windows, which writes with Word."""
    return _outlook(word(html), above, below)


def outlook_numbered(html: str, above: Sequence[str], below: Sequence[str]) -> str:
    """The same where the lines were made a numbered list."""
    text = re.sub(r"<pre[^>]*>(.*?)</pre>", _numbered_by_word, html, flags=re.DOTALL)
    return _outlook(word(text), above, below)


def outlook_list(html: str, above: Sequence[str], below: Sequence[str]) -> str:
    """The same as the list that newer versions write."""

    def listed(found: re.Match[str]) -> str:
        items = (
            f"<li class=MsoListParagraph style='mso-list:l0 level1 lfo1'>{line}<o:p></o:p></li>"
            for line in found[1].split("\n")
        )
        return f"<ol style='margin-top:0cm' start=1 type=1>{''.join(items)}</ol>"

    text = re.sub(r"<pre[^>]*>(.*?)</pre>", listed, html, flags=re.DOTALL)
    return _outlook(word(text), above, below)


def outlook_web(html: str, above: Sequence[str], below: Sequence[str]) -> str:
    """Outlook on the web: a mark of its own where the quotation begins."""
    font = 'style="font-family: Aptos, Calibri, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);"'
    typed = "".join(f'<div class="elementToProof" {font}>{escape(line)}</div>' for line in above)
    after = "".join(f'<div class="elementToProof" {font}>{escape(line)}</div>' for line in below)
    quoted = body_of(html).replace("<li ", '<li class="x_item" ')
    return (
        f'<html><head></head><body dir="ltr">{typed}<div class="elementToProof" {font}><br></div>'
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        '<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt"'
        ' color="#000000"><b>From:</b> MACH judge &lt;judge@mach.example&gt;<br><b>Sent:</b> '
        "Friday, November 20, 2026 1:00 PM<br><b>To:</b> Anna &lt;anna@player.example&gt;<br><b>"
        f"Subject:</b> borgia: nothing lost</font><div>&nbsp;</div></div>{quoted}{after}"
        "</body></html>"
    )


def yahoo(html: str, above: Sequence[str], below: Sequence[str]) -> str:
    """Yahoo: the quotation in a block with an id, the line above in it."""
    typed = "".join(f'<div dir="ltr" data-setdir="false">{escape(line)}</div>' for line in above)
    after = "".join(f'<div dir="ltr" data-setdir="false">{escape(line)}</div>' for line in below)
    return (
        '<html><head></head><body><div class="ydp1a2b3c4dyahoo-style-wrap" style="font-family:'
        f'Helvetica Neue, Helvetica, Arial, sans-serif;font-size:16px;">{typed}<div><br></div>'
        f'{after}</div><div id="ydp5e6f7a8byahoo_quoted_4711" class="ydp5e6f7a8byahoo_quoted"><div '
        'style="font-family:Arial;font-size:13px;color:#26282a;"><div>On Friday, November 20, 2026'
        " at 01:00:00 PM GMT+1, MACH judge &lt;judge@mach.example&gt; wrote: </div><div><br></div>"
        f'<div><br></div><div><div id="ydpyiv1234567890"><div>{body_of(html)}</div></div></div>'
        "</div></div></body></html>"
    )


def samsung(html: str, above: Sequence[str], below: Sequence[str]) -> str:
    """Samsung's program: a signature above, rows that tell of the message, no mark."""
    typed = "".join(f'<div dir="auto">{escape(line)}</div>' for line in above)
    after = "".join(f'<div dir="auto">{escape(line)}</div>' for line in below)
    return (
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head>'
        f'<body dir="auto">{typed}<div dir="auto"><br></div>'
        '<div id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757" '
        'dir="auto">Sent from my Galaxy</div></div>'
        '<div dir="auto"><br></div><div><br></div><div align="left" dir="auto" style="font-size:'
        '100%;color:#000000"><div>-------- Original message --------</div><div>From: MACH judge '
        "&lt;judge@mach.example&gt; </div><div>Date: 20/11/2026  13:00  (GMT+01:00) </div><div>To: "
        "anna@player.example </div><div>Subject: borgia: nothing lost </div><div><br></div></div>"
        f"{body_of(html)}{after}</body></html>"
    )


PROGRAMS: dict[str, Program] = {
    "gmail": gmail,
    "apple": apple,
    "outlook": outlook,
    "outlook_numbered": outlook_numbered,
    "outlook_list": outlook_list,
    "outlook_web": outlook_web,
    "yahoo": yahoo,
    "samsung": samsung,
}
