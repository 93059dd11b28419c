"""A camera at an address: it is asked with its password, and sends this machine nowhere else."""

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from vision.errors import CameraError
from vision.sources.captures import SnapshotCapture, open_url

PASSWORD = "Basic " + base64.b64encode(b"anna:s@fe/").decode()


class _Camera(ThreadingHTTPServer):
    """Answers `/shot.jpg` to who knows the password, and sends others on to what `leads` names."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.asked: list[str] = []
        self.leads = ""


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Camera)
        self.server.asked.append(self.path)
        if self.path == "/old":
            self.send_response(302)
            self.send_header("Location", self.server.leads)
        elif self.headers.get("Authorization") == PASSWORD:
            self.send_response(200)
            self.send_header("Content-Type", "image/jpeg")
        else:
            self.send_response(401)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """In silence."""


@contextmanager
def _on() -> Iterator[_Camera]:
    with _Camera() as camera:
        thread = threading.Thread(target=camera.serve_forever)
        thread.start()
        try:
            yield camera
        finally:
            camera.shutdown()
            thread.join()


def _url(camera: _Camera, path: str, login: str = "anna:s%40fe%2F@") -> str:
    return f"http://{login}127.0.0.1:{camera.server_port}{path}"


def test_user_and_password_of_an_address_are_sent() -> None:
    """They were taken for the host's name, and the camera never answered."""
    with _on() as camera:
        assert isinstance(open_url(_url(camera, "/shot.jpg")), SnapshotCapture)
        for login in ("", "anna:wrong@"):
            with pytest.raises(CameraError) as refused:
                open_url(_url(camera, "/shot.jpg", login))
            assert "user:password@" in refused.value.remedy
            assert "wrong" not in f"{refused.value}"


def test_a_camera_leads_to_no_other_machine_or_service() -> None:
    with _on() as camera, _on() as other:
        camera.leads = _url(other, "/admin/reboot", "")
        with pytest.raises(CameraError) as refused:
            open_url(_url(camera, "/old"))
        assert "leads elsewhere" in refused.value.remedy
        assert other.asked == []
        camera.leads = "/shot.jpg"  # another path of its own
        assert isinstance(open_url(_url(camera, "/old")), SnapshotCapture)
        assert camera.asked == ["/old", "/old", "/shot.jpg"]
