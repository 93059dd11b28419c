"""The host's actions over HTTP: tables, seats, devices, codes, and how much of the tower is shown."""

from typing import Annotated, Any

from flask import Blueprint, Response, current_app, jsonify, request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from companion.games.protocol import Refused, TowerShown
from companion.games.registry import find, games
from companion.table.errors import TableRefusal
from companion.table.naming import hide_paths
from companion.table.runtime import Runtime
from companion.web.access import HOST_COOKIE, host_only, is_host, set_secret_cookie
from companion.web.newgame import options_of
from companion.web.qr import qr_uri
from companion.web.requests import Request

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]


class Enter(BaseModel):
    """The host's secret, from the host's link."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    key: str = Field(max_length=100)


class NewTable(BaseModel):
    """Settings of a new game at a new table."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    author: str = Field(default="host", max_length=24)
    name: Name
    game: str = Field(default="shogun", max_length=40)
    options: Annotated[dict[str, Any], Field(max_length=24)]
    tower: TowerShown = TowerShown.ALL


class Agree(BaseModel):
    """The host's answer to a request for a seat."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    agree: bool


class Show(Request):
    """How much of the tower is shown."""

    show: TowerShown


def blueprint(runtime: Runtime) -> Blueprint:
    """`/api/v1/host`."""
    bp = Blueprint("host", __name__, url_prefix="/api/v1/host")

    @bp.before_request
    def only_the_host() -> None:
        if request.path != "/api/v1/host/enter":
            host_only(runtime)

    @bp.post("/enter")
    def enter() -> Response:
        key = Enter.model_validate_json(request.get_data()).key
        if not runtime.access.is_host(key) and not is_host(runtime):
            raise TableRefusal("wrong_host_key", "This is not the host's link, or there is a newer one.")
        response = jsonify({"host": True})
        if runtime.access.is_host(key):
            set_secret_cookie(response, HOST_COOKIE, key)
        return response

    @bp.get("")
    def overview() -> Response:
        return jsonify(host_overview(runtime))

    _add_table_routes(bp, runtime)
    _add_people_routes(bp, runtime)
    return bp


def host_overview(runtime: Runtime) -> dict[str, Any]:
    """Everything that the host's page shows in addition to the table itself."""
    view = runtime.session.view()
    taken = runtime.seats.taken()
    url = current_app.config["JOIN_URL"]
    link = f"{url}join#{runtime.access.code()}" if url else ""
    return {
        "start": view["start"],
        "rev": view["rev"],
        "table": view["table"],
        "game": runtime.session.game.name,
        "games": list(games()),
        "expected": view["expected"],
        "tower_shown": view["tower_shown"],
        "house": (view["game"] or {}).get("house"),
        "health": view["health"],
        "trouble": runtime.trouble
        and {
            "key": runtime.trouble.key,
            "sentence": hide_paths(runtime.trouble.sentence),
            "remedy": runtime.trouble.remedy,
        },
        "tables": [card.as_json() for card in runtime.tables.cards()],
        "seats": runtime.session.seats(),
        "taken": taken,
        "ghosts": runtime.devices.seats_without_device(taken),
        "asks": [ask.as_json() for ask in runtime.handovers.waiting()],
        "devices": runtime.devices.as_json(),
        "join": {"url": url, "code": runtime.access.code(), "qr": qr_uri(link) if link else None},
        "demo": runtime.demo,
    }


def _add_table_routes(bp: Blueprint, runtime: Runtime) -> None:
    @bp.post("/tables")
    def new_table() -> Response:
        body = NewTable.model_validate_json(request.get_data())
        try:
            game = find(body.game)
            options = options_of(body.game, body.options)
            runtime.begin_table(body.name, game, options, body.author, tower=body.tower)
        except Refused as refused:
            raise TableRefusal(
                refused.key, refused.sentence, refused.rule, overrulable=False, **refused.params
            ) from None
        return jsonify(host_overview(runtime))

    @bp.post("/tables/<name>/open")
    def open_table(name: str) -> Response:
        runtime.open_table(name)
        return jsonify(host_overview(runtime))

    @bp.post("/tower")
    def show_tower() -> Response:
        body = Show.model_validate_json(request.get_data())
        runtime.session.show_tower(body.show, body.author, body.expected)
        return jsonify(host_overview(runtime))


def _add_people_routes(bp: Blueprint, runtime: Runtime) -> None:
    @bp.post("/code")
    def new_code() -> Response:
        runtime.access.new_code()
        return jsonify(host_overview(runtime))

    @bp.post("/out")
    def send_all_out() -> Response:
        runtime.access.send_all_out()
        return jsonify(host_overview(runtime))

    @bp.post("/link")
    def new_link() -> Response:
        """Replace the host's secret; this device stays the host."""
        key = runtime.access.new_host_key()
        url = current_app.config["JOIN_URL"]
        link = f"{url}host#{key}" if url else None
        response = jsonify({"url": link, "qr": qr_uri(link) if link else None})
        set_secret_cookie(response, HOST_COOKIE, key)
        return response

    @bp.get("/link")
    def link() -> Response:
        """The host's link, for becoming the host on another device."""
        url = current_app.config["JOIN_URL"]
        link = f"{url}host#{runtime.access.host_key}" if url else None
        return jsonify({"url": link, "qr": qr_uri(link) if link else None})

    @bp.post("/seats/<seat>/reissue")
    def reissue(seat: str) -> Response:
        """Issue a new link for a seat; the old key stops working, and the link's first visitor sits there."""
        runtime.session.seat_view(seat)
        ticket = runtime.issue_seat(seat)
        url = current_app.config["JOIN_URL"] or request.host_url
        link = f"{url}join#{runtime.access.code()}.{seat}.{ticket}"
        # A phone that scans a loopback address reaches itself, so such a link works on this computer only.
        reachable = bool(current_app.config["JOIN_URL"])
        return jsonify({"seat": seat, "url": link, "qr": qr_uri(link) if reachable else None})

    @bp.post("/asks/<int:number>")
    def answer(number: int) -> Response:
        runtime.handovers.answer(number, Agree.model_validate_json(request.get_data()).agree)
        runtime.session.wake()
        return jsonify(host_overview(runtime))
