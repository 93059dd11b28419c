"""Requests to a camera at an http(s) address: with its password, bounded, never redirected to another host,
and to the camera itself, whatever proxy this computer uses."""

import http.client
import re
import secrets
import socket
import ssl
import string
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import IO
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

from vision.addresses import url_name
from vision.errors import CameraError
from vision.sources.login import Challenge, answer, choose_challenge, login_of

TIMEOUT_S = 3.0
"""OpenCV alone would wait 30 s for a phone that went to sleep."""
SHOT_S = 15.0
"""For a whole picture: 5 MB over slow Wi-Fi. A camera sending a byte a second would hold us up for ever."""
_MOST_BYTES = 32 * 1024 * 1024
_PIECE = 1 << 16
_JPEG_START = b"\xff\xd8\xff"
"""How a JPEG begins: simple cameras send one as a plain byte stream, which FFmpeg would show once and then
end."""
_MISPLACED_LOGIN = re.compile(r"[a-z]+://[^/?#@:]+:(?P<port>[^/?#@]*)[/?#].*@", re.DOTALL)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_REFUSED = (401, 403)
_BUSY = (429, 453, 503)
"""What cameras answer that give their picture to few at a time; 453 is RTSP's."""
_REMEDIES = {
    **dict.fromkeys(_REFUSED, "Write user:password@ into the URL."),
    **dict.fromkeys(_BUSY, "Is another program using it? Close that, or restart the camera."),
    **dict.fromkeys((301, 302, 303, 307, 308), "It leads elsewhere: give the camera's own address."),
}


class Asker:
    """Sends requests to one address, and remembers how it wants them authenticated."""

    def __init__(self, url: str) -> None:
        """Raises `CameraError` if the URL is malformed."""
        try:
            parts = urlsplit(url)
        except ValueError:
            raise no_answer_error(url) from None
        self.name = url_name(url)
        """Name for messages."""
        self.stream_url = url
        """URL that the answer came from: another path on the camera if it redirected there."""
        self._url = _encoded_url(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        self._userinfo = parts.netloc[: -len(parts.netloc.rpartition("@")[2])]
        self._login = login_of(parts)
        self._challenge: Challenge | None = None
        self._count = 0

    def gives_pictures(self) -> bool:
        """Whether the answer is a single picture, not a stream. Raises `CameraError`."""
        with self._request() as response:
            answered_url = urlsplit(response.url)
            self.stream_url = urlunsplit(answered_url._replace(netloc=self._userinfo + answered_url.netloc))
            content_type, has_length = (
                response.headers.get_content_type(),
                "Content-Length" in response.headers,
            )
            if content_type.startswith(("multipart/", "video/")) or not (
                has_length or content_type.startswith("image/")
            ):
                return False
            try:
                return content_type.startswith("image/") or response.read(len(_JPEG_START)) == _JPEG_START
            except (OSError, http.client.HTTPException):
                raise no_answer_error(self.name) from None

    def shot(self, clock: Callable[[], float]) -> bytes:
        """Return one picture's file. Raises `CameraError`."""
        data, until_s = bytearray(), clock() + SHOT_S
        with self._request() as response:
            try:
                while (piece := response.read1(_PIECE)) and len(data) < _MOST_BYTES:
                    data += piece
                    if clock() > until_s:
                        raise no_answer_error(self.name)
            except (OSError, http.client.HTTPException):
                raise no_answer_error(self.name) from None
        return bytes(data)

    def _request(self) -> http.client.HTTPResponse:
        """Open the URL. Raises `CameraError` with what the other side said."""
        try:
            try:
                return self._open(self._url)
            except urllib.error.HTTPError as error:
                if not self._learn_challenge(error):
                    raise
                error.close()
                return self._open(error.geturl())
        except urllib.error.HTTPError as error:
            code = error.code
            error.close()
            raise refused_error(self.name, code, sent_login=self._login is not None) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            is_untrusted = isinstance(reason := getattr(error, "reason", None), ssl.SSLCertVerificationError)
            raise self._certificate_error() if is_untrusted else no_answer_error(self.name, reason) from None

    def _certificate_error(self) -> CameraError:
        return CameraError(
            f"The certificate of {self.name} is not trusted.",
            "Give its address with http:// instead.",
            "certificate",
        )

    def _learn_challenge(self, refusal: urllib.error.HTTPError) -> bool:
        """Learn from a refusal how to authenticate; once per challenge, since cameras lock out clients that
        guess."""
        if self._login is None or refusal.code not in _REFUSED:
            return False
        previous, self._count = self._challenge, 0
        self._challenge = choose_challenge(refusal.headers.get_all("WWW-Authenticate", []))
        redirected = refusal.geturl() != self._url  # to a path that has not been answered for yet
        return self._challenge is not None and (redirected or self._challenge != previous)

    def _open(self, url: str) -> http.client.HTTPResponse:
        request = urllib.request.Request(url)  # noqa: S310 # the caller let only http(s) in
        if self._login is not None and self._challenge is not None:
            self._count += 1
            header = answer(self._challenge, self._login, request.selector, self._count, secrets.token_hex(8))
            request.add_unredirected_header("Authorization", header)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _SameHostRedirects)
        response = opener.open(request, timeout=TIMEOUT_S)
        assert isinstance(response, http.client.HTTPResponse)
        return response


