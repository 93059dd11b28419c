"""A phone as the camera: a real browser films a tray, the reader counts, the battle is settled."""

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Error, Route, expect

from tests.e2e import stages
from tests.e2e.conftest import ROOT, wait_until_up
from tests.e2e.films import SEQUENCE, film_of_a_throw
from tests.e2e.place import ARGUMENTS, CHROMIUM, LAPTOP, PHONE, TRUTH, Demo, Hands
from tests.patience import PATIENCE_S
from tests.ports import free_port
from vision.pictures import Picture, load_picture

pytestmark = pytest.mark.browser
_TAP_START_TWICE = """async () => {
  const media = navigator.mediaDevices;
  const open = media.getUserMedia.bind(media);
  let opened = 0;
  media.getUserMedia = (...wishes) => { opened += 1; return open(...wishes); };
  for (const _ of [1, 2]) document.querySelector('[data-key="start"]').click();
  await new Promise((resolve) => setTimeout(resolve, 200));
  return opened;
}"""
"""Returns how often the camera was opened."""
HOST_NAME = f"{socket.gethostname().lower()}.local"
"""This machine's name as a phone sees it, no secure origin; the browser is told how to resolve it."""


@contextmanager
def _launch_with_camera(launched: Browser, *options: str) -> Iterator[Browser]:
    """The same browser once more, with a camera that needs no permission."""
    fake_camera = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    arguments = [*ARGUMENTS, *fake_camera, *options]
    browser = launched.browser_type.launch(executable_path=CHROMIUM, args=arguments)
    yield browser
    browser.close()


@pytest.fixture
def filming(tmp_path: Path, chromium: Browser) -> Iterator[Browser]:
    """A browser whose camera is a film, on a network where this machine has a name."""
    film = film_of_a_throw(tmp_path / "throw.mjpeg")
    video, hosts = (
        f"--use-file-for-fake-video-capture={film}",
        f"--host-resolver-rules=MAP {HOST_NAME} 127.0.0.1",
    )
    with _launch_with_camera(chromium, video, hosts) as browser:
        yield browser


@pytest.fixture(scope="module")
def pretending(launched: Browser) -> Iterator[Browser]:
    """A browser that has a camera: the fake one that it comes with."""
    with _launch_with_camera(launched) as browser:
        yield browser


@pytest.fixture
def pretends(pretending: Browser) -> Iterator[Browser]:
    """The same, without pages left over from other tests."""
    yield pretending
    for context in pretending.contexts:
        context.close()


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Demo]:
    """A table without a camera, where nobody reads what is sent."""
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        yield demo


@pytest.fixture
def reads(tmp_path: Path) -> Iterator[Demo]:
    """A table without a camera that reads what is sent."""
    runtime = stages.fresh(tmp_path)
    runtime.start()
    with stages.served(runtime, tmp_path) as (demo, _):
        yield demo


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[tuple[Demo, Demo]]:
    """The demo twice: as the serving computer sees it, and as a phone does at the secure address."""
    port, https = free_port(), free_port()
    ports = ["--port", str(port), "--https-port", str(https)]
    command = [sys.executable, "-m", "companion", "demo", "--no-browser", *ports, "--data", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        try:
            wait_until_up(f"http://127.0.0.1:{port}")
            yield (
                Demo(f"http://127.0.0.1:{port}", tmp_path),
                Demo(f"https://{HOST_NAME}:{https}", tmp_path),
            )
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def test_a_phone_films_a_throw_and_the_battle_is_settled(filming: Browser, secure: tuple[Demo, Demo]) -> None:
    host = Hands(filming, secure[0], LAPTOP)
    phone = Hands(filming, secure[1], PHONE, ignore_https_errors=True)
    host.open()
    host.phase("waiting")  # the demo's first battle
    phone.open("/camera")
    assert phone.page.evaluate("isSecureContext")
    assert phone.page.evaluate(_TAP_START_TWICE) == 1  # the other stream would film on after Stop
    phone.page.wait_for_selector('[data-key="running"] video')
    if host.phase("countdown", "asking", "idle") == "asking":
        host.count(TRUTH[f"sequences/{SEQUENCE}"])
        host.tap("accept")
    host.phase("idle")
    [throw] = host.page.evaluate("fetch('/api/v1/throws').then((r) => r.json())")["throws"]
    assert throw["accepted"] == TRUTH[f"sequences/{SEQUENCE}"]
    assert throw["evidence"]
    phone.page.wait_for_selector(".finder svg polygon")  # the phone shows what is seen
    phone.tap("stop")
    phone.page.wait_for_selector('[data-key="start"]')
    assert phone.complaints == host.complaints == []
    assert phone.strangers == host.strangers == []


def test_a_browser_that_gives_no_camera_sends_a_photo(filming: Browser, unhurried: Demo) -> None:
    plain = Demo(unhurried.url.replace("127.0.0.1", HOST_NAME), unhurried.data)
    hands = Hands(filming, plain, PHONE)
    hands.open("/camera")
    assert not hands.page.evaluate("isSecureContext")
    expect(hands.page.locator('[data-key="start"]')).to_have_count(0)
    hands.page.set_input_files(
        "#photo", {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"three red cubes"}
    )
    hands.page.get_by_text("This picture cannot be read.").wait_for()  # by its message key: in five languages
    picture = ROOT / "companion" / "demo" / "pictures" / "throw-01.jpg"
    hands.page.set_input_files("#photo", picture)
    hands.page.wait_for_selector('[data-key="photo-read"] canvas')  # a new reader loads first
    hands.open()
    if hands.phase("countdown", "asking", "idle") == "asking":  # the countdown may be over
        hands.count(TRUTH["pictures/throw-01.jpg"])
        hands.tap("accept")
    hands.phase("idle")
    expect(hands.page.locator("#result .verdict")).to_have_text("Red takes Omi with 2 armies")
    assert hands.complaints == []
    assert hands.strangers == []


def test_why_a_photo_was_refused_stands_in_its_card_until_the_next(chromium: Browser, blind: Demo) -> None:
    """Above the title it is out of sight on a phone, and of the next photo it would be untrue."""
    hands = Hands(chromium, blind, PHONE)
    hands.open("/camera")
    field = hands.page.query_selector("#photo")
    assert field is not None
    hands.page.set_input_files("#photo", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"no photo"})
    card = hands.page.locator("section.card", has=hands.page.locator("#photo"))
    refused = card.locator('[role="alert"]')
    expect(refused).to_contain_text("This picture cannot be read.")
    expect(refused).to_be_in_viewport()
    expect(hands.page.locator("#notice")).to_be_empty()
    assert field.evaluate("(field) => field.isConnected")  # a camera app would give its photo to it
    hands.page.route("**/api/v1/camera/photo", lambda route: None)  # it takes its time
    hands.page.set_input_files("#photo", ROOT / "companion" / "demo" / "pictures" / "throw-01.jpg")
    expect(card.locator("label[for=photo]")).to_have_text("Reading …")
    expect(refused).to_have_count(0)
    [complaint] = hands.complaints
    assert "415" in complaint  # the browser's own line about the refusal


