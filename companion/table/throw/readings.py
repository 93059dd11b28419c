"""A reading as JSON for pages and the log: converted once, here."""

from typing import Any

from vision.advice import ADVICE
from vision.reading import Doubt, OpenPlace, TrayReading

Json = dict[str, Any]


def reading_json(reading: TrayReading, doubts: tuple[Doubt, ...]) -> Json:
    """Return counts, doubts with their sentences, and outlines in pixels of the picture that was read."""
    needs_person = bool(doubts) or not reading.certain
    return {
        "counts": dict(reading.counts),
        "certain": not needs_person,
        "doubts": [
            {"key": str(doubt), "sentence": ADVICE[doubt].sentence, "remedy": ADVICE[doubt].remedy}
            for doubt in doubts
        ],
        "confidence": {colour: round(value, 3) for colour, value in reading.confidence.items()},
        "cubes": [
            {
                "colour": cube.colour,
                "outline": [_point_json(point) for point in cube.outline_px],
                "centre": _point_json(cube.centre_px),
                "confidence": round(cube.confidence, 3),
            }
            for cube in reading.cubes
        ],
        "open": [_open_place_json(place) for place in reading.open_places] if needs_person else [],
        "tray": [_point_json(point) for point in reading.tray_outline_px],
        "size": list(reading.size_px),
        "mat_seen": reading.mat_seen,
    }


def _open_place_json(place: OpenPlace) -> Json:
    """Return where to look and what may be there; null stands for no cube."""
    return {
        "centre": _point_json(place.centre_px),
        "edge": round(place.edge_px, 1),
        "under": place.under,
        "counted": place.counted or None,
        "answers": [
            {"colour": colour or None, "probability": round(chance, 3)} for colour, chance in place.answers
        ],
    }


def _point_json(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]