class _SameHostRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect to another host: a camera must not send this machine to others, or to itself."""

    def redirect_request(  # noqa: PLR0917 - it is called so
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """Allow only redirects from one path of the camera to another."""
        if _origin(newurl) != _origin(req.full_url):
            raise urllib.error.HTTPError(req.full_url, code, msg, headers, fp)
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        header = req.unredirected_hdrs.get("Authorization", "")
        if request is not None and header.startswith("Basic "):  # a digest is valid for its own path only
            request.add_unredirected_header("Authorization", header)
        return request


def _encoded_url(parts: SplitResult) -> str:
    """Return the URL as it is sent: a space or an ö in its path, as people name cameras, is encoded."""
    return urlunsplit(parts._replace(path=_encoded(parts.path), query=_encoded(parts.query)))


def _encoded(text: str) -> str:
    """Encode what may not be in a URL, and leave what is encoded already."""
    return quote(text, safe=string.punctuation)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    port = _DEFAULT_PORTS.get(parts.scheme) if parts.port is None else parts.port
    return parts.scheme, parts.hostname, port


def no_answer_error(url: str, reason: object = None) -> CameraError:
    """The error for a camera that does not answer (in time), or whose name is unknown."""
    if isinstance(reason, socket.gaierror):
        return CameraError(
            f"{url_name(url)} is a name that nothing on this network has.",
            "Check it, or give the camera's IP address, such as 192.168.1.20.",
            "unknown_name",
        )
    return CameraError(
        f"{url_name(url)} does not answer.",
        "Is it on, and on the same network? A phone must be awake, with its camera app running.",
        "no_answer",
    )


def misplaced_login_error(url: str, error: CameraError) -> CameraError | None:
    """The error for a password that ends the address, as in `http://anna:se#cret@…`; None if `error` has
    another cause."""
    found = _MISPLACED_LOGIN.match(url)
    if found is None or not (error.key == "unknown_name" or not found["port"].isdecimal()):
        return None
    return CameraError(
        f"The password for {url_name(url)} seems to hold a sign that ends an address.",
        "Write /, ? and # in it as %2F, %3F and %23.",
        "address",
    )


def refused_error(url: str, code: int, *, sent_login: bool = False) -> CameraError:
    """The error for an answer with status `code` of HTTP or RTSP; `told`: credentials were sent."""
    wrong_login = sent_login and code in _REFUSED
    remedy = (
        "Check user, password and path." if wrong_login else _REMEDIES.get(code, "Check the path of the URL.")
    )
    key = "busy" if code in _BUSY else "address"
    refusal = CameraError(f"{url_name(url)} answered with error {code}.", remedy, key)
    refusal.retry_slowly = wrong_login
    return refusal
