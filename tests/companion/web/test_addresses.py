"""The URL opened on this computer and the one that phones scan, on all kinds of networks."""

import sys
from typing import Any

import pytest

from companion.commands.whereabouts import Whereabouts
from companion.table.runtime import Runtime
from companion.web import addresses
from companion.web.addresses import LOOKS_S, ListenAddress, keep_current, lan_address
from companion.web.app import create_app


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The simulated network: an optional default route, and interfaces with addresses."""
    simulated: dict[str, Any] = {"out": None, "cards": []}
    monkeypatch.setattr(addresses, "_route_address", lambda: simulated["out"])
    monkeypatch.setattr(addresses, "_interface_addresses", lambda: simulated["cards"])
    monkeypatch.setattr(addresses, "_host_name_addresses", lambda: ["127.0.1.1"])
    return simulated


@pytest.mark.parametrize(
    ("host", "here", "phones"),
    [
        ("0.0.0.0", "http://127.0.0.1:8475/", "http://192.168.1.5:8475/"),
        ("::", "http://127.0.0.1:8475/", "http://192.168.1.5:8475/"),
        ("127.0.0.1", "http://127.0.0.1:8475/", ""),
        ("localhost", "http://localhost:8475/", ""),
        ("::1", "http://[::1]:8475/", ""),
        ("192.168.1.7", "http://192.168.1.7:8475/", "http://192.168.1.7:8475/"),
        ("fd00::5", "http://[fd00::5]:8475/", "http://[fd00::5]:8475/"),
        ("keep.local", "http://keep.local:8475/", "http://keep.local:8475/"),
    ],
)
def test_what_is_listened_on_tells_where_to_go(
    network: dict[str, Any], host: str, here: str, phones: str
) -> None:
    network["out"] = "192.168.1.5"
    reached = ListenAddress(host, 8475)
    assert (reached.local_url, reached.phone_url) == (here, phones)


def test_a_hotspot_without_a_way_out_is_a_network_too(network: dict[str, Any]) -> None:
    """A laptop or single-board computer whose own Wi-Fi phones join."""
    assert lan_address() is None
    network["cards"] = ["127.0.0.1", "10.42.0.1"]
    assert lan_address() == "10.42.0.1"


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_a_card_is_asked_for_its_address() -> None:
    assert addresses._interface_address("lo") == "127.0.0.1"
    assert addresses._interface_address("nosuchcard") is None
    assert "127.0.0.1" in addresses._interface_addresses()


def test_whoever_listens_on_one_address_is_told_code_and_host_link(
    runtime: Runtime, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody could join: this computer is not loopback then, and neither code nor link was shown."""
    Whereabouts(ListenAddress("192.168.1.7", 8475), None, runtime.access).tell()
    stdout = capsys.readouterr().out
    assert f"http://192.168.1.7:8475/join with the code {runtime.access.code()}" in stdout
    assert f"http://192.168.1.7:8475/host#{runtime.access.host_key}" in stdout


def test_a_network_that_comes_later_is_told_on_the_pages_and_the_terminal(
    network: dict[str, Any], runtime: Runtime, capsys: pytest.CaptureFixture[str]
) -> None:
    """A single-board computer is up before its Wi-Fi, and the address may change during an evening."""
    reached = ListenAddress("0.0.0.0", 8475)
    whereabouts = Whereabouts(reached, ListenAddress("0.0.0.0", 8476, "https"), runtime.access)
    whereabouts.tell()
    stdout = capsys.readouterr().out
    assert "No network, so no phones yet." in stdout
    assert "camera" not in stdout
    app, now_s = create_app(runtime), [0.0]
    keep_current(app, "JOIN_URL", lambda: reached.phone_url, lambda: now_s[0])
    for route, url in (
        (None, ""),
        ("192.168.1.5", "http://192.168.1.5:8475/"),
        ("10.0.0.2", "http://10.0.0.2:8475/"),
    ):
        network["out"] = route
        now_s[0] += LOOKS_S
        answer = app.test_client().get("/api/v1/join").get_json()
        assert answer == {"joined": True, "url": url, "code": runtime.access.code()}
        for _ in range(2):  # nothing is new the second time
            whereabouts.tell_new()
        lines = [
            f"Phones on this network: {url}join with the code {runtime.access.code()}",
            f"Host from another device: {url}host#{runtime.access.host_key}",
            f"A phone as camera: https://{route}:8476/camera",
        ]
        assert capsys.readouterr().out.splitlines() == (lines if route else [])


def test_a_network_whose_names_are_slow_holds_up_no_page(runtime: Runtime) -> None:
    """Every request looked up the network again; without DNS each would have waited for seconds."""
    app, lookups = create_app(runtime), list[str]()

    def look_up() -> str:
        lookups.append("again")
        return ""

    keep_current(app, "JOIN_URL", look_up, lambda: 7.0)
    for _ in range(3):
        app.test_client().get("/api/v1/join")
    assert len(lookups) == 1


def test_the_name_of_the_computer_is_asked_for_last(
    network: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow() -> list[str]:
        raise AssertionError("asked though a card has told an address")

    network["cards"] = ["10.42.0.1"]
    monkeypatch.setattr(addresses, "_host_name_addresses", slow)
    assert lan_address() == "10.42.0.1"
