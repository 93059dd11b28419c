"""What the guided calibration says: English sentences that carry the key by which a page translates them."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from vision.scene.trouble import Trouble

Params: TypeAlias = Mapping[str, object]

LINES: Mapping[str, str] = {
    "empty": "Point the camera at the empty tray so that its whole rim shows.",
    "cubes": "Put {n} {colour} cubes into the tray, apart from each other, and nothing else.",
    "test": "Now the test: take a handful of cubes of all colours and throw them through the tower.",
    "mat_seen": "The mat shows {n} of 4 markers; the tray is in its middle.",
    "size_right": (
        "The floor of the tray seems to be {width} × {depth} mm. Is that right, to half a centimetre?"
    ),
    "other_size": "The tray has another size than it seems.",
    "say_size": "Begin again and say width and depth of its floor.",
    "belongs": (
        "Something seems to cover a part of the empty tray. "
        "Will it always be there, as the foot of a tower is?"
    ),
    "covered": "Something covers the tray.",
    "is_empty": "Cubes seem to lie in the tray: {n}. Is it really empty?",
    "not_empty": "Cubes lie in the tray that should be empty: {n}.",
    "take_away": "Take out of the picture what does not always belong there, and all cubes out of the tray.",
    "outline_right": "No mat is seen. Does the yellow line in the picture follow the floor of the tray?",
    "draw_floor": "Neither mat nor tray is found. Draw where the floor of the tray is.",
    "no_floor": (
        "That is no floor: its sides cross, it is too small or too narrow, or its middle is not in "
        "the picture. Draw it once more."
    ),
    "dark_room": "It is dark here. A lamp near the tray makes readings surer.",
    "tray_cut": "The tray is not wholly in the picture: point the camera so that the whole rim shows.",
    "dark_tray": "The tray is dark: lay a light inlay into it, or black cubes will hardly be seen.",
    "like_floor": "The tray’s floor looks like one of the cubes’ colours: lay a light inlay into it, "
    "or such cubes will hardly be seen.",
    "not_there": "There is no picture of {colour} cubes: this colour is left out.",
    "without": "Go on without {colour}? If not, it is tried again.",
    "going_on": "Going on without {colour}.",
    "none_seen": "No {colour} cube was seen in the tray. Put some there, apart from each other, "
    "and take your hand away.",
    "black_unseen": "Black cubes cannot be seen in this dark tray. Lay the light inlay into it "
    "and calibrate again, or count black by hand.",
    "fewer": "{n} {colour} cubes are seen apart from each other. Are there {n}?",
    "unmoved": "The cubes lie where the {other} ones lay, and look like them. Are they really {colour}?",
    "seen": "{n} {colour} cubes are seen.",
    "is_right": "Seen: {counts}. Is that right?",
    "all_well": "All is well: {counts}, and certain of it.",
    "right_asked": "Right, but it would have asked. {doubts}",
    "not_right": "Not right yet. {doubts}",
    "throw_again": "Throw once more for the test? What was taught stays.",
    "left_out": "Not taught: {colours}. Calibrate again before such cubes come into play.",
    "not_thrown": "Taught, but not in the test throw: {colours}. Nobody has seen yet whether it knows them.",
    "keep": "Keep it all the same",
    "no_step_picture": "The picture of this step could not be written; the calibration goes on without it. "
    "Make room on the disk before its end, or let Tenshu write there.",
    "not_written": "The profile could not be written on the disk of Tenshu’s computer. "
    "Make room there, or let Tenshu write there, then keep it.",
    "keep_again": "Try again to keep it",
    "no_test": "The test throw was left out: nobody has seen whether it is read right.",
    "two_to_eight": "Two to eight colours can be told apart.",
    "named_twice": "A colour is named twice.",
    "no_colours": "“empty” and “test” are steps of the calibration, and no names of colours.",
    "name_them": "Name two to eight different colours, as in: red, blue, green.",
    "no_cube_at_all": "No cube of any colour was seen.",
    "see_doctor": (
        "See to light and camera: a lamp near the tray, its whole rim in the picture, the picture sharp."
    ),
    "no_tray_no_mat": "Neither tray nor mat was found.",
    "lay_mat": "Lay the mat under the tray.",
    "not_the_tray": "The tray was not found.",
    "mat_for_now": "Lay the mat under it for the calibration; later it can go.",
    "turned": (
        "The picture has another shape than that of the empty tray. Turn the camera back to how it was."
    ),
    "look_again": "Look once more",
    "same_lens": "That profile knows the lens of its camera. Is it still the same camera with the same lens?",
    "replace": "A profile “{name}” is kept already. Replace it with this calibration?",
    "stays": "The profile “{name}” stays as it is.",
    "other_name": "Begin again with another name.",
    "keep_still": "The table does not come to rest. Keep hands and lamp still for a moment.",
}
"""Each is `calibrate.<key>` in the pages' messages."""

AT_TERMINAL: Mapping[str, str] = {
    "say_size": "Say them with --inner 170x170.",
    "dark_tray": "`tenshu mat --inlay` prints one.",
    "like_floor": "`tenshu mat --inlay` prints one.",
    "black_unseen": "`tenshu mat --inlay` prints the inlay.",
    "lay_mat": "`tenshu mat` prints it. Or draw the outline on the page Calibrate of `tenshu serve`.",
    "mat_for_now": "`tenshu mat` prints it. Or draw the outline on the page Calibrate of `tenshu serve`.",
    "other_name": "Give it with --name.",
    "see_doctor": "`tenshu doctor` says how they are.",
}
"""What follows a sentence where no page stands beside it with fields and links."""


class Line(str):
    """One sentence, complete in English; `key` and `params` are for pages; without a dot it is of `LINES`."""

    __slots__ = ("key", "params")

    key: str
    params: Params


def line(key: str, words: Params | None = None, **params: object) -> Line:
    """The sentence of a key; `words` overrides how parameters are written in English."""
    written = {name: _written(value) for name, value in params.items()}
    told = LINES[key].format(**{**written, **(words or {})})
    said = Line(f"{told.strip()} {AT_TERMINAL.get(key, '')}".strip())
    said.key, said.params = key, params
    return said


def of_trouble(trouble: Trouble) -> Line:
    """What ails a picture, as pages say it everywhere."""
    said = Line(f"{trouble.sentence} {trouble.remedy}")
    said.key, said.params = f"trouble.{trouble.name.lower()}", {}
    return said


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{number} {colour}" for colour, number in value.items() if number) or "no cube"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(str(one) for one in value)
    return str(value)
