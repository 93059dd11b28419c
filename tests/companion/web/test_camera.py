"""The camera over HTTP: limits, access, and reading a network camera."""

import io
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import companion.demo
from calibration.profiles.drift import Change
from companion.demo.table import FIRST, OPTIONS
from companion.games.protocol import Colour
from companion.games.registry import find
from companion.table.messages import PROCESS_TROUBLES, CameraSays, Checked, Looked, Report, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from companion.web.camera import MOST_FRAME_BYTES, MOST_PHOTO_BYTES
from tests.companion.table.tables import looked
from tests.companion.web.conftest import expected_at
from tests.patience import PATIENCE_S
from vision.scene.trouble import Trouble

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}
JPEG = {"Content-Type": "image/jpeg"}
PICTURES = Path(companion.demo.__file__).parent / "pictures"
EMPTY, THROW = PICTURES / "empty.jpg", PICTURES / "throw-01.jpg"

WORKS_STILL = {trouble.name.lower() for trouble in (*Trouble, *Change)} - {"frozen"} | {
    "calibrating",
    "profile_broken",
}
"""Keys of all that may be said of a camera whose pictures come."""


def take_camera(client: FlaskClient) -> dict[str, str]:
    return {"X-Camera-Key": client.post("/api/v1/camera/take", json={}).get_json()["key"], **JPEG}


def test_a_picture_comes_only_from_the_phone_that_is_the_camera(client: FlaskClient) -> None:
    path = "/api/v1/camera/frame"
    assert client.post(path, data=b"jpeg", headers=JPEG).status_code == 403
    headers_of_camera = take_camera(client)
    answer = client.post(path, data=b"jpeg", headers=headers_of_camera)
    assert answer.get_json() == {"next_ms": 125, "phase": "waiting"}
    assert client.post(path, data=b"jpeg", headers=headers_of_camera).status_code == 429
    state = client.get("/api/v1/camera", headers=headers_of_camera).get_json()
    assert (state["camera"], state["phone"]["mine"], state["phone"]["frames"]) == ("phone", True, 1)
    assert client.get("/api/v1/camera").get_json()["phone"]["mine"] is False
    assert client.post("/api/v1/camera/leave", headers=headers_of_camera).get_json()["camera"] == "none"


@pytest.mark.parametrize(
    ("path", "size", "kind", "status"),
    [
        ("frame", MOST_FRAME_BYTES + 1, "image/jpeg", 413),
        ("photo", MOST_PHOTO_BYTES + 1, "image/jpeg", 413),
        ("frame", 100, "image/png", 415),
        ("photo", 100, "text/html", 415),
        ("frame", 0, "image/jpeg", 422),
        ("take", 70_000, "application/json", 413),
    ],
)
def test_what_is_too_large_or_no_picture_is_refused(
    client: FlaskClient, path: str, size: int, kind: str, status: int
) -> None:
    headers_of_camera = take_camera(client)
    answer = client.post(
        f"/api/v1/camera/{path}", data=b"x" * size, headers={**headers_of_camera, "Content-Type": kind}
    )
    assert answer.status_code == status
    assert answer.get_json()["error"]["sentence"].endswith(".")


