"""Headless Chromium by its own protocol, through a pipe: a page that is looked at and used."""

import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO, Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "End": 35, "Home": 36, "Tab": 9, "Enter": 13}


def browser_here() -> str | None:
    """The Chromium of this machine."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


_START = """
import fcntl, os, sys
read, write = (fcntl.fcntl(int(each), fcntl.F_DUPFD, 10) for each in sys.argv[1:3])
os.dup2(read, 3)
os.dup2(write, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Start a browser that reads from 3 and writes to 4, as it does with its flag for pipes."""


class Tab:
    """A page in a browser."""

    def __init__(self, to: IO[bytes], back: IO[bytes]) -> None:
        self._to, self._back = to, back
        self._numbers = count(1)
        self._session = ""
        self.faults: list[str] = []
        """What the console would show in red, and every request for another file."""
        self._page = ""

    def attach(self) -> None:
        """Open a tab."""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for what in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{what}.enable")

    def open(self, page: Path, width: int, height: int = 800, *, dark: bool = False) -> None:
        """Show a page in a window of that size."""
        self._page = page.as_uri()
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])
        self._ask("Page.navigate", url="about:blank")
        self._ask("Page.navigate", url=self._page)
        while self.says("document.readyState + location.protocol") != "completefile:":
            pass

    def says(self, script: str) -> Any:
        """What a script in the page returns."""
        told = self._ask("Runtime.evaluate", expression=script, returnByValue=True)
        return told["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key, as somebody at the keyboard does."""
        keys = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key]}
        if key == "Enter":
            keys["text"] = "\r"
        self._ask("Input.dispatchKeyEvent", type="keyDown", **keys)
        self._ask("Input.dispatchKeyEvent", type="keyUp", **keys)

    def picture(self, *, whole: bool = False) -> bytes:
        """What is seen, as PNG."""
        told = self._ask("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(told["data"])

    def close(self) -> None:
        """End the browser."""
        self._ask("Browser.close", of_browser=True)

    def _ask(self, what: str, /, *, of_browser: bool = False, **how: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": what, "params": how}
        if self._session and not of_browser:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        self._to.flush()
        while True:
            told = self._read()
            if told.get("id") == number:
                if "error" in told:
                    msg = f"{what}: {told['error']['message']}"
                    raise RuntimeError(msg)
                result: dict[str, Any] = told["result"]
                return result
            self._note(told)

    def _read(self) -> dict[str, Any]:
        signs = bytearray()
        while (sign := self._back.read(1)) not in (b"\0", b""):
            signs += sign
        if not signs:
            msg = "the browser is gone"
            raise RuntimeError(msg)
        told: dict[str, Any] = json.loads(signs)
        return told

    def _note(self, told: dict[str, Any]) -> None:
        how = told.get("params", {})
        match told.get("method"):
            case "Runtime.exceptionThrown":
                self.faults.append(json.dumps(how["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if how["type"] in ("error", "warning", "assert"):
                self.faults.append(json.dumps(how["args"]))
            case "Log.entryAdded" if how["entry"]["level"] in ("error", "warning"):
                self.faults.append(how["entry"]["text"])
            case "Network.requestWillBeSent" if how["request"]["url"] not in (
                self._page,
                "about:blank",
            ):
                self.faults.append(f"asks for {how['request']['url']}")


@contextmanager
def tab_of(browser: str, work: Path) -> Iterator[Tab]:
    """A browser with a tab, ended afterwards."""
    here, theirs = os.pipe(), os.pipe()
    command = (sys.executable, "-c", _START, str(here[0]), str(theirs[1]), browser, *FLAGS)
    own = ("--remote-debugging-pipe", f"--user-data-dir={work / 'browser'}", "about:blank")
    with subprocess.Popen(  # noqa: S603 - the browser of this machine
        (*command, *own),
        pass_fds=(here[0], theirs[1]),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        os.close(here[0])
        os.close(theirs[1])
        with os.fdopen(here[1], "wb") as to, os.fdopen(theirs[0], "rb") as back:
            tab = Tab(to, back)
            tab.attach()
            try:
                yield tab
            finally:
                try:
                    tab.close()
                except RuntimeError:
                    process.kill()
