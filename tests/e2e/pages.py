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
_CHECKS = (Path(__file__).parent / "everyone.js").read_text(encoding="utf-8")
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
  const end = () => (window.underWay && performance.now() - begun < most ? restart() : done());
  let timer = setTimeout(end, ms);
  const restart = () => { clearTimeout(timer); timer = setTimeout(end, ms); };
  new MutationObserver(restart).observe(document.body, { childList: true, subtree: true });
})
"""

ANIMATIONS_DONE = """() => Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity)
  .map((animation) => animation.finished.catch(() => null)))"""
"""Waits for animations to end: the words of a card that is still rising stand out less."""


def addresses(app: Flask) -> list[str]:
    """Return the addresses that answer with a page, sorted."""
    client = app.test_client()
    found: list[str] = []
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule.startswith(("/api/", "/static/")):
            continue
        address = _fill_arguments(rule.rule)
        if client.get(address).mimetype == "text/html":
            found.append(address)
    return sorted(found)


def _fill_arguments(rule: str) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda match: EXAMPLES[match[1]], rule)


def visit(hands: Hands, address: str) -> Page:
    """Open a page and wait until it has stopped drawing."""
    hands.page.goto(hands.url + address)
    hands.page.wait_for_selector("main h1, main h2")
    hands.page.wait_for_function(_SPEAKS)
    wait_until_quiet(hands.page)
    hands.page.evaluate(f"() => {{ {_CHECKS} }}")
    return hands.page


def wait_until_quiet(page: Page) -> None:
    """Wait until the page has what it asked for, and has drawn it."""
    page.evaluate(_QUIET, [_QUIET_MS, _ASKS_ON_MS])


def violations(page: Page) -> list[str]:
    """Return what axe-core finds, a line each: rule, place, what is wrong."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(_AXE)
    page.evaluate(ANIMATIONS_DONE)
    options: dict[str, Any] = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": TAGS}}
    options["rules"] = {"target-size": {"enabled": True}}
    found: list[dict[str, Any]] = page.evaluate(_RUN, options)
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]
