"""A reading as JSON for pages and the log: converted once, here."""

from typing import Any

from vision.advice import ADVICE
from vision.reading import Doubt, TrayReading

Json = dict[str, Any]


def reading_json(reading: TrayReading, doubts: tuple[Doubt, ...]) -> Json:
    """Counts, doubts with their sentences, and outlines in pixels of the picture that was read."""
    return {
        "counts": dict(reading.counts),
        "certain": reading.certain and not doubts,
        "doubts": [
            {"key": str(doubt), "sentence": ADVICE[doubt].sentence, "remedy": ADVICE[doubt].remedy}
            for doubt in doubts
        ],
        "confidence": {colour: round(value, 3) for colour, value in reading.confidence.items()},
        "cubes": [
            {
                "colour": cube.colour,
                "outline": [_point(point) for point in cube.outline_px],
                "centre": _point(cube.centre_px),
                "confidence": round(cube.confidence, 3),
            }
            for cube in reading.cubes
        ],
        "tray": [_point(point) for point in reading.tray_outline_px],
        "size": list(reading.size_px),
        "mat_seen": reading.mat_seen,
    }


def _point(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]
