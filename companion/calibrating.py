"""The guided calibration, step by step; terminal and browser provide its pictures and dialogue."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from calibration.profiles.learn import learn
from calibration.profiles.lens import SeenLens
from calibration.profiles.new_cubes import NewCubes, find_new_cubes
from calibration.profiles.profile import Profile, ProfileError
from calibration.profiles.scene import inspect_scene
from calibration.profiles.taught import reader_of
from companion.calibration_lines import Line, line, trouble_line
from companion.overlays import draw_outlines
from vision.advice import ADVICE
from vision.doubting.floor import colours_of
from vision.errors import PictureMissingError
from vision.overlay import draw_reading
from vision.palette import SHOGUN
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import TrayReading
from vision.scene.covered import is_covered
from vision.scene.cut import is_cut
from vision.scene.drawn import DrawnOutline
from vision.scene.light import guess_light
from vision.scene.rectify import KnownTable, Rectified, lay_flat, outline_px, rectify
from vision.scene.straight import Straightener
from vision.scene.tray import Tray, drawn_of, tray_drawn
from vision.scene.trouble import Trouble, picture_trouble
from vision.shown import COUNTED_PRESENCE

COLOURS = ("red", "blue", "black", "yellow", "purple", "green")
CUBES_A_COLOUR = 5
_NO_COLOURS = frozenset({"empty", "test"})
"""Names of other steps, which therefore cannot be colours."""
_COLOURLESS = frozenset({"black", "white", "grey"})
"""Cubes that show no colour, as a grey table shows none."""
_TRIES = 3
_UNMOVED_SHARE = 0.003
"""Share of the picture's width: nobody lays all cubes this close to where the previous ones were."""
_SAME_DYE_LEVELS = 10.0
"""Largest difference of the median colour in levels, per channel, for cubes that look the same."""


class Table(Protocol):
    """The table and the person at it, as the calibration sees them."""

    @property
    def lays(self) -> bool:
        """Whether somebody can lay something else, so that a step's picture can be taken again."""

    def say(self, text: Line) -> None:
        """Tell the person something."""

    def ready(self, text: Line) -> None:
        """Tell the person what to do and wait until it is done."""

    def agrees(self, text: Line) -> bool:
        """Ask a question that is answered with yes or no."""

    def picture(self, step: str) -> Picture:
        """Return a picture of the settled table."""

    def show(self, step: str, picture: Picture) -> None:
        """Show the person what was seen at this step."""

    def floor(self, picture: Picture, found: Tray | None) -> DrawnOutline | None:
        """Ask where the tray's floor is: return what was found, what the person draws instead, or None."""


class Reader(Protocol):
    """Something that counts cubes."""

    def read(self, picture: Picture) -> TrayReading:
        """Read one picture."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What to calibrate."""

    name: str
    made: str
    colours: Sequence[str] = COLOURS
    cube_mm: float | None = None
    inner_mm: tuple[float, float] | None = None
    """Inner width and depth of the tray in mm; None for the usual tray."""
    lens: SeenLens | None = None
    replaces: bool = False
    """Whether a profile with this name exists already."""
    lens_before: SeenLens | None = None
    """The lens of that profile."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of the test throw."""

    profile: Profile
    right: bool
    text: Line
    notes: tuple[Line, ...] = ()
    """Remarks that `text` does not cover."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """The empty tray, with which each colour's picture is compared."""

    picture: Picture
    tray: Tray
    dark: bool
    """Whether black cubes would hardly show in it."""


@dataclass(frozen=True, slots=True)
class _ShownCubes:
    """The cubes of one colour as the person laid them."""

    colour: str
    picture: Picture
    seen: NewCubes


def calibrate(table: Table, wish: Wish, teach: Callable[[Profile], Reader] | None = None) -> Verdict:
    """Run the whole calibration: empty tray, each colour, test throw. Raise `ProfileError` if it fails."""
    _require_colours(wish.colours)
    _require_name(table, wish)
    if wish.lens is None and wish.lens_before is not None and table.agrees(line("same_lens")):
        wish = replace(wish, lens=wish.lens_before)
    ground = _capture_ground(table, wish)
    shown: dict[str, _ShownCubes] = {}
    for colour in wish.colours:
        found = _capture_colour(table, wish, ground, colour, next(reversed(shown.values()), None))
        if found is not None:
            shown[colour] = found
    if not shown:
        raise ProfileError(line("no_cube_at_all"), line("see_doctor"))
    cubes = {colour: [shown_cubes.picture] for colour, shown_cubes in shown.items()}
    profile = learn(ground.picture, ground.tray, cubes, name=wish.name, made=wish.made, cube_mm=wish.cube_mm)
    profile = replace(profile, lens=wish.lens.scaled_to(profile.size_px) if wish.lens else None)
    verdict = _test_until_right(table, (teach or reader_of)(profile), profile)
    left_out = [colour for colour in wish.colours if colour not in cubes]
    notes = _colour_notes("left_out", left_out)
    return replace(verdict, notes=(*notes, *verdict.notes))


