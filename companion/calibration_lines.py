"""What the guided calibration says: English sentences that carry the key under which pages translate them."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from vision.scene.trouble import Trouble

Params: TypeAlias = Mapping[str, object]

LINES: Mapping[str, str | Mapping[str, str]] = {
    "empty": "Point the camera at the empty tray so that its whole rim shows.",
    "cubes": "Put {n} {colour} cubes into the tray, apart from each other, and nothing else.",
    "test": "Now the test: take a handful of cubes of all colours and throw them through the tower.",
    "mat_seen": "The mat shows {n} of 4 markers; the tray is in its middle.",
    "size_right": (
        "The floor of the tray seems to be {width} × {depth} mm. Is that right, to half a centimetre?"
    ),
    "other_size": "The tray is not the size that it seems.",
    "say_size": "Begin again and enter the width and depth of its floor.",
    "belongs": (
        "Something seems to cover part of the empty tray. Will it always be there, like the foot of a tower?"
    ),
    "covered": "Something covers the tray.",
    "is_empty": "There seem to be cubes in the tray: {n}. Is it really empty?",
    "not_empty": "There are cubes in the tray that should be empty: {n}.",
    "take_away": "Take everything out of the picture that does not always belong there, and all cubes "
    "out of the tray.",
    "outline_right": "No mat in view. Does the yellow line in the picture follow the floor of the tray?",
    "draw_floor": "Neither mat nor tray was found. Draw where the floor of the tray is.",
    "no_floor": (
        "That cannot be the floor: its sides cross, it is too small or too narrow, or its middle is "
        "not in the picture. Draw it again."
    ),
    "dark_room": "It is dark here. A lamp near the tray makes readings more reliable.",
    "tray_cut": "Part of the tray is outside the picture: point the camera so that the whole rim shows.",
    "dark_tray": "The tray is dark: put a light inlay in it, or black cubes will be hard to see.",
    "like_floor": "The tray’s floor looks like one of the cubes’ colours: put a light inlay in it, or "
    "such cubes will be hard to see.",
    "not_there": "There is no picture of {colour} cubes: this colour is left out.",
    "without": "Go on without {colour}? If not, you can try it again.",
    "going_on": "Going on without {colour}.",
    "none_seen": "No {colour} cube was seen in the tray. Put some there, apart from each other, "
    "and take your hand away.",
    "black_unseen": "Black cubes cannot be seen in this dark tray. Put the light inlay in it and "
    "calibrate again, or count black by hand.",
    "fewer": {
        "one": "{n} separate {colour} cube is seen. Is there only {n}?",
        "other": "{n} separate {colour} cubes are seen. Are there {n}?",
    },
    "unmoved": "The cubes are where the {other} ones were, and look like them. Are they really {colour}?",
    "seen": "{n} {colour} cubes are seen.",
    "is_right": "Seen: {counts}. Is that right?",
    "all_well": "All is well: {counts}, and it is certain.",
    "right_asked": "Right, but it would have asked. {doubts}",
    "not_right": "Not right yet. {doubts}",
    "throw_again": "Do another test throw? What was taught is kept.",
    "left_out": "Not taught: {colours}. Calibrate again before such cubes come into play.",
    "not_thrown": "Taught, but not in the test throw: {colours}. It is not known yet whether they are "
    "recognised.",
    "keep": "Save it anyway",
    "no_step_picture": "The picture of this step could not be saved; the calibration goes on without "
    "it. Before the end, free some disk space or let Tenshu write there.",
    "not_written": "The profile could not be saved on Tenshu’s computer. Free some disk space there or "
    "let Tenshu write there, then save it.",
    "keep_again": "Try saving again",
    "no_test": "There was no test throw, so it is not known whether throws are read correctly.",
    "two_to_eight": "Two to eight colours can be told apart.",
    "named_twice": "A colour is named twice.",
    "no_colours": "“empty” and “test” are steps of the calibration, not names of colours.",
    "name_them": "Name two to eight different colours, such as: red, blue, green.",
    "no_cube_at_all": "No cube of any colour was seen.",
    "see_doctor": (
        "Check light and camera: a lamp near the tray, its whole rim in the picture, the picture sharp."
    ),
    "no_tray_no_mat": "Neither tray nor mat was found.",
    "lay_mat": "Lay the mat under the tray.",
    "not_the_tray": "The tray was not found.",
    "mat_for_now": "Lay the mat under it for the calibration; you can take it away afterwards.",
    "turned": (
        "The picture is not the same shape as that of the empty tray. Turn the camera back to how it was."
    ),
    "look_again": "Look again",
    "same_lens": "That profile knows the lens of its camera. Is this still the same camera with the "
    "same lens?",
    "replace": "There is already a profile “{name}”. Replace it with this calibration?",
    "stays": "The profile “{name}” stays as it is.",
    "other_name": "Begin again with another name.",
    "keep_still": "The table does not come to rest. Keep hands and lamp still for a moment.",
}
"""Each sentence, or its forms by the number `n`, is `calibrate.<key>` in the pages' messages."""

AT_TERMINAL: Mapping[str, str] = {
    "say_size": "Say them with --inner 170x170.",
    "dark_tray": "`tenshu mat --inlay` prints one.",
    "like_floor": "`tenshu mat --inlay` prints one.",
    "black_unseen": "`tenshu mat --inlay` prints the inlay.",
    "lay_mat": "`tenshu mat` prints it. Or draw the outline on the Calibrate page of `tenshu serve`.",
    "mat_for_now": "`tenshu mat` prints it. Or draw the outline on the Calibrate page of `tenshu serve`.",
    "other_name": "Give it with --name.",
    "see_doctor": "`tenshu doctor` says how they are.",
}
"""Additions for the terminal, which has no fields and links beside the sentence."""


class Line(str):
    """One complete English sentence; pages use `key` and `params`. A key without a dot is one of `LINES`."""

    __slots__ = ("key", "params")

    key: str
    params: Params


def line(key: str, words: Params | None = None, **params: object) -> Line:
    """Return the sentence of a key; `words` overrides how parameters are written in English."""
    written = {name: _as_text(value) for name, value in params.items()}
    message = LINES[key]
    form = message if isinstance(message, str) else message["one" if params["n"] == 1 else "other"]
    english = form.format(**{**written, **(words or {})})
    result = Line(f"{english.strip()} {AT_TERMINAL.get(key, '')}".strip())
    result.key, result.params = key, params
    return result


def trouble_line(trouble: Trouble) -> Line:
    """Return the trouble with a picture, under the same key as on all pages."""
    result = Line(f"{trouble.sentence} {trouble.remedy}")
    result.key, result.params = f"trouble.{trouble.name.lower()}", {}
    return result


def _as_text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{number} {colour}" for colour, number in value.items() if number) or "no cube"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(str(item) for item in value)
    return str(value)
