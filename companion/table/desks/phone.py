"""The camera's desk in the web process: which camera looks, which phone may be it, and its newest picture.

A picture waits here until the sensor process asks for one; what comes in the meantime replaces it. So a slow
reader never falls behind, and at most one picture is on its way. A thread of its own sends it: the thread
that listens to the sensor process must never wait for it.
"""

import hmac
import ipaddress
import re
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from companion.table.desks.host import SensorHost
from companion.table.errors import TableRefusal
from companion.table.messages import (
    GONE_KEYS,
    PHONE,
    CameraSays,
    Check,
    Checked,
    FrameWanted,
    PhoneFrame,
    Report,
    Said,
    SensorSpec,
    switched_off_check,
    unread_check,
)
from companion.table.naming import public_name

KEY_BYTES = 18
FREE_AFTER_S = 10.0
"""Silence after which a phone loses its place to the next one that asks."""
MOST_FPS = 15.0
CHECK_WAIT_S = 25.0
"""Long, because a starting sensor process loads its models first, which takes time on a small computer."""
_SCHEMES = ("http", "https", "rtsp")
_HOST_NAME = re.compile(
    r"(?!(?:[0-9]+|0x[0-9a-f]*)\Z)[a-z0-9-]{1,63}(\.local|\.lan|\.home\.arpa)?", re.IGNORECASE
)
"""Not a single number: resolvers take 134744072 and 0x08080808 for the address 8.8.8.8."""
_MOST_ADDRESS_LENGTH = 300


class NotTheCamera(TableRefusal):
    """Pictures are accepted only from the phone that is the camera."""

    status = 403

    def __init__(self) -> None:
        super().__init__("not_the_camera", "Another device is the camera now.")


