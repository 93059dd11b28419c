"""Every page of the site, found by its routes, so that a new page is checked without being listed."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from flask import Flask
from playwright.sync_api import Page

from tests.e2e.place import Hands

EXAMPLES: dict[str, str] = {}
"""A value for each argument in the address of a page; a missing one is an error."""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
_ASK = (Path(__file__).parent / "everyone.js").read_text(encoding="utf-8")
_RUN = "(options) => axe.run(document, options).then((result) => result.violations)"
"""Returns violations alone: what passes fills a megabyte, which takes as long to send as to find."""
_QUIET_MS = 250
_ASKS_ON_MS = 10_000
"""Some pages keep polling: on a busy machine the next request may start before the last answer comes."""
_SPEAKS = "() => document.querySelector('h1.now')?.textContent !== 'Tenshu'"
"""A page's heading is the program's name until the page has heard from the table."""
_QUIET = """
([ms, most]) => new Promise((done) => {
  const begun = performance.now();
  const end = () => (window.underWay && performance.now() - begun < most ? again() : done());
  let timer = setTimeout(end, ms);
  const again = () => { clearTimeout(timer); timer = setTimeout(end, ms); };
  new MutationObserver(again).observe(document.body, { childList: true, subtree: true });
})
"""

RISEN = """() => Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished.catch(() => null)))"""
"""Waits for animations to end: the words of a card that is still rising stand out less."""


def addresses(app: Flask) -> list[str]:
    """Return the addresses that answer with a page, sorted."""
    client = app.test_client()
    found: list[str] = []
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule.startswith(("/api/", "/static/")):
            continue
        address = _filled(rule.rule)
        if client.get(address).mimetype == "text/html":
            found.append(address)
    return sorted(found)


def _filled(rule: str) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: EXAMPLES[found[1]], rule)


def visit(hands: Hands, address: str) -> Page:
    """Open a page and wait until it has stopped drawing."""
    hands.page.goto(hands.url + address)
    hands.page.wait_for_selector("main h1, main h2")
    hands.page.wait_for_function(_SPEAKS)
    quiet(hands.page)
    hands.page.evaluate(f"() => {{ {_ASK} }}")
    return hands.page


def quiet(page: Page) -> None:
    """Wait until the page has what it asked for, and has drawn it."""
    page.evaluate(_QUIET, [_QUIET_MS, _ASKS_ON_MS])


def violations(page: Page) -> list[str]:
    """Return what axe-core finds, a line each: rule, place, what is wrong."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(_AXE)
    page.evaluate(RISEN)
    options: dict[str, Any] = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": TAGS}}
    options["rules"] = {"target-size": {"enabled": True}}
    found: list[dict[str, Any]] = page.evaluate(_RUN, options)
    return [
        f"{one['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]
