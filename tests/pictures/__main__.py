# ruff: noqa: T201 - a tool prints
"""Messages as telephones and screens show them: ``python -m tests.pictures``, `make pictures`.

The demo is played, and ten of its messages are drawn by headless Chromium at 390 and 700 pixels.
Ends with 2 if there is no Chromium.
"""

import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageChops

from tests.browser.chromium import FLAGS, browser_here

WIDTHS = (390, 700)
_FOLDER = Path("docs/pictures")
_HEIGHT = 4000
_SHOWN = 1500
"""How much of a message is kept, in pixels."""
_COLOURS = 48

MESSAGES = {
    "registered": ("francesco", "Re: MACH: registers"),
    "joined": ("caterina", "Re: intro: joins"),
    "new-player": ("francesco", "intro: new player"),
    "starting": ("lorenza", "the game begins, you lead Florence (S1385M)"),
    "receipt": ("alfonso", "Re: intro: orders (F1386M)"),
    "retreat": ("alfonso", "A Ancona must retreat"),
    "quiet": ("caterina", "nothing lost, nothing taken (F1386B)"),
    "adjustment": ("francesco", "Mantua taken (F1386B)"),
    "money": ("lorenza", "Re: ducats: spends (S1385M)"),
    "bought": ("francesco", "A Bologna gone"),
}
"""By the name of its picture the reader of a message, and words of its subject."""


def main() -> int:
    """Play, draw, and say how large the pictures are."""
    browser = browser_here()
    if browser is None:
        print("There is no Chromium here; on Debian and Ubuntu, install the package chromium.")
        return 2
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        work = Path(folder)
        demo = (sys.executable, "-m", "machjudge", "demo", "--folder", str(work / "demo"))
        subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
        mails = sorted((work / "demo" / "mailbox").glob("*.eml"))
        for name, (reader, subject) in MESSAGES.items():
            page = work / f"{name}.html"
            page.write_text(_page(_found(mails, reader, subject)), encoding="utf-8")
            for width in WIDTHS:
                file = _FOLDER / f"{name}-{width}.png"
                _draw(browser, page, width, work).save(file, optimize=True)
                print(f"{file}: {file.stat().st_size // 1000} kB")
    return 0


def _found(mails: list[Path], reader: str, subject: str) -> EmailMessage:
    for file in mails:
        if file.stem.endswith(f"-{reader}"):
            mail = message_from_bytes(file.read_bytes(), _class=EmailMessage, policy=SMTP)
            if subject in str(mail["Subject"]):
                return mail
    msg = f"the demo has no message to {reader} with {subject} in its subject"
    raise LookupError(msg)


def _page(mail: EmailMessage) -> str:
    """The HTML part with its pictures inside."""
    html = next(part.get_content() for part in _parts(mail, "text/html"))
    for part in _parts(mail, "image/png"):
        inside = b64encode(part.get_content()).decode()
        html = html.replace(
            f"cid:{str(part['Content-ID']).strip('<>')}", f"data:image/png;base64,{inside}"
        )
    return str(html)


def _parts(mail: EmailMessage, kind: str) -> Iterator[EmailMessage]:
    return (
        part
        for part in mail.walk()
        if isinstance(part, EmailMessage) and part.get_content_type() == kind
    )


def _draw(browser: str, page: Path, width: int, work: Path) -> Image.Image:
    """The page at that width, without what is empty below it, in few colours."""
    shot = work / "shot.png"
    own = (f"--user-data-dir={work / 'browser'}", f"--screenshot={shot}")
    size = f"--window-size={width},{_HEIGHT}"
    subprocess.run(  # noqa: S603 - the browser of this machine
        (browser, *FLAGS, "--hide-scrollbars", *own, size, page.as_uri()),
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with Image.open(shot) as opened:
        whole = opened.convert("RGB")
    empty = Image.new("RGB", whole.size, whole.getpixel((0, whole.height - 1)))
    box = ImageChops.difference(whole, empty).getbbox()
    bottom = min(box[3] if box else whole.height, _SHOWN)
    return whole.crop((0, 0, width, bottom)).quantize(_COLOURS, dither=Image.Dither.NONE)


if __name__ == "__main__":
    sys.exit(main())