@pytest.mark.parametrize("more", [-1, 1])
@pytest.mark.parametrize("path", ["frame", "photo"])
def test_a_picture_in_chunks_is_whole_or_refused(
    client: FlaskClient, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, path: str, more: int
) -> None:
    """It has no Content-Length. It was truncated at the limit and reported as cut off in transfer."""
    limit = {"frame": MOST_FRAME_BYTES, "photo": MOST_PHOTO_BYTES}[path]
    received: list[bytes] = []

    def check(jpeg: bytes) -> Checked:
        received.append(jpeg)
        return Checked(1, None)

    monkeypatch.setattr(runtime.camera, "feed", lambda key, jpeg, light: received.append(jpeg))
    monkeypatch.setattr(runtime.camera, "check", check)
    answer = client.post(
        f"/api/v1/camera/{path}",
        input_stream=io.BytesIO(b"x" * (limit + more)),
        headers={**take_camera(client), "Transfer-Encoding": "chunked"},
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert answer.status_code == (413 if more > 0 else 200)
    assert list(map(len, received)) == ([] if more > 0 else [limit + more])


@pytest.mark.parametrize(("sent", "known"), [("locked", "locked"), ("free", "free"), ("<b>", ""), ("", "")])
def test_a_phone_tells_with_its_picture_whether_it_holds_the_light(
    client: FlaskClient, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, sent: str, known: str
) -> None:
    """It is one of a few words; others are ignored."""
    lights: list[str] = []
    monkeypatch.setattr(runtime.camera, "feed", lambda key, jpeg, light: lights.append(light))
    client.post(f"/api/v1/camera/frame?light={sent}", data=b"jpeg", headers=take_camera(client))
    assert lights == [known]


def test_only_the_host_chooses_an_address_and_sees_the_invitation(
    client: FlaskClient, runtime: Runtime
) -> None:
    joined = {"X-Join-Token": runtime.access.join(runtime.access.code(), "here")}
    client.application.config["SECURE_URL"] = "https://192.168.1.5:8476/"
    body = {"address": "http://192.168.1.20:8080/shot.jpg"}
    refused = client.post("/api/v1/camera/address", json=body, headers=joined, environ_base=ELSEWHERE)
    assert (refused.status_code, refused.get_json()["error"]["key"]) == (403, "not_host")
    assert client.get("/api/v1/camera", environ_base=ELSEWHERE).get_json()["invite"] is None
    assert client.get("/api/v1/camera/invite.svg", environ_base=ELSEWHERE).status_code == 404
    assert "#k=" in client.get("/api/v1/camera").get_json()["invite"]
    assert client.get("/api/v1/camera/invite.svg").mimetype == "image/svg+xml"
    assert client.post("/api/v1/camera/address", json=body).get_json()["camera"] == body["address"]
    bad = client.post("/api/v1/camera/address", json={"address": "http://example.com/"})
    assert bad.get_json()["error"]["key"] == "bad_address"
    assert client.post("/api/v1/camera/address", json={}).get_json()["camera"] == "none"


def test_a_password_in_an_address_is_shown_to_nobody(client: FlaskClient) -> None:
    body = {"address": "http://anna:secret@192.168.1.20:8080/shot.jpg"}
    assert b"secret" not in client.post("/api/v1/camera/address", json=body).data
    assert b"secret" not in client.get("/api/v1/camera").data


def test_a_device_elsewhere_takes_over_only_with_the_invitation(
    client: FlaskClient, runtime: Runtime
) -> None:
    runtime.camera.use_address("http://192.168.1.20:8080/shot.jpg")
    runtime.session.hear(CameraSays("http://192.168.1.20:8080/shot.jpg"))
    path = "/api/v1/camera/take"
    joined = {"X-Join-Token": runtime.access.join(runtime.access.code(), "here")}
    refused = client.post(path, json={}, headers=joined, environ_base=ELSEWHERE)
    assert (refused.status_code, refused.get_json()["error"]["key"]) == (409, "camera_taken")
    invited = client.post(path, json={"invite": runtime.camera.invite}, environ_base=ELSEWHERE)
    assert invited.status_code == 200
    runtime.camera.use_address("http://192.168.1.20:8080/shot.jpg")
    runtime.session.hear(CameraSays("x", "It does not answer.", "Is it on?"))
    assert client.post(path, json={}, environ_base=ELSEWHERE).status_code == 409
    assert client.post(path, json={}, headers=joined, environ_base=ELSEWHERE).status_code == 200


@pytest.mark.parametrize(
    ("key", "status"),
    [
        *((key, 409) for key in sorted(WORKS_STILL)),
        *((key, 200) for key in ("frozen", "unplugged", "busy", "silent", "no_answer", "address", "no_film")),
        *((key, 200) for key in PROCESS_TROUBLES),
    ],
)
def test_a_camera_whose_pictures_come_is_not_taken_over(
    client: FlaskClient, runtime: Runtime, key: str, status: int
) -> None:
    """Any device that had joined could take it over once the light changed or the tray was calibrated."""
    runtime.camera.use_address("http://192.168.1.20:8080/shot.jpg")
    runtime.session.hear(CameraSays("x", "Something is to be said.", "Do something.", key))
    joined = {"X-Join-Token": runtime.access.join(runtime.access.code(), "here")}
    taken = client.post("/api/v1/camera/take", json={}, headers=joined, environ_base=ELSEWHERE)
    assert taken.status_code == status


def test_a_spare_phone_need_not_join(client: FlaskClient, runtime: Runtime) -> None:
    """It has scanned the host's camera code."""
    body = {"invite": runtime.camera.invite}
    taken = client.post("/api/v1/camera/take", json=body, environ_base=ELSEWHERE)
    headers_of_camera = {"X-Camera-Key": taken.get_json()["key"], **JPEG}
    for path in ("frame", "leave"):
        answer = client.post(
            f"/api/v1/camera/{path}", data=b"jpeg", headers=headers_of_camera, environ_base=ELSEWHERE
        )
        assert answer.status_code == 200
    refused = client.post("/api/v1/camera/take", json={}, environ_base=ELSEWHERE)
    assert refused.get_json()["error"]["key"] == "camera_taken"


@pytest.mark.parametrize("path", ["photo", "check"])
def test_a_device_that_only_watches_sends_no_photo(client: FlaskClient, runtime: Runtime, path: str) -> None:
    address = f"/api/v1/camera/{path}"
    refused = client.post(address, data=b"photo", headers=JPEG, environ_base=ELSEWHERE)
    assert (refused.status_code, refused.get_json()["error"]["key"]) == (403, "not_joined")
    runtime.camera.check = lambda photo=None: Checked(1, None, "x", "y")  # type: ignore[method-assign] # there is no sensor process
    invited = {**JPEG, "X-Camera-Invite": runtime.camera.invite}
    assert client.post(address, data=b"photo", headers=invited, environ_base=ELSEWHERE).status_code == 200


def test_a_photo_is_the_look_where_a_throw_is_awaited(
    client: FlaskClient, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = looked(red=4, blue=1)
    monkeypatch.setattr(runtime.camera, "check", lambda photo=None: Checked(1, look))
    answer = client.post("/api/v1/camera/photo", data=b"photo", headers=JPEG).get_json()
    assert (answer["looked"], answer["reading"]["counts"]["red"]) == (True, 4)
    table = client.get("/api/v1/table").get_json()
    assert (table["phase"], table["look"]["counts"]["red"]) == ("countdown", 4)
    body = {"expected": table["expected"], "look": table["look"]["number"], "counts": {"red": 4, "blue": 1}}
    client.post("/api/v1/settle", json=body)
    again = client.post("/api/v1/camera/photo", data=b"photo", headers=JPEG).get_json()
    assert (again["looked"], again["late"]) == (False, False)
    assert client.get("/api/v1/table").get_json()["look"] is None


def test_a_photo_of_one_throw_is_never_the_look_of_the_next(
    client: FlaskClient, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the reader was busy, the throw was settled by hand and the next battle was declared."""

    def check_slowly(photo: bytes | None = None) -> Checked:
        runtime.session.settle({Colour("red"): 4, Colour("blue"): 1}, "anna", expected_at(runtime))
        command = {"kind": "declare", "attacker": "red", "province": "ise", "armies": 4}
        runtime.session.command(command, "anna", expected_at(runtime))
        return Checked(1, looked(red=3, green=1))

    monkeypatch.setattr(runtime.camera, "check", check_slowly)
    answer = client.post("/api/v1/camera/photo", data=b"photo", headers=JPEG).get_json()
    table = client.get("/api/v1/table").get_json()
    assert (table["phase"], table["look"]) == ("waiting", None)
    assert (answer["looked"], answer["late"], answer["reading"]["counts"]["red"]) == (False, True, 3)


def test_a_photo_that_cannot_be_read_says_why(
    client: FlaskClient, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = Checked(1, None, "The picture is damaged.", "Take it again.", "picture_damaged")
    monkeypatch.setattr(runtime.camera, "check", lambda photo=None: checked)
    answer = client.post("/api/v1/camera/photo", data=b"photo", headers=JPEG).get_json()
    assert (answer["reading"], answer["looked"]) == (None, False)
    assert (answer["key"], answer["sentence"]) == ("picture_damaged", "The picture is damaged.")


class _PictureServer(BaseHTTPRequestHandler):
    """A phone app that serves single pictures: first an empty tray, then one with cubes."""

    request_count = 0

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.end_headers()
        _PictureServer.request_count += 1
        self.wfile.write((EMPTY if _PictureServer.request_count < 12 else THROW).read_bytes())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def shots() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _PictureServer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/shot.jpg"
        server.shutdown()
        thread.join()


def test_a_network_camera_chosen_by_the_host_is_read(tmp_path: Path, shots: str) -> None:
    runtime = Runtime(TableSpec("demo", tmp_path, SensorSpec("none", "none"), OPTIONS, FIRST), find("shogun"))
    cubes_seen = threading.Event()
    hear = runtime.session.hear

    def hear_and_watch(report: Report) -> None:
        hear(report)
        if isinstance(report, Looked) and report.reading.total:  # the empty tray comes first
            cubes_seen.set()

    runtime.camera._pass_on = hear_and_watch
    client = create_app(runtime).test_client()
    runtime.start()
    try:
        client.post("/api/v1/camera/address", json={"address": shots})
        assert cubes_seen.wait(PATIENCE_S)
        table = client.get("/api/v1/table").get_json()
        assert table["look"]["counts"]["red"] == 7
        checked = client.post("/api/v1/camera/check").get_json()
        assert checked["reading"]["counts"] == table["look"]["counts"]
    finally:
        runtime.stop()
