"""What a doubt means to a person at the table: a sentence and a remedy each, translated on pages by key."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from vision.reading import Doubt


@dataclass(frozen=True, slots=True)
class Advice:
    """What is wrong and what the person can do about it."""

    sentence: str
    remedy: str


class Advised(Enum):
    """A closed set whose values are `Advice`: a page translates the name, the value says it in English."""

    @property
    def sentence(self) -> str:
        """What is wrong."""
        return str(self.value.sentence)

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return str(self.value.remedy)


ADVICE: Mapping[Doubt, Advice] = {
    Doubt.NO_TRAY: Advice(
        "There is no tray in the picture.",
        "Point the camera at the tray so that its whole rim shows; if it is still not found, draw it "
        "on the Calibrate page.",
    ),
    Doubt.TRAY_CUT: Advice(
        "Part of the tray is outside the picture, and cubes there are not seen.",
        "Point the camera so that the tray's whole rim shows.",
    ),
    Doubt.NO_MAT: Advice(
        "The printed mat is not in the picture.", "Print it with `tenshu mat` and lay it under the tray."
    ),
    Doubt.TOO_DARK: Advice("The picture is too dark.", "Turn on a lamp near the tray."),
    Doubt.TOO_BRIGHT: Advice(
        "The picture is too bright.", "Turn the lamp aside or lower the camera's exposure."
    ),
    Doubt.GLARE: Advice(
        "A lamp's reflection may hide a cube, or look like one.", "Turn the lamp aside, or check that spot."
    ),
    Doubt.BLURRED: Advice("The picture is blurred.", "Steady the camera and focus it on the tray."),
    Doubt.BROKEN: Advice(
        "The picture is broken: rows are missing.", "Check the camera's cable or its network."
    ),
    Doubt.VEILED: Advice(
        "The whole picture is hazy, and black looks grey.",
        "Keep lamp and window out of the camera's view, and wipe its lens.",
    ),
    Doubt.FALSE_COLOURS: Advice(
        "These are not the colours cubes usually have: swapped, missing, in coloured light, or other dyes.",
        "Count by eye; with the mat in the picture `tenshu doctor` says which it is, and `tenshu "
        "calibrate` teaches your cubes.",
    ),
    Doubt.HAND: Advice(
        "A hand, a sleeve or something else covers the tray.",
        "Take it away; if it belongs there, calibrate the table with it (`tenshu calibrate`).",
    ),
    Doubt.MAT_COVERED: Advice("The mat is covered.", "Clear its markers and colour patches."),
    Doubt.BLACK_ON_BLACK: Advice(
        "Black cubes are easily missed in the black tray.",
        "Put the light inlay in the tray (`tenshu mat --inlay`), or count the black cubes.",
    ),
    Doubt.VIVID_FLOOR: Advice(
        "The tray's floor is colourful: without the mat there is no telling how much of that is the lamp.",
        "Lay the mat under the tray (`tenshu mat`), calibrate the table, or count the cubes.",
    ),
    Doubt.LIKE_FLOOR: Advice(
        "The tray's floor looks like one of the cubes' colours: such cubes are easily missed.",
        "Put the light inlay in the tray (`tenshu mat --inlay`), or count the cubes of that colour.",
    ),
    Doubt.ON_RIM: Advice("A cube is on the rim.", "Push it into the tray."),
    Doubt.STACKED: Advice("Cubes are on top of each other.", "Spread them out."),
    Doubt.CROWDED: Advice("The cubes are too close together to be told apart.", "Spread them out."),
    Doubt.UNCLEAR_COLOUR: Advice(
        "The colour of a cube is unclear.", "Look at the marked cube and say its colour."
    ),
    Doubt.UNTAUGHT_COLOUR: Advice(
        "A cube of a colour that was not taught may lie there, and is counted as another or not at all.",
        "Count by eye; `tenshu calibrate` teaches your cubes.",
    ),
    Doubt.UNCLEAR_COUNT: Advice("The number of cubes is unclear.", "Count the marked heap."),
    Doubt.FRAMES_DIFFER: Advice("Pictures of the same tray were read differently.", "Count the tray by eye."),
    Doubt.NOT_IN_TOWER: Advice(
        "More cubes of a colour were seen than can have been in the tower.",
        "Check the count, or say that the tower was opened.",
    ),
    Doubt.WEIGHT_DIFFERS: Advice(
        "The weight of the tray does not match the cubes seen.",
        "Look for a cube under another, or beside the tray.",
    ),
    Doubt.TRAY_MOVED: Advice(
        "The tray is not where it belongs.",
        "Put it in the middle of the mat, or where it was calibrated.",
    ),
    Doubt.LAY_THERE: Advice(
        "This may have been there before the throw.", "If it was thrown, confirm it; if not, throw now."
    ),
    Doubt.TAKEN_OUT: Advice(
        "There is less in the tray than when it was first read.", "Count what was taken out, too."
    ),
    Doubt.EMPTY: Advice("The tray is empty.", "Throw now, or say that nothing came out."),
}
