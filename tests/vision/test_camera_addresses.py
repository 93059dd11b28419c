"""Addresses as people write them, and computers as they are set up: the camera is asked all the same."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.vision.cameras import Phone, jpeg, numbered
from vision.errors import CameraError
from vision.sources.captures import open_url


@contextmanager
def _camera() -> Iterator[tuple[str, list[str]]]:
    """Yield the address of a camera that gives its picture on every path, and the paths it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "image/jpeg")
            self.end_headers()
            self.wfile.write(jpeg(numbered(1)))

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"127.0.0.1:{server.server_port}", asked
        server.shutdown()


@pytest.mark.parametrize("path", ["/video", "/shot.jpg"])
def test_a_camera_is_asked_itself_whatever_proxy_the_computer_uses(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On an office's laptop no camera of the home network answered, and the proxy was told its password."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Phone() as phone:
        camera = open_url(phone.url(path))
        assert camera.read().shape == (240, 320, 3)
        camera.close()


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("/shot of the tray.jpg", "/shot%20of%20the%20tray.jpg"),
        ("/frame.jpeg?src=Küche", "/frame.jpeg?src=K%C3%BCche"),
        ("/a%20b(1)/@x?y=%C3%BC&z='1'", "/a%20b(1)/@x?y=%C3%BC&z='1'"),
    ],
)
def test_a_path_may_hold_spaces_and_any_letters(written: str, sent: str) -> None:
    """Such a camera "did not answer", because it was never asked."""
    with _camera() as (where, asked):
        assert open_url(f"http://{where}{written}").read().shape == (240, 320, 3)
    assert set(asked) == {sent}


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
@pytest.mark.parametrize("password", ["se#cret", "12/34", "1?b"])
def test_a_password_with_signs_that_end_an_address_is_told(
    scheme: str, password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user was taken for the camera, which was said not to answer."""

    def unknown_name(*_: object, **__: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown_name)
    with pytest.raises(CameraError, match=r"password .* %2F, %3F and %23") as told:
        open_url(f"{scheme}://anna:{password}@10.0.0.7/live")
    assert password not in str(told.value)