def _straighten(wish: Wish, picture: Picture) -> Picture:
    if wish.lens is None:
        return picture
    size_px = (picture.shape[1], picture.shape[0])
    lens = wish.lens.scaled_to(size_px)
    return Straightener(lens.matrix, lens.distortion, size_px).picture(picture)


def _require_colours(colours: Sequence[str]) -> None:
    if not 2 <= len(set(colours)) <= 8:
        raise ProfileError(line("two_to_eight"), line("name_them"))
    if len(set(colours)) < len(colours):
        raise ProfileError(line("named_twice"), line("name_them"))
    if not set(colours).isdisjoint(_NO_COLOURS):
        raise ProfileError(line("no_colours"), line("name_them"))


def _require_name(table: Table, wish: Wish) -> None:
    """Ask before an existing profile is replaced."""
    if wish.replaces and not table.agrees(line("replace", name=wish.name)):
        raise ProfileError(line("stays", name=wish.name), line("other_name"))


def _capture_ground(table: Table, wish: Wish) -> _Ground:
    """Return the empty tray, asking again if something lies there that would be learned as floor."""
    table.ready(line("empty"))
    tries = _TRIES if table.lays else 1
    while True:
        empty = _straighten(wish, table.picture("empty"))
        flat = _rectify_tray(table, empty, wish)
        problem = _find_problem(table, empty, flat, wish.inner_mm)
        if problem is None:
            return _Ground(empty, flat.tray, inspect_scene(empty).dark_tray)
        tries -= 1
        if not tries:
            raise problem
        table.ready(line("take_away"))


def _find_problem(
    table: Table, empty: Picture, flat: Rectified, inner_mm: tuple[float, float] | None
) -> ProfileError | None:
    """Return an error for cubes in the tray or something covering it, unless the person knows better."""
    cubes_seen = _count_cubes(empty, flat, inner_mm)
    if cubes_seen and not (table.lays and table.agrees(line("is_empty", n=cubes_seen))):
        return ProfileError(line("not_empty", n=cubes_seen), line("take_away"))
    if is_covered(empty, flat.tray, flat.light) and not table.agrees(line("belongs")):
        return ProfileError(line("covered"), line("take_away"))
    return None


def _count_cubes(empty: Picture, flat: Rectified, inner_mm: tuple[float, float] | None) -> int:
    """Return how many cubes are clearly seen."""
    known = KnownTable(flat.tray, flat.light, flat.size_px) if flat.known else None
    found = TrayReader(inner_mm=inner_mm, known=known).find(empty)
    return (
        0 if found is None else sum(candidate.presence >= COUNTED_PRESENCE for candidate in found.candidates)
    )


def _rectify_tray(table: Table, empty: Picture, wish: Wish) -> Rectified:
    scene = inspect_scene(empty)
    trouble = picture_trouble(empty, len(scene.markers_px))
    if trouble is Trouble.NO_COLOUR:  # or a grey table: the first colour tells
        table.say(trouble_line(trouble))
    elif trouble is not None:
        raise ProfileError(trouble.sentence, trouble.remedy)
    flat = rectify(empty, wish.inner_mm)
    if flat is not None and flat.mat_seen:
        table.show("empty", draw_outlines(empty, outline_px(flat.tray)))
        table.say(line("mat_seen", n=len(scene.markers_px)))
        _confirm_size(table, flat.tray)
    else:
        flat = _ask_for_floor(table, empty, wish, flat)
    if is_cut(flat.tray, flat.size_px, mat_seen=flat.mat_seen):
        table.say(line("tray_cut"))
    if scene.too_dark:
        table.say(line("dark_room"))
    if scene.dark_tray:
        table.say(line("dark_tray"))
    if flat.mat_seen and not set(wish.colours).isdisjoint(colours_of(flat, SHOGUN, lit=True)):
        table.say(line("like_floor"))
    return flat


def _ask_for_floor(table: Table, empty: Picture, wish: Wish, found: Rectified | None) -> Rectified:
    """Ask where the floor is if the tray is only guessed or was not found."""
    size_px = (empty.shape[1], empty.shape[0])
    while True:
        drawn = table.floor(empty, None if found is None else found.tray)
        if drawn is None and found is None:
            raise ProfileError(line("no_tray_no_mat"), line("lay_mat"))
        if drawn is None:
            raise ProfileError(line("not_the_tray"), line("mat_for_now"))
        flat = found
        if found is None or drawn != drawn_of(found.tray, size_px):
            tray = tray_drawn(drawn, size_px, wish.inner_mm)
            flat = None if tray is None else lay_flat(empty, tray, guess_light(empty))
        if flat is not None:
            table.show("empty", draw_outlines(empty, outline_px(flat.tray)))
            return flat
        table.say(line("no_floor"))


def _confirm_size(table: Table, tray: Tray) -> None:
    """Ask about a measured size, but not about the usual one or one the person gave."""
    width, depth = (round(side) for side in tray.inner_mm)
    if tray.edge_mm and not table.agrees(line("size_right", width=width, depth=depth)):
        raise ProfileError(line("other_size"), line("say_size"))


