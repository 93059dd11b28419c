"""Addresses of cameras that are taken, and what pages call a camera: no folder of this machine."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.desks.phone import checked_address
from companion.table.errors import TableRefusal
from companion.table.messages import CameraSays
from companion.table.naming import hide_paths, public_name, without_path


@pytest.mark.parametrize(
    "address",
    [
        "http://192.168.1.20:8080/shot.jpg",
        "https://user:secret@10.0.0.5/video",
        "rtsp://phone.local:554/live",
        "http://phone:8080/video",
        "http://[fd00::5]/shot.jpg",
        "http://0x-cam/shot.jpg",
        "http://1234.local/shot.jpg",
    ],
)
def test_cameras_of_a_home_network_are_taken(address: str) -> None:
    assert checked_address(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "http://8.8.8.8/shot.jpg",
        "http://134744072/shot.jpg",
        "http://0x08080808/shot.jpg",
        "rtsp://anna:pw@0X8080808:554/",
        "http://01002004010/",
        "http://example.com/shot.jpg",
        "file:///etc/passwd",
        "udp://192.168.1.5:99",
        "gopher://192.168.1.5/",
        "/etc/passwd",
        "http://192.168.1.20:99999/",
        "http://192.168.1.20/a b",
        "http://192.168.1.20/\n",
        "http://[::1",
        "",
        "http://192.168.1.1/" + "a" * 300,
    ],
)
def test_this_machine_asks_nobody_else(address: str) -> None:
    with pytest.raises(TableRefusal) as refused:
        checked_address(address)
    assert refused.value.key == "bad_address"


class TestNames:
    """What pages are told: no folder of this machine, no password."""

    @pytest.mark.parametrize(
        ("camera", "name"),
        [
            ("0", "0"),
            ("demo", "demo"),
            ("/dev/video2", "/dev/video2"),
            ("/home/anna b/films/throws.mp4", "throws.mp4"),
            ("pictures/?hold=2", "pictures"),
            ("http://anna:secret@192.168.1.20:8080/video", "http://192.168.1.20:8080/video"),
            ("http://10.0.0.7/snap.cgi?user=anna&pwd=secret", "http://10.0.0.7/snap.cgi…"),
            ("rtsp://anna:sec@ret@192.168.1.20/stream", "rtsp://192.168.1.20/stream"),
        ],
    )
    def test_of_cameras(self, camera: str, name: str) -> None:
        assert public_name(camera) == name

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            (
                "Nothing can be written to /home/anna/tables/x.sqlite3.",
                "Nothing can be written to x.sqlite3.",
            ),
            ("([Errno 13] Permission denied: '/home/anna b/x')", "([Errno 13] Permission denied: 'x')"),
            (r"C:\Users\anna\tables\x.sqlite3 is gone.", "x.sqlite3 is gone."),
            (
                "http://192.168.1.20:8080/video does not answer.",
                "http://192.168.1.20:8080/video does not answer.",
            ),
            ("USB camera /dev/video2 is not plugged in.", "USB camera /dev/video2 is not plugged in."),
            ("1280×960 and/or 3/4", "1280×960 and/or 3/4"),
        ],
    )
    def test_in_sentences(self, text: str, shown: str) -> None:
        assert hide_paths(text) == shown

    @given(st.lists(st.text("abcdefgh xyz-_é", min_size=1, max_size=9), min_size=2, max_size=5))
    def test_no_folder_of_a_camera_that_is_a_file_is_told(self, parts: list[str]) -> None:
        folders = [f"private{part.strip()}" for part in parts]
        camera = "/" + "/".join(folders) + "/film.mp4"
        says = CameraSays(f"the film {camera}", f"The film {camera} is over.", "Start again.")
        shown: Any = without_path(says, camera)
        assert "private" not in shown.name + shown.sentence
        assert shown.name == "the film film.mp4"
