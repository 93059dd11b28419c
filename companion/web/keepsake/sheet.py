"""The PDF sheet: winners and standings, the final map, the course of the points, and memorable battles."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.games.protocol import Json
from companion.web.keepsake import signs
from companion.web.keepsake.strokes import trace
from companion.web.phrases import Say

WIDTH_MM, HEIGHT_MM = 297.0, 210.0
"""A4, landscape."""
_EDGE = 12 * mm
_MAP = Path(__file__).parents[1] / "static" / "japan.json"
SHY = "\u00ad"
"""Soft hyphen: where a page may break a word."""
_COLUMNS = ("points", "provinces", "chests", "rice")


@dataclass(frozen=True, slots=True)
class Ended:
    """The data on the sheet; all of it open to everybody."""

    table: str
    game: Json
    moments: Sequence[Json]
    chapters: Json
    throws: int
    cubes: int
    """Cubes thrown, counted as in a battle: those that lay in the tray and went in again count again."""
    date: str

    @property
    def players(self) -> list[Json]:
        """Players by most points, then by most chests (T-10)."""
        return sorted(self.game["players"], key=lambda one: (-one["points"], -one["chests"]))


def sheet(ended: Ended, say: Say, fonts: tuple[str, str]) -> bytes:
    """Return the PDF; `fonts` names the plain and the bold one."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(WIDTH_MM * mm, HEIGHT_MM * mm), invariant=1)
    canvas.setTitle(f"Tenshu · {ended.table}")
    _Sheet(canvas, ended, say, fonts).draw()
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def spread(heights: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Return heights (highest first), moved to be `apart` from each other and between `low` and `high`."""
    moved: list[float] = []
    for height in reversed(heights):
        moved.append(max(height, moved[-1] + apart if moved else low))
    return [min(height, high - apart * rank) for rank, height in enumerate(reversed(moved))]


class _Sheet:
    """Draws the sheet from the top; y points upwards, as in PDF."""

    def __init__(self, canvas: Canvas, ended: Ended, say: Say, fonts: tuple[str, str]) -> None:
        self.canvas, self.ended, self.say = canvas, ended, say
        self.plain, self.bold = fonts

    def draw(self) -> None:
        width, height = WIDTH_MM * mm, HEIGHT_MM * mm
        self.canvas.setFillColor(HexColor(signs.PAPER))
        self.canvas.rect(0, 0, width, height, stroke=0, fill=1)
        self._head(height - _EDGE)
        map_width = 182 * mm
        self._map(_EDGE, height - 40 * mm, map_width)
        right = _EDGE + map_width + 8 * mm
        self._standing(right, height - 40 * mm, width - right - _EDGE)
        self._course(_EDGE, 14 * mm, map_width, 56 * mm)
        self._remembered(right, 70 * mm, width - right - _EDGE)
        self._text(width - _EDGE, 7 * mm, "Tenshu", 8, signs.INK_2, right=True)

    def _head(self, top: float) -> None:
        game, middle = self.ended.game, WIDTH_MM * mm / 2
        won = list(game["winners"])
        names = self._list(won)
        title = self.say("end.wins", n=len(won), who=names) if won else self.say("end.not_yet")
        middle += 7.5 * mm * (len(won) % 2)  # an unpaired seal shifts the title by half its width
        self._text(middle, top - 9 * mm, title, 26, signs.INK, bold=True, centred=True)
        reach = self.canvas.stringWidth(title, self.bold, 26) / 2 + 9 * mm
        for at, seat in enumerate(won):
            side = -1 if at % 2 == 0 else 1
            self._seal(seat, middle + side * (reach + (at // 2) * 14 * mm), top - 6 * mm, 6 * mm)
        season = self.say(f"season.{game['season']}")
        facts = (
            self.ended.table,
            self.ended.date,
            self.say("round.season", season=season, year=game["year"]),
            self.say("end.throws", n=self.ended.throws),
            self.say("end.cubes", n=self.ended.cubes),
        )
        self._text(WIDTH_MM * mm / 2, top - 18 * mm, "  ·  ".join(facts), 11, signs.INK_2, centred=True)

    def _standing(self, left: float, top: float, width: float) -> None:
        self._text(left, top - 5 * mm, self.say("round.standing"), 13, signs.INK, bold=True)
        step = width * 0.6 / len(_COLUMNS)
        columns = [left + width - step * at for at in reversed(range(len(_COLUMNS)))]
        heads = [self.say(f"stand.{key}").replace(SHY, "") for key in _COLUMNS]
        widest = max(self.canvas.stringWidth(head, self.plain, 7.5) for head in heads)
        size = 7.5 * min(1.0, (step - 4) / widest)
        for x, head in zip(columns, heads, strict=True):
            self._text(x, top - 11 * mm, head, size, signs.INK_2, right=True)
        for at, one in enumerate(self.ended.players):
            y = top - (18 + 9 * at) * mm
            self._rule(left, y + 6 * mm, width)
            self._seal(one["seat"], left + 3 * mm, y + 1.4 * mm, 2.8 * mm)
            self._text(left + 8 * mm, y, self.say(f"colour.{one['seat']}"), 10, signs.INK, bold=True)
            values = [one["points"], len(one["provinces"]), one["chests"], one["rice"]]
            for x, value in zip(columns, values, strict=True):
                first = x == columns[0]
                self._text(x, y, str(value), 14 if first else 10, signs.INK, bold=first, right=True)

    def _remembered(self, left: float, top: float, width: float) -> None:
        """Numbers of battles and revolts, and the battles worth remembering."""
        battles = self.ended.chapters.get("battles") or {}
        names = {one["id"]: one["name"] for one in self.ended.game["provinces"]}
        lines = [self.say("keepsake.fights", n=battles.get("battles", 0), revolts=battles.get("revolts", 0))]
        lines += [
            self.say(f"keepsake.{key}", fight=self._fight(fight, names), n=fight["cubes"])
            for key in ("largest", "closest")
            if (fight := battles.get(key))
        ]
        if often := battles.get("often"):
            lines.append(self.say("keepsake.often", province=names[often["province"]], n=often["n"]))
        self._text(left, top, self.say("keepsake.title"), 13, signs.INK, bold=True)
        y = top - 6.5 * mm
        for line in lines:
            for part in self._wrapped(line, 9.5, width):
                self._text(left, y, part, 9.5, signs.INK)
                y -= 4.6 * mm
            y -= 1.2 * mm

    def _fight(self, fight: Json, names: Mapping[str, str]) -> str:
        province = names.get(fight["province"], fight["province"])
        if not fight["attacker"]:
            return self.say(
                "fight.revolt", province=province, defender=self.say(f"colour.{fight['defender']}")
            )
        return self.say("attacks", attacker=self.say(f"colour.{fight['attacker']}"), province=province)

    def _course(self, left: float, bottom: float, width: float, height: float) -> None:
        """Points over the game: one line per seat, each with its own dashes and its seal at the end."""
        self._text(
            left,
            bottom + height,
            self.say("past.chart", what=self.say("stand.points")),
            13,
            signs.INK,
            bold=True,
        )
        seats = [one["seat"] for one in self.ended.players]
        points = {
            seat: [moment["seats"].get(seat, {}).get("points", 0) for moment in self.ended.moments]
            for seat in seats
        }
        most = max([1, *(value for line in points.values() for value in line)])
        x0, x1, y0, y1 = left + 8 * mm, left + width - 14 * mm, bottom, bottom + height - 8 * mm
        for value in (0, most):
            y = y0 + (y1 - y0) * value / most
            self._rule(x0, y, x1 - x0)
            self._text(x0 - 2 * mm, y - 1 * mm, str(value), 8, signs.INK_2, right=True)
        for seat in seats:
            line = points[seat]
            steps = max(1, len(line) - 1)
            path = self.canvas.beginPath()
            for at, value in enumerate(line):
                x, y = x0 + (x1 - x0) * at / steps, y0 + (y1 - y0) * value / most
                (path.lineTo if at else path.moveTo)(x, y)
            self.canvas.setStrokeColor(HexColor(signs.COLOURS[seat]))
            self.canvas.setLineWidth(1.6)
            self.canvas.setDash(list(signs.DASHES[seat]))
            self.canvas.drawPath(path)
            self.canvas.setDash([])
        ends = [y0 + (y1 - y0) * (points[seat][-1] if points[seat] else 0) / most for seat in seats]
        for seat, y in zip(seats, spread(ends, 5.6 * mm, y0, y1 + 2 * mm), strict=True):
            self._seal(seat, x1 + 5 * mm, y, 2.6 * mm)

    def _map(self, left: float, top: float, width: float) -> None:
        japan, canvas = _japan(), self.canvas
        scale = width / japan["width"]
        canvas.saveState()
        canvas.translate(left, top)
        canvas.scale(scale, -scale)
        frame = canvas.beginPath()
        frame.rect(0, 0, japan["width"], japan["height"])
        canvas.clipPath(frame, stroke=0, fill=0)
        canvas.setFillColor(HexColor(signs.SEA))
        canvas.rect(0, 0, japan["width"], japan["height"], stroke=0, fill=1)
        there = {one["id"]: one for one in self.ended.game["provinces"]}
        for islet in japan["islets"]:
            self._outline(islet, signs.OUT, signs.SHORE, 3)
        for key, shape in japan["provinces"].items():
            tint = signs.REGIONS[there[key]["region"]] if key in there else signs.OUT
            self._outline(shape["path"], tint, None, 0)
        for key, shape in japan["provinces"].items():
            owner = there.get(key, {}).get("owner")
            if owner:
                self._edge(shape["path"], signs.COLOURS[owner])
        for border in japan["borders"]:
            self._outline(border["path"], None, signs.BORDER, 3.4)
        self._outline(japan["lake"], signs.SEA, signs.BORDER, 2)
        self._outline(japan["coast"], None, signs.SHORE, 5)
        canvas.setDash([15, 12])
        for route in japan["sea"]:
            self._outline(route["path"], None, signs.ROUTE, 6)
        canvas.setDash([])
        for key, one in there.items():
            self._province(one, japan["provinces"][key])
        canvas.restoreState()

    def _edge(self, d: str, colour: str) -> None:
        """Draw a band along the inside of the border."""
        self.canvas.saveState()
        clip = self.canvas.beginPath()
        trace(clip, d)
        self.canvas.clipPath(clip, stroke=0, fill=0)
        self._outline(d, None, colour, 22)
        self.canvas.restoreState()

    def _province(self, one: Json, shape: Json) -> None:
        """Draw name, owner's seal, armies, buildings and revolts, upright although the map's y is flipped."""
        canvas = self.canvas
        signs_of = [*one["buildings"], *["revolt"] * one["markers"]]
        canvas.saveState()
        canvas.translate(shape["x"], shape["y"])
        canvas.scale(1, -1)
        up = 26 if signs_of else 10
        self._text(0, up, one["name"], 27, signs.INK, bold=True, centred=True)
        if one["owner"]:
            self._seal(one["owner"], -20, up - 26, 18)
            self._text(6, up - 37, str(one["armies"]), 34, signs.INK, bold=True)
        canvas.scale(1, -1)
        for at, name in enumerate(signs_of):
            canvas.saveState()
            canvas.translate((at - (len(signs_of) - 1) / 2) * 38, 68 - up)
            canvas.setFillColor(HexColor(signs.PAPER))
            canvas.setStrokeColor(HexColor(signs.ROUTE if name == "revolt" else signs.INK))
            canvas.setLineWidth(2)
            canvas.circle(0, 0, 19, stroke=1, fill=1)
            canvas.scale(0.8, 0.8)
            sign = signs.REVOLT if name == "revolt" else signs.BUILDINGS[name]
            self._outline(sign, signs.ROUTE if name == "revolt" else signs.INK, None, 0)
            canvas.restoreState()
        canvas.restoreState()

    def _seal(self, seat: str, x: float, y: float, radius: float) -> None:
        """Draw a colour's mark in a round seal."""
        canvas = self.canvas
        canvas.saveState()
        canvas.translate(x, y)
        canvas.scale(radius / 9, -radius / 9)
        canvas.setStrokeColor(HexColor(signs.INK))
        canvas.setLineWidth(0.8)
        canvas.setFillColor(HexColor(signs.COLOURS[seat]))
        canvas.circle(0, 0, 9, stroke=1, fill=1)
        mark = signs.INK if seat == "yellow" else signs.PAPER
        if seat in signs.MARKS:
            self._outline(signs.MARKS[seat], mark, None, 0)
        else:
            canvas.setFillColor(HexColor(mark))
            canvas.circle(0, 0, 5, stroke=0, fill=1)
        canvas.restoreState()

    def _outline(self, d: str, fill: str | None, stroke: str | None, line: float) -> None:
        path = self.canvas.beginPath()
        trace(path, d)
        if fill:
            self.canvas.setFillColor(HexColor(fill))
        if stroke:
            self.canvas.setStrokeColor(HexColor(stroke))
            self.canvas.setLineWidth(line)
        self.canvas.drawPath(path, stroke=int(bool(stroke)), fill=int(bool(fill)), fillMode=0)

    def _rule(self, x: float, y: float, width: float) -> None:
        self.canvas.setStrokeColor(HexColor(signs.LINE))
        self.canvas.setLineWidth(0.7)
        self.canvas.line(x, y, x + width, y)

    def _text(self, x: float, y: float, text: str, size: float, colour: str, **how: Any) -> None:
        """Draw text; `how` may set `bold`, and `centred` or `right` for alignment."""
        text = text.replace(SHY, "")  # the sheet would print a soft hyphen as a hyphen
        font = self.bold if how.get("bold") else self.plain
        self.canvas.setFillColor(HexColor(colour))
        self.canvas.setFont(font, size)
        if how.get("centred"):
            self.canvas.drawCentredString(x, y, text)
        elif how.get("right"):
            self.canvas.drawRightString(x, y, text)
        else:
            self.canvas.drawString(x, y, text)

    def _wrapped(self, text: str, size: float, width: float) -> list[str]:
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.canvas.stringWidth(longer, self.plain, size) <= width or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _list(self, seats: Sequence[str]) -> str:
        return ", ".join(self.say(f"colour.{seat}") for seat in seats)


@cache
def _japan() -> Json:
    loaded: Json = json.loads(_MAP.read_text(encoding="utf-8"))
    return loaded