def test_a_photo_is_told_though_how_the_camera_stands_was_lost_on_the_way(
    chromium: Browser, reads: Demo
) -> None:
    """It was read, and the page said "Reading …" for ever."""
    hands = Hands(chromium, reads, PHONE)
    hands.open("/camera")
    expect(hands.page.locator("label[for=photo]")).to_be_visible()
    hands.page.route("**/api/v1/camera", lambda route: route.abort())
    hands.page.set_input_files("#photo", ROOT / "companion" / "demo" / "pictures" / "throw-01.jpg")
    expect(hands.page.locator('[data-key="photo-read"]')).to_be_visible()
    expect(hands.page.locator("label[for=photo]")).not_to_have_text("Reading …")


def test_a_picture_under_way_when_the_camera_stops_is_no_refusal(pretends: Browser, blind: Demo) -> None:
    """Whoever stops is told nothing of a picture that arrived afterwards."""
    phone = Hands(pretends, blind, PHONE)
    phone.open("/camera")
    held_routes: list[Route] = []  # through a lambda, since Playwright inspects a handler's parameters
    phone.page.route("**/api/v1/camera/frame*", lambda route: held_routes.append(route))  # noqa: PLW0108 - a built-in cannot be marked
    with phone.page.expect_request("**/api/v1/camera/frame*"):
        phone.tap("start")
    with phone.page.expect_response("**/api/v1/camera/leave"):
        phone.tap("stop")
    for route in held_routes:
        with suppress(Error):  # an aborted request cannot continue
            route.continue_()
    expect(phone.page.locator('[data-key="start"]')).to_be_visible()
    assert phone.page.evaluate("fetch('/api/v1/camera').then((response) => response.status)") == 200
    expect(phone.page.locator("#notice")).to_be_empty()
    assert phone.complaints == []


def test_a_phone_films_though_how_the_camera_stands_was_lost_on_the_way(
    pretends: Browser, blind: Demo
) -> None:
    """It was the table's camera, sent nothing, and still offered to become it."""
    phone = Hands(pretends, blind, PHONE)
    phone.open("/camera")
    expect(phone.page.locator('[data-key="start"]')).to_be_enabled()
    stands = "**/api/v1/camera"
    phone.page.route(stands, lambda route: route.abort())
    with phone.page.expect_request("**/api/v1/camera/frame*"):
        phone.tap("start")
    phone.page.unroute(stands)
    expect(phone.page.locator('[data-key="running"] h2')).to_have_text("This phone is the camera")
    phone.page.route(stands, lambda route: route.abort())
    phone.tap("stop")
    expect(phone.page.locator('[data-key="start"]')).to_be_visible()


