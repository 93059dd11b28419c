"""The engine of every browser on an iPhone, driven by WebDriver: it shows what Chromium cannot.

WebKitGTK's own small browser runs on a virtual screen; the protocol is https://www.w3.org/TR/webdriver2/.
It does not look like a phone's, and its window is at least some 450 px wide: what it shares with Safari is
the engine, for script, style, events and storage.
"""

import json
import os
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask, Response

from tests.patience import PATIENCE_S, until
from tests.ports import free_port

_BROWSERS = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
_PROGRAMS = (shutil.which("WebKitWebDriver"), shutil.which("Xvfb"))
_REMEDY = "WebKit is missing: sudo apt-get install webkit2gtk-driver xvfb"
MISSING = None if _BROWSERS and all(_PROGRAMS) else _REMEDY
"""What to do if a part is not installed; None if all are."""
_QUIET = subprocess.DEVNULL
_SCREEN = "1440x1000x24"
_NARROWEST = {"width": 390, "height": 844}
_NOT_YET = ("no such element", "stale element reference")
"""Errors about a button of a page that is being drawn."""
_LISTENER = (Path(__file__).parent / "listens.js").read_text(encoding="utf-8")
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element's reference: https://www.w3.org/TR/webdriver2/#dfn-web-element-identifier."""


def record_complaints(app: Flask) -> None:
    """Have every page record what goes wrong in it: WebKit's driver does not report the console."""
    app.add_url_rule("/listens.js", view_func=lambda: Response(_LISTENER, mimetype="text/javascript"))

    @app.after_request
    def add_listener(response: Response) -> Response:
        if response.mimetype == "text/html":
            response.direct_passthrough = False
            page = response.get_data(as_text=True)
            response.set_data(page.replace("<head>", '<head><script src="/listens.js"></script>', 1))
        return response


class RefusedError(Exception):
    """The driver's error code, its message, and what it was asked."""


class WebKit:
    """A session of one browser."""

    def __init__(self, driver: str) -> None:
        self._driver = driver
        options = {"binary": str(_BROWSERS[-1]), "args": ["--automation"]}
        capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = self._send("POST", "/session", {"capabilities": capabilities})
        self._session = f"/session/{session['sessionId']}"
        self._send("POST", f"{self._session}/window/rect", _NARROWEST)

    def open(self, url: str) -> None:
        """Go to a page, and wait until it has drawn what it knows of the table."""
        self._send("POST", f"{self._session}/url", {"url": url})
        self.wait("return !!document.querySelector('main h1, main h2')")

    def tap(self, key: str) -> None:
        """Tap as a finger does: if something else lies over the button, that gets it, and this raises."""
        until(lambda: self._try_tap(f'[data-key="{key}"]'))

    def _try_tap(self, css: str) -> bool:
        try:
            element = self._send("POST", f"{self._session}/element", {"using": "css selector", "value": css})
            self._send("POST", f"{self._session}/element/{element[_ELEMENT]}/click", {})
        except RefusedError as error:
            if error.args[0] in _NOT_YET:
                return False
            raise
        return True

    @contextmanager
    def hold(self, key: str) -> Iterator[None]:
        """Keep a finger on a button."""
        middle_script = (
            "const at = document.querySelector(arguments[0]); at.scrollIntoView({block: 'center'});"
            "const box = at.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]"
        )
        x, y = self.run(middle_script, f'[data-key="{key}"]')
        move = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
        self._perform(move, {"type": "pointerDown", "button": 0})
        try:
            yield
        finally:
            self._perform({"type": "pointerUp", "button": 0})

    def _perform(self, *steps: dict[str, Any]) -> None:
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "mouse"}, "actions": steps}
        self._send("POST", f"{self._session}/actions", {"actions": [finger]})

    def run(self, script: str, *arguments: object) -> Any:
        """Run a function's body in the page and return its result."""
        return self._send(
            "POST", f"{self._session}/execute/sync", {"script": script, "args": list(arguments)}
        )

    def wait(self, script: str, *arguments: object) -> None:
        """Wait until a function's body returns something true."""
        until(lambda: bool(self.run(script, *arguments)))

    def complaints(self) -> list[str]:
        """Return what went wrong so far on all pages of a site with `record_complaints`."""
        return [str(line) for line in self.run("return JSON.parse(sessionStorage.heard ?? '[]')")]

    def close(self) -> None:
        """End the browser."""
        self._send("DELETE", self._session)

    def _send(self, method: str, path: str, payload: object = None) -> Any:
        body = None if payload is None else json.dumps(payload).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._driver + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            failure = json.load(error)["value"]
            raise RefusedError(failure["error"], failure["message"], path, payload) from error


@contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """A browser with an empty profile."""
    home = folder / "home"
    home.mkdir()
    with _virtual_display() as display:
        port = free_port()
        env = {**os.environ, "DISPLAY": display, "HOME": str(home), "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        env |= {"GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        command = [str(_PROGRAMS[0]), f"--port={port}"]
        with subprocess.Popen(command, env=env, stdout=_QUIET, stderr=_QUIET) as driver:
            try:
                url = f"http://127.0.0.1:{port}"
                until(lambda: _is_ready(url))
                browser = WebKit(url)
                yield browser
                browser.close()
            finally:
                driver.terminate()
                driver.wait(PATIENCE_S)


@contextmanager
def _virtual_display() -> Iterator[str]:
    """A virtual display, whose number the X server chooses."""
    read_end, write_end = os.pipe()
    command = [str(_PROGRAMS[1]), "-displayfd", str(write_end), "-screen", "0", _SCREEN, "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[write_end], stdout=_QUIET, stderr=_QUIET) as server:
        os.close(write_end)
        try:
            with os.fdopen(read_end) as number:
                yield f":{number.readline().strip()}"
        finally:
            server.terminate()
            server.wait(PATIENCE_S)


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/status", timeout=PATIENCE_S) as answer:
            return bool(json.load(answer)["value"]["ready"])
    except OSError:
        return False