class CameraTaken(TableRefusal):
    """There is a camera that works; the host can choose another."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "camera_taken", "The table already has a camera. The host can let this one take over."
        )


class TooFast(TableRefusal):
    """Requests come faster than pictures are read."""

    status = 429

    def __init__(self) -> None:
        super().__init__("too_fast", "Pictures are coming faster than they are read. Wait a moment.")


@dataclass(frozen=True, slots=True)
class Holder:
    """The phone that is the camera."""

    key: str
    name: str
    seen_s: float
    frames: int = 0


class CameraDesk:
    """Thread-safe."""

    def __init__(self, spec: SensorSpec, hear: Callable[[Report], None], clock: Callable[[], float]) -> None:
        self.camera = spec.camera
        self.invite = secrets.token_urlsafe(KEY_BYTES)
        """Whoever scans it from the host's page becomes the camera; new with every start."""
        self._home_spec = spec
        self._pass_on = hear
        self._clock = clock
        self._host: SensorHost | None = None
        self._changed = threading.Condition()
        self._holder: Holder | None = None
        self._newest: PhoneFrame | None = None
        self._frame_wanted = False
        self._stopping = False
        self._answers: dict[int, Checked | None] = {}
        self._check_number = 0
        self._thread = threading.Thread(target=self._send_frames, name="phone camera", daemon=True)

    def connect(self, host: SensorHost) -> None:
        """Set where pictures are sent."""
        self._host = host

    def start(self) -> None:
        """Begin to pass pictures on."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread and every wait."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    # -- which camera ---------------------------------------------------------------------------------------

    def take(self, name: str, invite: str, held: str, free: bool) -> str:
        """Make a phone the camera; return its key. Raises `CameraTaken`.

        The host's invitation is always enough; with `free` none is needed unless another phone gives
        pictures.
        """
        with self._changed:
            holder = self._holder
            is_holder = holder is not None and _are_same_key(holder.key, held)
            if not (
                is_holder or _are_same_key(self.invite, invite) or (free and not self._has_live_holder())
            ):
                raise CameraTaken
            key = held if is_holder else secrets.token_urlsafe(KEY_BYTES)
            self._holder = Holder(key, name, self._clock())
            self._newest = None
            if self.camera != PHONE or (holder is not None and not is_holder):
                self._set_camera(PHONE)  # also if it was a phone: another one stands elsewhere
        return key

    def is_camera(self, key: str) -> bool:
        """Whether this is the key of the phone that is the camera."""
        with self._changed:
            return self._holder is not None and _are_same_key(self._holder.key, key)

    def invites(self, invite: str) -> bool:
        """Whether this is the host's invitation."""
        return _are_same_key(self.invite, invite)

    def leave(self, key: str) -> None:
        """Let the phone go: the camera that Tenshu was started with looks again. Raises `NotTheCamera`."""
        with self._changed:
            self._checked_holder(key)
            self._switch_to(self._home_spec.camera)

    def use_home(self) -> None:
        """Look through the camera that Tenshu was started with."""
        self._switch_to(self._home_spec.camera)

    def use_address(self, address: str) -> None:
        """Look through a network camera of the home network. Raises `TableRefusal`."""
        self._switch_to(checked_address(address))

    # -- pictures -------------------------------------------------------------------------------------------

    def feed(self, key: str, jpeg: bytes, light: str = "") -> None:
        """Take the phone's newest picture and the state of its light. Raises `NotTheCamera`, `TooFast`."""
        with self._changed:
            holder = self._checked_holder(key)
            now = self._clock()
            if holder.frames and now - holder.seen_s < 1 / MOST_FPS:
                raise TooFast
            self._holder = Holder(holder.key, holder.name, now, holder.frames + 1)
            self._newest = PhoneFrame(jpeg, light)
            self._changed.notify_all()

    def hear(self, said: Said) -> None:
        """Take what the sensor process says; pass on what the table has to know."""
        match said:
            case FrameWanted():
                with self._changed:
                    self._frame_wanted = True
                    self._changed.notify_all()
            case Checked():
                with self._changed:
                    if said.number in self._answers:
                        self._answers[said.number] = said
                        self._changed.notify_all()
            case _:
                if isinstance(said, CameraSays) and said.key in GONE_KEYS:
                    with self._changed:  # it may have died of this very picture: nobody else will answer
                        self._answers = {
                            number: answer or unread_check(number) for number, answer in self._answers.items()
                        }
                        self._changed.notify_all()
                self._pass_on(said)

    def check(self, photo: bytes | None = None) -> Checked:
        """Return what the reader sees in this photo, or in the newest picture; the table does not hear of it.
        Raises `TooFast`."""
        with self._changed:
            if len(self._answers) >= 2:
                raise TooFast
            self._check_number += 1
            number = self._check_number
            self._answers[number] = None
        was_sent = self._send_order(Check(number, photo))
        with self._changed:
            if not was_sent and self._answers[number] is None:
                self._answers[number] = switched_off_check(number)
            self._changed.wait_for(
                lambda: self._answers[number] is not None or self._stopping, timeout=CHECK_WAIT_S
            )
            answer = self._answers.pop(number)
        return answer or unread_check(number)

    # -- for pages ------------------------------------------------------------------------------------------

    def state(self, key: str) -> dict[str, object]:
        """Return which camera looks, whether this device is it, and how old its newest picture is."""
        with self._changed:
            holder = self._holder if self._has_live_holder() else None
            return {
                "camera": public_name(self.camera),
                "home": public_name(self._home_spec.camera),
                "phone": None
                if holder is None
                else {
                    "name": holder.name,
                    "mine": _are_same_key(holder.key, key),
                    "frames": holder.frames,
                    "age_ms": round((self._clock() - holder.seen_s) * 1000),
                },
            }

    # -- inside ---------------------------------------------------------------------------------------------

    def _has_live_holder(self) -> bool:
        return self._holder is not None and self._clock() - self._holder.seen_s < FREE_AFTER_S

    def _checked_holder(self, key: str) -> Holder:
        if self._holder is None or not _are_same_key(self._holder.key, key):
            raise NotTheCamera
        return self._holder

    def _switch_to(self, camera: str) -> None:
        """Turn to another camera; no phone is the camera any more, and none becomes it in between."""
        with self._changed:
            self._holder, self._newest = None, None
            self._set_camera(camera)

    def _set_camera(self, camera: str) -> None:
        """Set the camera, with the lock held, so that table, phone and sensor process agree."""
        self.camera = camera
        if self._host is not None:
            # A profile knows one camera's position: it applies to the camera that it was made with.
            self._host.use(camera, taught=camera == self._home_spec.camera)

    def _send_order(self, order: PhoneFrame | Check) -> bool:
        """Send an order; return whether anybody will hear of it."""
        return self._host is not None and self._host.order(order)

    def _send_frames(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._stopping or (self._frame_wanted and self._newest is not None)
                )
                if self._stopping:
                    return
                frame, self._newest, self._frame_wanted = self._newest, None, False
                if frame is not None:
                    self._send_order(frame)


def checked_address(address: str) -> str:
    """Return the address of a camera on the home network, as it was written. Raises `TableRefusal`.

    Other addresses are refused: whoever may choose the camera must not make this machine send requests
    anywhere.
    """
    refusal = TableRefusal(
        "bad_address",
        "Enter an address on this network, such as http://192.168.1.20:8080/shot.jpg or rtsp://…",
    )
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise refusal from None
    if (
        len(address) > _MOST_ADDRESS_LENGTH
        or parts.scheme not in _SCHEMES
        or not address.isprintable()
        or " " in address
    ):
        raise refusal
    try:
        is_local = ipaddress.ip_address(host).is_private
    except ValueError:
        is_local = _HOST_NAME.fullmatch(host) is not None
    if not is_local:
        raise refusal
    return address


def _are_same_key(known: str, given: str) -> bool:
    return bool(known) and hmac.compare_digest(known.encode(), given.encode())
