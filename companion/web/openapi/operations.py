"""Each route of the API in a line: summary, request, answer. A test checks that no route is missing."""

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
    """A model, or the media type of an answer that is not JSON."""
    body: type[BaseModel] | None = None
    optional_body: bool = False
    uploads: tuple[str, ...] = ()
    """Media types of a body that is not JSON."""
    headers: tuple[str, ...] = ()
    query: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Query parameters, each with its allowed values."""
    more: tuple[str, ...] = ()
    """Optional headers that are not keys (described in `document`)."""
    asks: type[BaseModel] | None = None
    """A model of the query parameters, for those that are not plain choices."""


_JPEG, _SVG = "image/jpeg", "image/svg+xml"
_OF = (("of", statistics.OF),)
_LANG = (("lang", tuple(LANGUAGES)),)

OPERATIONS: dict[str, Op] = {
    "api.table": Op("The whole public view of the table.", a.WholeTable),
    "api.events": Op(
        "Server-sent events: `table`, with the content of `GET table`, at every change, with the id "
        "`start.rev`; `here` as a heartbeat. `?after=ID` replaces the header for clients that cannot set it.",
        "text/event-stream",
        more=("Last-Event-ID",),
    ),
    "api.legal": Op("The legal commands of the table as a whole.", a.Legal),
    "api.throws": Op("Throws, newest first.", a.Throws, asks=requests.Pages),
    "api.look": Op("The picture of the current look.", _JPEG),
    "api.evidence": Op("The picture of a throw.", _JPEG),
    "api.command": Op("A command of the game (docs/rules/game-api.md).", body=requests.GameCommand),
    "api.settle": Op("Accept counts of the tray entered or confirmed by a person.", body=requests.Settle),
    "api.preview": Op(
        "Preview what these counts would decide, without deciding it.", a.Previewed, requests.Preview
    ),
    "api.hold": Op("Stop the countdown of a look.", body=requests.Hold),
    "api.correct": Op("Correct the counts of the newest throw, with a reason.", body=requests.Correct),
    "api.look_again": Op("Read the tray as it is now.", body=requests.Request),
    "api.fall": Op("In the demo: let cubes fall.", body=requests.Request),
    "past.history": Op("The history in words, newest first.", a.History, asks=requests.Pages),
    "past.moments": Op("Each seat's figures after every command.", a.Moments),
    "past.moment": Op("The table as it was after a command.", a.Moment),
    "past.chapters": Op("Winters step by step, points by source, battles.", a.Chapters),
    "past.what_goes": Op("What an undo would take back, and which of it everybody has seen.", a.WhatGoes),
    "past.undo": Op(
        "Undo a command and everything built on it.",
        body=requests.Undo,
        headers=JOINED,
        more=("X-Seat",),
    ),
    "past.answer": Op("Vote on a proposed undo as a seat.", body=requests.Answer, headers=(SEAT_KEY,)),
    "seats.seats": Op(
        "Who sits where, and the status of this device.",
        a.Seats,
        headers=(SEAT_KEY,),
        more=("X-Seat", "X-Seat-Ticket"),
    ),
    "seats.take": Op(
        "Take a free seat, or one granted by the host's ticket; `key` is an optional key made by the device.",
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
    "seats.look": Op("What a seat may know and do; only for its own device.", a.Seat, headers=(SEAT_KEY,)),
    "seats.command": Op(
        "A command from the seat's own device.", a.Seat, requests.GameCommand, headers=(SEAT_KEY,)
    ),
    "joining.state": Op(
        "Whether this device has joined; the code only for devices that have.", around.JoinState
    ),
    "joining.join": Op("Join with the table's code.", around.Joined, joining.Join),
    "joining.code_picture": Op("The address for joining as a QR code.", _SVG),
    "sensor.sensor": Op("The load cell's trace after point `after`.", around.Trace, asks=sensor.Since),
    "sensor.tare": Op("Set the load cell's zero with the empty tray.", around.Told, headers=HOST),
    "sensor.calibrate": Op(
        "Set the load cell's scale with a known number of cubes on the tray.",
        around.Told,
        sensor.Lying,
        headers=HOST,
    ),
    "calibration.look": Op("State of the guided calibration.", around.Calibration),
    "calibration.live": Op("The camera's current picture.", _JPEG),
    "calibration.step": Op("The picture of a calibration step.", _JPEG),
    "calibration.begin": Op("Begin the guided calibration.", around.Calibration, calibration.Begin),
    "calibration.answer": Op(
        "Answer the current question of the calibration: done, or yes or no.",
        around.Calibration,
        calibration.Answer,
    ),
    "calibration.keep": Op("Save the result of the calibration.", around.Calibration),
    "calibration.end": Op("End the calibration.", around.Calibration),
    "calibration.use": Op("Use this tray from now on.", around.Calibration, calibration.Use),
    "calibration.remove": Op("Delete a saved tray.", around.Calibration, calibration.Remove),
    "calibration.rename": Op("Rename a saved tray.", around.Calibration, calibration.Rename),
    "camera.state": Op("Which camera is in use, and how this device could become it.", around.Camera),
    "camera.invite": Op(
        "A QR code for the host to show; the device that scans it may become the camera.", _SVG, headers=HOST
    ),
    "camera.take": Op("Become the camera.", around.CameraKey, camera.TakeCamera),
    "camera.leave": Op("Stop being the camera.", around.Camera, headers=(CAMERA_KEY,)),
    "camera.address": Op(
        "Switch to a network camera, or back to the first camera.",
        around.Camera,
        camera.CameraAddress,
        headers=HOST,
    ),
    "camera.frame": Op(
        "Send the newest picture.",
        around.NextFrame,
        uploads=tuple(sorted(camera.FRAME_TYPES)),
        headers=(CAMERA_KEY,),
        query=(("light", camera.LIGHTS),),
    ),
    "camera.photo": Op(
        "Send a photo of the settled tray, to be read at once.",
        around.Checked,
        uploads=tuple(sorted(camera.PHOTO_TYPES)),
        more=("X-Camera-Invite",),
    ),
    "camera.check": Op(
        "What the reader sees now, without changing the table.", around.Checked, more=("X-Camera-Invite",)
    ),
    "mat.as_pdf": Op("The printable sheets, mat or light inlay, as PDF.", "application/pdf", asks=mat.Sheets),
    "mat.as_picture": Op("A preview of the first of these sheets.", _SVG, asks=mat.Sheets),
    "host.overview": Op("Overview for the host: tables, seats, devices, codes.", around.Host, headers=HOST),
    "host.enter": Op("Become the host with the secret from the host's link.", around.IsHost, host.Enter),
    "host.new_table": Op("Begin a new game at a new table.", around.Host, host.NewTable, headers=HOST),
    "host.open_table": Op("Switch to another table.", around.Host, headers=HOST),
    "host.show_tower": Op("Set how much of the tower is shown.", around.Host, host.Show, headers=HOST),
    "host.new_code": Op("Replace the code for joining.", around.Host, headers=HOST),
    "host.send_all_out": Op("Make all devices join again.", around.Host, headers=HOST),
    "host.link": Op("The host's link.", around.HostLink, headers=HOST),
    "host.new_link": Op("Replace the host's secret.", around.HostLink, headers=HOST),
    "host.reissue": Op(
        "Issue a new link for a seat; its old key stops working.", around.SeatLink, headers=HOST
    ),
    "host.answer": Op("Answer a request for a seat.", around.Host, host.Agree, headers=HOST),
    "keepsake.as_pdf": Op("A printable sheet of the game and its end.", "application/pdf", query=_LANG),
    "keepsake.as_json": Op("All public data of a game in one file.", tower.Keepsake),
    "statistics.statistics": Op(
        "Statistics of the tower from the throws of this game, or of all tables.",
        tower.TowerStatistics,
        query=_OF,
    ),
    "statistics.as_csv": Op(
        "Every throw as a CSV row; those of all tables only for the host.", "text/csv", query=_OF
    ),
    "statistics.as_xlsx": Op("The same rows as a workbook.", spreadsheet.MEDIA_TYPE, query=_OF),
    "statistics.as_json": Op("The same rows as JSON.", tower.ThrowLog, query=_OF),
    "backups.backup": Op("Download a game as one file.", "application/zip", headers=HOST),
    "backups.take_up": Op(
        "Restore a game from its file.", around.Restored, uploads=("application/octet-stream",), headers=HOST
    ),
    "openapi.description": Op("This description.", "application/json"),
}
"""Operations by Flask endpoint."""