def _capture_colour(
    table: Table, wish: Wish, ground: _Ground, colour: str, before: _ShownCubes | None
) -> _ShownCubes | None:
    """Return the cubes of a colour, or None if the person goes on without it."""
    while True:
        for _ in range(_TRIES if table.lays else 1):
            table.ready(line("cubes", n=CUBES_A_COLOUR, colour=colour))
            try:
                picture = _straighten(wish, table.picture(colour))
            except PictureMissingError:
                table.say(line("not_there", colour=colour))
                return None
            shown = _find_shown_cubes(table, ground, colour, picture, before)
            if shown is not None:
                return shown
        if not table.lays or table.agrees(line("without", colour=colour)):
            table.say(line("going_on", colour=colour))
            return None


def _find_shown_cubes(
    table: Table, ground: _Ground, colour: str, picture: Picture, before: _ShownCubes | None
) -> _ShownCubes | None:
    """Return what a picture shows of a colour, or None, having said why, if another is needed."""
    if picture.shape != ground.picture.shape:  # somebody turned the phone
        table.say(line("turned"))
        return None
    trouble = picture_trouble(picture)
    is_colourless = trouble is Trouble.NO_COLOUR and colour in _COLOURLESS
    if trouble is not None and not is_colourless:  # with night mode on, a grey dye would be learned
        table.say(trouble_line(trouble))
        return None
    new = find_new_cubes(ground.picture, picture, ground.tray)
    table.show(colour, draw_outlines(picture, outline_px(ground.tray), new.places_px))
    is_accepted = _are_new_cubes(table, new, colour, before) and _accept_cubes(
        table, new, colour, ground.dark
    )
    return _ShownCubes(colour, picture, new) if is_accepted else None


def _are_new_cubes(table: Table, new: NewCubes, colour: str, before: _ShownCubes | None) -> bool:
    """Return whether these are not the previous step's cubes (a tap may come before new ones are laid)."""
    if before is None or not _are_unmoved(new, before):
        return True
    return table.agrees(line("unmoved", other=before.colour, colour=colour))


def _are_unmoved(new: NewCubes, before: _ShownCubes) -> bool:
    """Return whether all cubes lie where the previous ones did, and look like them."""
    if not new.number or new.number != before.seen.number:
        return False
    places, places_before = (np.array(cubes.places_px) for cubes in (new, before.seen))
    moved_px = np.linalg.norm(places[:, None] - places_before, axis=-1).min(axis=1).max()
    dye, dye_before = (np.median(cubes.pixels_bgr, axis=0) for cubes in (new, before.seen))
    return bool(
        moved_px < _UNMOVED_SHARE * before.picture.shape[1]
        and np.abs(dye - dye_before).max() < _SAME_DYE_LEVELS
    )


def _accept_cubes(table: Table, new: NewCubes, colour: str, dark_tray: bool) -> bool:
    if new.number == 0:
        unseen = "black_unseen" if dark_tray and colour == "black" else "none_seen"
        table.say(line(unseen, colour=colour))
        return False
    if new.number != CUBES_A_COLOUR:
        return table.agrees(line("fewer", n=new.number, colour=colour))
    table.say(line("seen", n=new.number, colour=colour))
    return True


def _test_until_right(table: Table, reader: Reader, profile: Profile) -> Verdict:
    """Test as often as the person wants, so that one bad throw does not lose what was taught."""
    while True:
        verdict = _test_drop(table, reader, profile)
        if verdict.right or not table.lays:
            return verdict
        table.say(verdict.text)
        if not table.agrees(line("throw_again")):
            return verdict


def _test_drop(table: Table, reader: Reader, profile: Profile) -> Verdict:
    table.ready(line("test"))
    try:
        picture = table.picture("test")
    except PictureMissingError:
        return Verdict(profile, False, line("no_test"))
    reading = reader.read(picture)
    table.show("test", draw_reading(picture, reading))
    counts = dict(reading.counts)
    is_right = table.agrees(line("is_right", counts=counts))
    unseen = _colour_notes("not_thrown", [colour for colour in profile.colours if not counts.get(colour)])
    if is_right and not any(counts.values()):
        return Verdict(profile, False, line("no_test"))
    if is_right and reading.certain:
        return Verdict(profile, True, line("all_well", counts=counts), unseen)
    why = " ".join(f"{ADVICE[doubt].sentence} {ADVICE[doubt].remedy}" for doubt in reading.doubts)
    doubts = [str(doubt) for doubt in reading.doubts]
    if is_right:
        return Verdict(profile, True, line("right_asked", {"doubts": why}, doubts=doubts), unseen)
    return Verdict(profile, False, line("not_right", {"doubts": why or line("see_doctor")}, doubts=doubts))


def _colour_notes(key: str, colours: Sequence[str]) -> tuple[Line, ...]:
    return (line(key, {"colours": ", ".join(colours)}, colours=list(colours)),) if colours else ()
