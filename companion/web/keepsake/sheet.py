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
_MARGIN = 12 * mm
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
        return sorted(self.game["players"], key=lambda player: (-player["points"], -player["chests"]))


def sheet(ended: Ended, say: Say, fonts: tuple[str, str]) -> bytes:
    """Return the PDF; `fonts` names the plain and the bold one."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(WIDTH_MM * mm, HEIGHT_MM * mm), invariant=1)
    canvas.setTitle(f"Tenshu · {ended.table}")
    _Sheet(canvas, ended, say, fonts).draw()
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def spread(heights: Sequence[float], distance: float, low: float, high: float) -> list[float]:
    """Return heights (highest first), moved to be `distance` from each other and between `low` and `high`."""
    moved: list[float] = []
    for height in reversed(heights):
        moved.append(max(height, moved[-1] + distance if moved else low))
    return [min(height, high - distance * rank) for rank, height in enumerate(reversed(moved))]


class _Sheet:
    """Draws the sheet from the top; y points upwards, as in PDF."""

    def __init__(self, canvas: Canvas, ended: Ended, say: Say, fonts: tuple[str, str]) -> None:
        self.canvas, self.ended, self.say = canvas, ended, say
        self.plain, self.bold = fonts

    def draw(self) -> None:
        width, height = WIDTH_MM * mm, HEIGHT_MM * mm
        self.canvas.setFillColor(HexColor(signs.PAPER))
        self.canvas.rect(0, 0, width, height, stroke=0, fill=1)
        self._draw_heading(height - _MARGIN)
        map_width = 182 * mm
        self._draw_map(_MARGIN, height - 40 * mm, map_width)
        right = _MARGIN + map_width + 8 * mm
        self._draw_standings(right, height - 40 * mm, width - right - _MARGIN)
        self._draw_points_chart(_MARGIN, 14 * mm, map_width, 56 * mm)
        self._draw_memorable_battles(right, 70 * mm, width - right - _MARGIN)
        self._draw_text(width - _MARGIN, 7 * mm, "Tenshu", 8, signs.INK_2, right=True)

    def _draw_heading(self, top: float) -> None:
        game, middle = self.ended.game, WIDTH_MM * mm / 2
        winners = list(game["winners"])
        names = self._seat_names(winners)
        title = self.say("end.wins", n=len(winners), who=names) if winners else self.say("end.not_yet")
        middle += 7.5 * mm * (len(winners) % 2)  # an unpaired seal shifts the title by half its width
        seals = 15 * mm * len(winners)
        size = self._fit(title, self.bold, 26, WIDTH_MM * mm - 2 * _MARGIN - seals)
        self._draw_text(middle, top - 9 * mm, title, size, signs.INK, bold=True, centred=True)
        seal_offset = self.canvas.stringWidth(title, self.bold, size) / 2 + 9 * mm
        for rank, seat in enumerate(winners):
            side = -1 if rank % 2 == 0 else 1
            self._draw_seal(seat, middle + side * (seal_offset + (rank // 2) * 14 * mm), top - 6 * mm, 6 * mm)
        season = self.say(f"season.{game['season']}")
        facts = (
            self.ended.table,
            self.ended.date,
            self.say("round.season", season=season, year=game["year"]),
            self.say("end.throws", n=self.ended.throws),
            self.say("end.cubes", n=self.ended.cubes),
        )
        line = "  ·  ".join(facts)
        size = self._fit(line, self.plain, 11, WIDTH_MM * mm - 2 * _MARGIN)
        self._draw_text(WIDTH_MM * mm / 2, top - 18 * mm, line, size, signs.INK_2, centred=True)

    def _draw_standings(self, left: float, top: float, width: float) -> None:
        self._draw_text(left, top - 5 * mm, self.say("round.standing"), 13, signs.INK, bold=True)
        step = width * 0.6 / len(_COLUMNS)
        columns = [left + width - step * column for column in reversed(range(len(_COLUMNS)))]
        headings = [self.say(f"stand.{key}").replace(SHY, "") for key in _COLUMNS]
        widest = max(self.canvas.stringWidth(heading, self.plain, 7.5) for heading in headings)
        size = 7.5 * min(1.0, (step - 4) / widest)
        for x, heading in zip(columns, headings, strict=True):
            self._draw_text(x, top - 11 * mm, heading, size, signs.INK_2, right=True)
        for row, player in enumerate(self.ended.players):
            y = top - (18 + 9 * row) * mm
            self._draw_rule(left, y + 6 * mm, width)
            self._draw_seal(player["seat"], left + 3 * mm, y + 1.4 * mm, 2.8 * mm)
            self._draw_text(left + 8 * mm, y, self.say(f"colour.{player['seat']}"), 10, signs.INK, bold=True)
            values = [player["points"], len(player["provinces"]), player["chests"], player["rice"]]
            for x, value in zip(columns, values, strict=True):
                first = x == columns[0]
                self._draw_text(x, y, str(value), 14 if first else 10, signs.INK, bold=first, right=True)

    def _draw_memorable_battles(self, left: float, top: float, width: float) -> None:
        """Numbers of battles and revolts, and the battles worth remembering."""
        battles = self.ended.chapters.get("battles") or {}
        names = {province["id"]: province["name"] for province in self.ended.game["provinces"]}
        lines = [self.say("keepsake.fights", n=battles.get("battles", 0), revolts=battles.get("revolts", 0))]
        lines += [
            self.say(f"keepsake.{key}", fight=self._fight_text(fight, names), n=fight["cubes"])
            for key in ("largest", "closest")
            if (fight := battles.get(key))
        ]
        if often := battles.get("often"):
            lines.append(self.say("keepsake.often", province=names[often["province"]], n=often["n"]))
        self._draw_text(left, top, self.say("keepsake.title"), 13, signs.INK, bold=True)
        y = top - 6.5 * mm
        for line in lines:
            for part in self._wrap(line, 9.5, width):
                self._draw_text(left, y, part, 9.5, signs.INK)
                y -= 4.6 * mm
            y -= 1.2 * mm

    def _fight_text(self, fight: Json, names: Mapping[str, str]) -> str:
        province = names.get(fight["province"], fight["province"])
        if not fight["attacker"]:
            return self.say(
                "fight.revolt", province=province, defender=self.say(f"colour.{fight['defender']}")
            )
        return self.say("attacks", attacker=self.say(f"colour.{fight['attacker']}"), province=province)

    def _draw_points_chart(self, left: float, bottom: float, width: float, height: float) -> None:
        """Points over the game: one line per seat, each with its own dashes and its seal at the end."""
        self._draw_text(
            left,
            bottom + height,
            self.say("past.chart", what=self.say("stand.points")),
            13,
            signs.INK,
            bold=True,
        )
        seats = [player["seat"] for player in self.ended.players]
        points = {
            seat: [moment["seats"].get(seat, {}).get("points", 0) for moment in self.ended.moments]
            for seat in seats
        }
        most = max([1, *(value for line in points.values() for value in line)])
        x0, x1, y0, y1 = left + 8 * mm, left + width - 14 * mm, bottom, bottom + height - 8 * mm
        for value in (0, most):
            y = y0 + (y1 - y0) * value / most
            self._draw_rule(x0, y, x1 - x0)
            self._draw_text(x0 - 2 * mm, y - 1 * mm, str(value), 8, signs.INK_2, right=True)
        for seat in seats:
            line = points[seat]
            steps = max(1, len(line) - 1)
            path = self.canvas.beginPath()
            for step, value in enumerate(line):
                x, y = x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * value / most
                (path.lineTo if step else path.moveTo)(x, y)
            self.canvas.setStrokeColor(HexColor(signs.COLOURS[seat]))
            self.canvas.setLineWidth(1.6)
            self.canvas.setDash(list(signs.DASHES[seat]))
            self.canvas.drawPath(path)
            self.canvas.setDash([])
        end_heights = [y0 + (y1 - y0) * (points[seat][-1] if points[seat] else 0) / most for seat in seats]
        for seat, y in zip(seats, spread(end_heights, 5.6 * mm, y0, y1 + 2 * mm), strict=True):
            self._draw_seal(seat, x1 + 5 * mm, y, 2.6 * mm)

    def _draw_map(self, left: float, top: float, width: float) -> None:
        japan, canvas = _map_data(), self.canvas
        scale = width / japan["width"]
        canvas.saveState()
        canvas.translate(left, top)
        canvas.scale(scale, -scale)
        frame = canvas.beginPath()
        frame.rect(0, 0, japan["width"], japan["height"])
        canvas.clipPath(frame, stroke=0, fill=0)
        canvas.setFillColor(HexColor(signs.SEA))
        canvas.rect(0, 0, japan["width"], japan["height"], stroke=0, fill=1)
        provinces = {province["id"]: province for province in self.ended.game["provinces"]}
        for islet in japan["islets"]:
            self._draw_path(islet, signs.OUT, signs.SHORE, 3)
        for key, shape in japan["provinces"].items():
            tint = signs.REGIONS[provinces[key]["region"]] if key in provinces else signs.OUT
            self._draw_path(shape["path"], tint, None, 0)
        for key, shape in japan["provinces"].items():
            owner = provinces.get(key, {}).get("owner")
            if owner:
                self._draw_owner_band(shape["path"], signs.COLOURS[owner])
        for border in japan["borders"]:
            self._draw_path(border["path"], None, signs.BORDER, 3.4)
        self._draw_path(japan["lake"], signs.SEA, signs.BORDER, 2)
        self._draw_path(japan["coast"], None, signs.SHORE, 5)
        canvas.setDash([15, 12])
        for route in japan["sea"]:
            self._draw_path(route["path"], None, signs.ROUTE, 6)
        canvas.setDash([])
        for key, province in provinces.items():
            self._draw_province(province, japan["provinces"][key])
        canvas.restoreState()

    def _draw_owner_band(self, d: str, colour: str) -> None:
        """Draw a band along the inside of the border."""
        self.canvas.saveState()
        clip = self.canvas.beginPath()
        trace(clip, d)
        self.canvas.clipPath(clip, stroke=0, fill=0)
        self._draw_path(d, None, colour, 22)
        self.canvas.restoreState()

    def _draw_province(self, province: Json, shape: Json) -> None:
        """Draw name, owner's seal, armies, buildings and revolts, upright although the map's y is flipped."""
        canvas = self.canvas
        sign_names = [*province["buildings"], *["revolt"] * province["markers"]]
        canvas.saveState()
        canvas.translate(shape["x"], shape["y"])
        canvas.scale(1, -1)
        name_y = 26 if sign_names else 10
        self._draw_text(0, name_y, province["name"], 27, signs.INK, bold=True, centred=True)
        if province["owner"]:
            self._draw_seal(province["owner"], -20, name_y - 26, 18)
            self._draw_text(6, name_y - 37, str(province["armies"]), 34, signs.INK, bold=True)
        canvas.scale(1, -1)
        for index, name in enumerate(sign_names):
            canvas.saveState()
            canvas.translate((index - (len(sign_names) - 1) / 2) * 38, 68 - name_y)
            canvas.setFillColor(HexColor(signs.PAPER))
            canvas.setStrokeColor(HexColor(signs.ROUTE if name == "revolt" else signs.INK))
            canvas.setLineWidth(2)
            canvas.circle(0, 0, 19, stroke=1, fill=1)
            canvas.scale(0.8, 0.8)
            sign = signs.REVOLT if name == "revolt" else signs.BUILDINGS[name]
            self._draw_path(sign, signs.ROUTE if name == "revolt" else signs.INK, None, 0)
            canvas.restoreState()
        canvas.restoreState()

    def _draw_seal(self, seat: str, x: float, y: float, radius: float) -> None:
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
            self._draw_path(signs.MARKS[seat], mark, None, 0)
        else:
            canvas.setFillColor(HexColor(mark))
            canvas.circle(0, 0, 5, stroke=0, fill=1)
        canvas.restoreState()

    def _draw_path(self, d: str, fill: str | None, stroke: str | None, line: float) -> None:
        path = self.canvas.beginPath()
        trace(path, d)
        if fill:
            self.canvas.setFillColor(HexColor(fill))
        if stroke:
            self.canvas.setStrokeColor(HexColor(stroke))
            self.canvas.setLineWidth(line)
        self.canvas.drawPath(path, stroke=int(bool(stroke)), fill=int(bool(fill)), fillMode=0)

    def _draw_rule(self, x: float, y: float, width: float) -> None:
        self.canvas.setStrokeColor(HexColor(signs.LINE))
        self.canvas.setLineWidth(0.7)
        self.canvas.line(x, y, x + width, y)

    def _draw_text(self, x: float, y: float, text: str, size: float, colour: str, **how: Any) -> None:
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

    def _fit(self, text: str, font: str, size: float, width: float) -> float:
        """Return the size, in points, or a smaller one in which the text is no wider than `width`."""
        needed = self.canvas.stringWidth(text.replace(SHY, ""), font, size)
        return size * min(1.0, width / needed) if needed else size

    def _wrap(self, text: str, size: float, width: float) -> list[str]:
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.canvas.stringWidth(longer, self.plain, size) <= width or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _seat_names(self, seats: Sequence[str]) -> str:
        return ", ".join(self.say(f"colour.{seat}") for seat in seats)


@cache
def _map_data() -> Json:
    loaded: Json = json.loads(_MAP.read_text(encoding="utf-8"))
    return loaded