def test_a_phone_goes_on_after_a_restart_and_gives_way_to_the_hosts_choice(
    pretends: Browser, tmp_path: Path
) -> None:
    """At first it stopped at each restart; then it took the camera back whenever the host chose another."""
    port = free_port()
    take_route = "**/api/v1/camera/take"
    with stages.served(stages.fresh(tmp_path), tmp_path, port) as (demo, _):
        phone = Hands(pretends, demo, PHONE)
        phone.open("/camera")
        phone.tap("start")
        expect(phone.page.locator('[data-key="running"]')).to_be_visible()

    def with_what_follows_lost(route: Route) -> None:
        """Lose the request for the camera's state that follows once the phone is the camera again."""
        phone.page.route("**/api/v1/camera", lambda lost: lost.abort(), times=1)
        route.continue_()

    restarted = stages.fresh(tmp_path / "again")
    with ExitStack() as serving:
        phone.page.route(take_route, with_what_follows_lost, times=1)
        with phone.page.expect_response(take_route):
            serving.enter_context(stages.served(restarted, tmp_path, port))
        with phone.page.expect_response(lambda response: "/camera/frame" in response.url and response.ok):
            pass  # before the mend none was sent any more
        expect(phone.page.locator('[data-key="running"]')).to_be_visible()
        assert restarted.camera.camera == "phone"
        restarted.camera.use_home()
        expect(phone.page.locator("#notice")).to_contain_text("Another device is the camera now")
        expect(phone.page.locator('[data-key="start"]')).to_be_visible()
        assert restarted.camera.camera == "none"


AILING: dict[str, tuple[Callable[[Picture], Picture], str]] = {
    "lens cap": (lambda picture: picture // 40, "The picture is all black. Take off the lens cap"),
    "night mode": (
        lambda picture: picture[:, :, 1:2].repeat(3, axis=2),
        "The picture has no colour. Turn off",
    ),
    "mirror": (lambda picture: picture[:, ::-1], "The picture is mirrored. Turn off"),
}


def test_what_ails_a_photo_is_said_and_not_what_follows_from_it(chromium: Browser, reads: Demo) -> None:
    hands = Hands(chromium, reads, PHONE)
    hands.open("/camera")
    picture = load_picture(ROOT / "companion" / "demo" / "pictures" / "throw-01.jpg")
    for name, (spoil, sentence) in AILING.items():
        photo = cv2.imencode(".png", np.ascontiguousarray(spoil(picture)))[1].tobytes()
        hands.page.set_input_files("#photo", {"name": "a.png", "mimeType": "image/png", "buffer": photo})
        refusal = hands.page.locator('[data-key="photo-read"] > p').first
        expect(refusal, name).to_contain_text(sentence)
    assert hands.complaints == []


_LIGHTS = """() => {
  window.lights = [];
  new MutationObserver(() => {
    const told = document.querySelector('[data-key="light"]')?.textContent;
    if (told && told !== lights.at(-1)) lights.push(told);
  }).observe(document.body, { childList: true, subtree: true });
}"""
"""Records what is said of the light, in order."""


@pytest.mark.parametrize(
    ("camera", "said"),
    [
        ("pretends", "can lock only one of exposure and white balance"),
        ("filming", "cannot lock exposure and white balance"),
    ],
    ids=["a camera whose exposure can be held", "one that knows no settings"],
)
def test_whether_the_light_is_held_is_said_on_the_phone_and_to_the_host(
    request: pytest.FixtureRequest, reads: Demo, camera: str, said: str
) -> None:
    """The browser's own fake camera knows exposure and focus; one that plays a film has no settings."""
    browser: Browser = request.getfixturevalue(camera)
    phone, host = Hands(browser, reads, PHONE), Hands(browser, reads, LAPTOP)
    phone.open("/camera")
    phone.page.evaluate(_LIGHTS)
    phone.tap("start")
    expect(phone.page.locator('[data-key="light"]')).to_contain_text(said)
    assert "are still settling" in phone.page.evaluate("window.lights")[0]  # for some seconds
    for page in ("/camera", "/host"):
        host.open(page)
        expect(host.page.locator('[data-key="light"]')).to_contain_text(said)
    phone.tap("stop")
    assert phone.complaints == host.complaints == []


_BRIGHTNESS = """() => {
  window.level = 100;
  const read = CanvasRenderingContext2D.prototype.getImageData;
  CanvasRenderingContext2D.prototype.getImageData = function (...place) {
    const image = read.apply(this, place);
    image.data.fill(window.level);
    return image;
  };
}"""
"""Makes the picture as bright as the test says."""


def test_a_phone_that_is_put_elsewhere_locks_its_light_anew(pretends: Browser, reads: Demo) -> None:
    """It was locked in the hand, seconds after its start; on its stand the picture was all white for good."""
    phone = Hands(pretends, reads, PHONE)
    phone.open("/camera")
    phone.page.evaluate(_BRIGHTNESS)
    phone.page.evaluate(_LIGHTS)
    phone.tap("start")
    light = phone.page.locator('[data-key="light"]')
    expect(light).to_contain_text("can lock only one")
    phone.page.evaluate("window.level = 130")  # as with a hand in the picture
    phone.page.wait_for_timeout(6000)
    assert len(phone.page.evaluate("window.lights")) == 2
    phone.page.evaluate("window.level = 220")
    expect(light).to_contain_text("still settling")
    expect(light).to_contain_text("can lock only one")
    phone.tap("stop")
    assert phone.complaints == []
