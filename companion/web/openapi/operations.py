"""Each route of the interface in a line: what it does, what it takes, what it answers. A test misses none."""

from dataclasses import dataclass

from pydantic import BaseModel

from companion.table.log import spreadsheet
from companion.web import calibration, camera, host, joining, mat, requests, seats, sensor, statistics
from companion.web.openapi import answers as a
from companion.web.openapi import around, tower
from companion.web.phrases import LANGUAGES

SEAT_KEY = "X-Seat-Key"
CAMERA_KEY = "X-Camera-Key"
HOST = ("X-Host-Key",)
JOINED = (SEAT_KEY, "X-Join-Token")


@dataclass(frozen=True, slots=True)
class Op:
    """One operation."""

    says: str
    answer: type[BaseModel] | str = a.Table
    """A model, or the media type of what is no JSON."""
    body: type[BaseModel] | None = None
    optional_body: bool = False
    uploads: tuple[str, ...] = ()
    """Media types of a body that is no JSON."""
    headers: tuple[str, ...] = ()
    query: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Words that may stand after `?`, each with what it may be."""
    more: tuple[str, ...] = ()
    """Headers that may come with it, and are no key (`document` describes them)."""
    asks: type[BaseModel] | None = None
    """A model of what may stand there, where it is more than words."""


_JPEG, _SVG = "image/jpeg", "image/svg+xml"
_OF = (("of", statistics.OF),)
_LANG = (("lang", tuple(LANGUAGES)),)

OPERATIONS: dict[str, Op] = {
    "api.table": Op("The whole table as all may see it.", a.WholeTable),
    "api.events": Op(
        "Server-sent events: `table`, with the content of `GET table`, at every change, its id `start.rev`; "
        "`here` where nothing happens. `?after=ID` is as good as the header, where none can be set.",
        "text/event-stream",
        more=("Last-Event-ID",),
    ),
    "api.legal": Op("What the table together may ask for now.", a.Legal),
    "api.throws": Op("Throws, newest first.", a.Throws, asks=requests.Pages),
    "api.look": Op("The picture of the look that is on the page.", _JPEG),
    "api.evidence": Op("The picture of a throw.", _JPEG),
    "api.command": Op("A command of the game (docs/rules/game-api.md).", body=requests.GameCommand),
    "api.settle": Op("What lies in the tray, says a person.", body=requests.Settle),
    "api.preview": Op("What these counts would decide; decides nothing.", a.Previewed, requests.Preview),
    "api.hold": Op("Stop the countdown of a look.", body=requests.Hold),
    "api.correct": Op("Overrule the newest throw, with a reason.", body=requests.Correct),
    "api.look_again": Op("Read the tray as it lies there.", body=requests.Request),
    "api.fall": Op("In the demo: let cubes fall.", body=requests.Request),
    "past.history": Op("The past in words, newest first.", a.History, asks=requests.Pages),
    "past.moments": Op("Each seat's figures after every command.", a.Moments),
    "past.moment": Op("The table as it was after a command.", a.Moment),
    "past.chapters": Op("Winters step by step, points by source, battles.", a.Chapters),
    "past.what_goes": Op("What an undo would take back, and what of it everybody has seen.", a.WhatGoes),
    "past.undo": Op(
        "Take back a command and all that was built on it.",
        body=requests.Undo,
        headers=JOINED,
        more=("X-Seat",),
    ),
    "past.answer": Op(
        "A seat's word on an undo that was put to the table.", body=requests.Answer, headers=(SEAT_KEY,)
    ),
    "seats.seats": Op(
        "Who sits where, and what this device is.",
        a.Seats,
        headers=(SEAT_KEY,),
        more=("X-Seat", "X-Seat-Ticket"),
    ),
    "seats.take": Op(
        "Take a free seat, or one that the host gave a ticket for; `key`: one that the device has made.",
        a.SeatKey,
        seats.TakeSeat,
        optional_body=True,
        headers=JOINED,
        more=("X-Seat-Ticket",),
    ),
    "seats.ask": Op(
        "Ask the host for a seat that another device holds.", a.Ticket, seats.FreeSeat, optional_body=True
    ),
    "seats.free": Op("Free up a seat.", a.Taken, seats.FreeSeat, optional_body=True, headers=(SEAT_KEY,)),
    "seats.look": Op("What a seat may know and do; its device's only.", a.Seat, headers=(SEAT_KEY,)),
    "seats.command": Op(
        "A command of the seat's own device.", a.Seat, requests.GameCommand, headers=(SEAT_KEY,)
    ),
    "joining.state": Op("Whether this device has joined; the code for those who have.", around.JoinState),
    "joining.join": Op("Join with the code of the table.", around.Joined, joining.Join),
    "joining.code_picture": Op("The address to scan.", _SVG),
    "sensor.sensor": Op("The load cell's trace, newer than `after`.", around.Trace, asks=sensor.Since),
    "sensor.tare": Op("The empty tray is the load cell's zero from now on.", around.Told, headers=HOST),
    "sensor.calibrate": Op(
        "So many cubes lie on the tray: the load cell's scale.", around.Told, sensor.Lying, headers=HOST
    ),
    "calibration.look": Op("Where the guided calibration stands.", around.Calibration),
    "calibration.live": Op("What the camera sees.", _JPEG),
    "calibration.step": Op("What was seen at a step.", _JPEG),
    "calibration.begin": Op("Begin the guided calibration.", around.Calibration, calibration.Begin),
    "calibration.answer": Op("Done, or yes or no.", around.Calibration, calibration.Answer),
    "calibration.keep": Op("Keep what was learned.", around.Calibration),
    "calibration.end": Op("Leave it.", around.Calibration),
    "calibration.use": Op("Read this tray from now on.", around.Calibration, calibration.Use),
    "calibration.remove": Op("Keep this tray no longer.", around.Calibration, calibration.Remove),
    "calibration.rename": Op("Call this tray otherwise.", around.Calibration, calibration.Rename),
    "camera.state": Op("Which camera looks, and how this device could become it.", around.Camera),
    "camera.invite": Op("For the host to show: who scans it becomes the camera.", _SVG, headers=HOST),
    "camera.take": Op("Be the camera.", around.CameraKey, camera.TakeCamera),
    "camera.leave": Op("Be the camera no longer.", around.Camera, headers=(CAMERA_KEY,)),
    "camera.address": Op(
        "Look through a network camera, or through the first one again.",
        around.Camera,
        camera.CameraAddress,
        headers=HOST,
    ),
    "camera.frame": Op(
        "The newest picture.",
        around.NextFrame,
        uploads=tuple(sorted(camera.FRAME_TYPES)),
        headers=(CAMERA_KEY,),
        query=(("light", camera.LIGHTS),),
    ),
    "camera.photo": Op(
        "A photo of the settled tray, read at once.",
        around.Checked,
        uploads=tuple(sorted(camera.PHOTO_TYPES)),
        more=("X-Camera-Invite",),
    ),
    "camera.check": Op(
        "What the reader sees now; the table does not change.", around.Checked, more=("X-Camera-Invite",)
    ),
    "mat.as_pdf": Op("The sheets to print: mat or light inlay.", "application/pdf", asks=mat.Sheets),
    "mat.as_picture": Op("How the first of these sheets looks.", _SVG, asks=mat.Sheets),
    "host.overview": Op("Tables, seats, devices, codes.", around.Host, headers=HOST),
    "host.enter": Op("Be the host, with the secret of the host's link.", around.IsHost, host.Enter),
    "host.new_table": Op("A new game at a table of its own.", around.Host, host.NewTable, headers=HOST),
    "host.open_table": Op("Play another table.", around.Host, headers=HOST),
    "host.show_tower": Op("How much of the tower is told.", around.Host, host.Show, headers=HOST),
    "host.new_code": Op("Another code to join.", around.Host, headers=HOST),
    "host.send_all_out": Op("All join anew.", around.Host, headers=HOST),
    "host.link": Op("The host's link.", around.HostLink, headers=HOST),
    "host.new_link": Op("Another secret for the host.", around.HostLink, headers=HOST),
    "host.reissue": Op("A new link for a seat; its old key is dead.", around.SeatLink, headers=HOST),
    "host.answer": Op("Answer who asks for a seat.", around.Host, host.Agree, headers=HOST),
    "keepsake.as_pdf": Op("The end of a game as a sheet to print.", "application/pdf", query=_LANG),
    "keepsake.as_json": Op("All of a game that is open to everybody, in one file.", tower.Keepsake),
    "statistics.statistics": Op(
        "What throws tell of the tower: this game's, or all tables'.", tower.TowerStatistics, query=_OF
    ),
    "statistics.as_csv": Op("Every throw as a row; all tables' for the host.", "text/csv", query=_OF),
    "statistics.as_xlsx": Op("The same rows as a workbook.", spreadsheet.MEDIA_TYPE, query=_OF),
    "statistics.as_json": Op("The same rows as JSON.", tower.ThrowLog, query=_OF),
    "backups.backup": Op("A game as one file.", "application/zip", headers=HOST),
    "backups.take_up": Op(
        "Take up a game from its file.", around.Restored, uploads=("application/octet-stream",), headers=HOST
    ),
    "openapi.description": Op("This description.", "application/json"),
}
"""By Flask's name of the view."""
