"""The guided calibration, with a person who does as told, and with one who does not."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from calibration.profiles.lens import SeenLens
from calibration.profiles.profile import Lens, ProfileError
from companion import calibrating
from companion.calibrating import Wish, calibrate
from companion.looking import settled_picture
from tests.calibration.test_profile import COLOURS, EMPTY, with_cubes
from tests.vision.mat_picture import mat_picture
from tests.vision.thrown import FRAME_MS, Throw, frames
from vision.errors import CameraError, PictureError
from vision.pictures import Picture
from vision.reading import Doubt, TrayReading
from vision.scene.drawn import DrawnOutline
from vision.scene.fiducials import find_fiducials
from vision.scene.locator import CORNER_INSET, SIGNS, Located
from vision.scene.plane import Points, project
from vision.scene.rectify import rectify
from vision.scene.tray import Tray, drawn_of
from vision.sources import Frame, LockState

WISH = Wish("home", "2026-11-21T10:00:00+00:00", ("red", "yellow"))


@dataclass
class Person:
    """Plays both the person and the table."""

    pictures: dict[str, Picture]
    answer: bool = True
    statements: list[str] = field(default_factory=list)
    instructions: list[str] = field(default_factory=list)
    shown_steps: list[str] = field(default_factory=list)
    refused_question: str = ""
    """Once, to a question with these words."""
    lays: bool = True
    first_yellow: list[Picture] = field(default_factory=list)
    """What the camera shows first of the yellow cubes."""
    outlines: list[DrawnOutline] = field(default_factory=list)
    """Where the floor is asked about, one after the other; then what was found is taken."""

    def say(self, text: str) -> None:
        self.statements.append(text)

    def ready(self, text: str) -> None:
        self.instructions.append(text)

    def agrees(self, text: str) -> bool:
        self.statements.append(text)
        if self.refused_question and self.refused_question in text:
            self.refused_question = ""
            return False
        return self.answer

    def picture(self, step: str) -> Picture:
        if self.first_yellow and step == "yellow":
            return self.first_yellow.pop()
        if step not in self.pictures:
            raise PictureError(f"There is no picture {step}.", "Take one.")
        return self.pictures[step]

    def show(self, step: str, picture: Picture) -> None:
        self.shown_steps.append(step)

    def floor(self, picture: Picture, found: Tray | None) -> DrawnOutline | None:
        if self.outlines:
            return self.outlines.pop(0)
        if found is None or not self.agrees("Does the line follow the floor?"):
            return None
        return drawn_of(found, (picture.shape[1], picture.shape[0]))


@dataclass
class Reader:
    """Counts what it is told to."""

    counts: dict[str, int] = field(default_factory=lambda: {"red": 2, "yellow": 0})
    certain: bool = True

    def read(self, picture: Picture) -> TrayReading:
        doubts = () if self.certain else (Doubt.BLURRED,)
        return TrayReading(
            self.counts,
            (),
            dict.fromkeys(self.counts, 0.9),
            self.certain,
            doubts,
            True,
            (),
            8.0,
            (891, 630),
        )


def table(**more: Picture) -> dict[str, Picture]:
    colours = {colour: with_cubes(bgr) for colour, bgr in COLOURS.items()}
    return {"empty": EMPTY, **colours, "test": with_cubes(COLOURS["red"], number=2), **more}


def test_person_is_led_from_empty_tray_to_verdict() -> None:
    """Empty, each colour, test drop: told what to do, shown what was seen, told how it went."""
    person = Person(table())
    verdict = calibrate(person, WISH, lambda _: Reader())
    assert verdict.right
    assert "2 red" in verdict.text
    assert set(verdict.profile.colours) == {"red", "yellow"}
    assert len(person.instructions) == 4
    assert person.shown_steps == ["empty", "red", "yellow", "test"]


@pytest.mark.parametrize("same", [True, False])
def test_the_lens_of_the_profile_before_is_kept_only_where_it_is_the_same(same: bool) -> None:
    lens = Lens((900.0, 0.0, 445.0, 0.0, 900.0, 315.0, 0.0, 0.0, 1.0), (0.0,) * 5, 0.3)
    wish = replace(WISH, replaces=True, lens_before=SeenLens(lens, (891, 630)))
    person = Person(table(), refused_question="" if same else "same lens")
    profile = calibrate(person, wish, lambda _: Reader()).profile
    assert (profile.lens is not None) == same
    assert any("same lens" in text for text in person.statements)


def test_a_phone_that_was_turned_is_turned_back() -> None:
    """The walk ended, and all that had been taught was lost."""
    turned = np.ascontiguousarray(np.rot90(with_cubes(COLOURS["yellow"])))
    person = Person(table(), first_yellow=[turned])
    verdict = calibrate(person, WISH, lambda _: Reader())
    assert set(verdict.profile.colours) == {"red", "yellow"}
    assert sum("not the same shape" in text for text in person.statements) == 1


def test_a_colour_is_not_learned_from_a_picture_that_has_none() -> None:
    """It grew dark, and the camera's night mode set in: grey was taught as yellow, without a word."""
    grey = cv2.cvtColor(cv2.cvtColor(with_cubes(COLOURS["yellow"]), cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    person = Person(table(), first_yellow=[np.asarray(grey, np.uint8)])
    profile = calibrate(person, WISH, lambda _: Reader()).profile
    assert sum("The picture has no colour." in text for text in person.statements) == 1
    blue, _, red = np.median(profile.colours["yellow"].pixels_bgr, axis=0)
    assert red > blue + 40


def test_cubes_that_were_left_from_the_step_before_are_not_taught_as_others() -> None:
    """A second tap came before the yellow ones were laid: five red cubes were taught as yellow, unasked."""
    person = Person(
        table(), first_yellow=[with_cubes(COLOURS["red"])], refused_question="where the red ones were"
    )
    profile = calibrate(person, WISH, lambda _: Reader()).profile
    _, green, red = np.median(profile.colours["yellow"].pixels_bgr, axis=0)
    assert green > 0.6 * red
    assert sum("Are they really yellow?" in text for text in person.statements) == 1


def test_a_wrong_test_drop_is_said_with_its_reason() -> None:
    """The person says no: the verdict names what the reader doubted."""
    verdict = calibrate(Person(table(), answer=False), WISH, lambda _: Reader(certain=False))
    assert not verdict.right
    assert "The picture is blurred. " in verdict.text
    assert "focus" in verdict.text


def test_colour_that_is_not_seen_is_asked_again_then_left_out() -> None:
    """Three tries, then on with the others."""
    person = Person(table(yellow=EMPTY))
    verdict = calibrate(person, WISH, lambda _: Reader())
    assert set(verdict.profile.colours) == {"red"}
    assert sum("yellow" in text for text in person.instructions) == 3
    assert "Going on without yellow." in person.statements
    assert [note.key for note in verdict.notes] == ["left_out"]
    assert "yellow" in verdict.notes[0]


def test_a_colour_that_was_not_seen_is_tried_again_if_the_person_wants() -> None:
    """Three times nothing, then the cubes were found after all."""

    class LatePerson(Person):
        def picture(self, step: str) -> Picture:
            tries = sum("yellow" in text for text in self.instructions)
            return EMPTY if step == "yellow" and tries <= 3 else super().picture(step)

    person = LatePerson(table(), refused_question="Go on without")
    verdict = calibrate(person, WISH, lambda _: Reader())
    assert set(verdict.profile.colours) == {"red", "yellow"}
    assert sum("yellow" in text for text in person.instructions) == 4
    assert [note.key for note in verdict.notes] == ["not_thrown"]
    assert "yellow" in verdict.notes[0]


def test_a_test_throw_that_went_wrong_is_thrown_again_and_nothing_is_taught_anew() -> None:
    person = Person(table(), refused_question="Is that right?")
    verdict = calibrate(person, WISH, lambda _: Reader())
    assert verdict.right
    assert person.shown_steps == ["empty", "red", "yellow", "test", "test"]
    assert any("Not right yet" in text for text in person.statements)


WITH_LEFT_CUBES = with_cubes(COLOURS["red"], number=3)


def test_cubes_in_the_empty_tray_are_taken_out_before_anything_is_learned() -> None:
    """They would be learned as its floor, and the empty tray read as full."""

    class CarelessPerson(Person):
        def picture(self, step: str) -> Picture:
            return (
                WITH_LEFT_CUBES if step == "empty" and len(self.instructions) == 1 else super().picture(step)
            )

    person = CarelessPerson(table(), refused_question="Is it really empty?")
    verdict = calibrate(person, WISH, lambda _: Reader())
    assert verdict.right
    assert "There seem to be cubes in the tray: 3. Is it really empty?" in person.statements
    assert "all cubes out of the tray" in person.instructions[1]
    assert verdict.profile == calibrate(Person(table()), WISH, lambda _: Reader()).profile


def test_who_knows_better_goes_on_with_what_looks_like_cubes() -> None:
    assert calibrate(Person(table(empty=WITH_LEFT_CUBES)), WISH, lambda _: Reader()).right


@pytest.mark.parametrize("lays", [True, False], ids=["a person", "pictures"])
def test_a_tray_that_stays_full_ends_it(lays: bool) -> None:
    """Pictures taken beforehand cannot be laid anew: they are refused at once, whatever is answered."""
    person = Person(table(empty=WITH_LEFT_CUBES), answer=not lays, lays=lays)
    with pytest.raises(ProfileError, match="should be empty: 3"):
        calibrate(person, WISH, lambda _: Reader())
    assert len(person.instructions) == (3 if lays else 1)


def grey(picture: Picture) -> Picture:
    return np.repeat(picture.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)


def test_a_grey_table_with_black_cubes_is_calibrated() -> None:
    """Without the mat's colours the empty tray is as colourless as in night mode, which the reds rule out."""
    pictures = table(empty=grey(EMPTY), black=grey(with_cubes((25, 25, 25))))
    for name in ("red", "test"):
        coloured = pictures[name]
        cubes = np.ptp(coloured.astype(int) - EMPTY, axis=2) > 20
        pictures[name] = np.where(cubes[..., None], coloured, grey(coloured))
    person = Person(pictures)
    wish = replace(WISH, colours=("red", "black"))
    assert calibrate(person, wish, lambda _: Reader({"red": 2})).profile.colours.keys() == {"red", "black"}
    assert "no colour" in person.statements[0]
    night = Person({name: grey(picture) for name, picture in pictures.items()})
    assert "red" not in calibrate(night, wish, lambda _: Reader()).profile.colours


def test_a_test_throw_of_nothing_is_none() -> None:
    """Who taps before throwing agrees that nothing lies there, and was told that all is well."""
    person = Person(table(), refused_question="another test throw")
    verdict = calibrate(person, WISH, lambda _: Reader({"red": 0, "yellow": 0}))
    assert not verdict.right
    assert "no test throw" in verdict.text
    assert any("another test throw" in text for text in person.statements)


def test_fewer_cubes_than_asked_for_are_taken_if_the_person_says_so() -> None:
    """A game with three yellow cubes left."""
    person = Person(table(yellow=with_cubes(COLOURS["yellow"], number=3)))
    assert "yellow" in calibrate(person, WISH, lambda _: Reader()).profile.colours
    assert any("Are there 3?" in text for text in person.statements)


WISH_WITHOUT_MAT = Wish("bare", "", ("red", "yellow"), cube_mm=8.0)


def without_mat(picture: Picture) -> Picture:
    """Only the tray and some table about it, the markers out of the frame."""
    return np.ascontiguousarray(picture[40:-40, 150:-150])


def test_a_tray_that_the_picture_cuts_is_said() -> None:
    """What falls beyond the picture no calibration makes visible; who cannot do otherwise goes on."""
    words = "outside the picture"
    for narrower_px, is_told in ((0, False), (330, True)):
        pictures = {
            step: np.ascontiguousarray(picture[:, : picture.shape[1] - narrower_px])
            for step, picture in table().items()
        }
        person = Person(pictures)
        calibrate(person, WISH, lambda _: Reader())
        assert any(words in text for text in person.statements) == is_told


@pytest.mark.parametrize(("colour", "is_told"), [("red", True), ("blue", False)])
def test_a_floor_like_cubes_that_are_taught_is_said(
    colour: str, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of colours that nobody plays with nothing hides."""
    monkeypatch.setattr(calibrating, "colours_of", lambda flat, palette, *, lit: (colour,))
    person = Person(table())
    calibrate(person, WISH, lambda _: Reader())
    assert any("floor looks like" in text for text in person.statements) == is_told


def test_person_says_whether_the_line_follows_the_tray() -> None:
    """Without the mat the tray is only guessed: a person looks at it before anything is learned."""
    pictures = {step: without_mat(picture) for step, picture in table().items()}
    with pytest.raises(ProfileError, match="tray was not found"):
        calibrate(Person(pictures, answer=False), WISH_WITHOUT_MAT, lambda _: Reader())
    assert calibrate(Person(pictures), WISH_WITHOUT_MAT, lambda _: Reader()).profile.markers_px == {}


CROSSED = DrawnOutline("square", ((0.2, 0.2), (0.8, 0.8), (0.8, 0.2), (0.2, 0.8)))
WHOLE = DrawnOutline("oval", ((0.5, 0.1), (0.9, 0.5), (0.5, 0.9), (0.1, 0.5)))


@pytest.mark.parametrize("found", [True, False], ids=["another", "none"])
def test_the_floor_that_a_person_draws_is_learned(found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the tray is taken for another, or not seen; what is no floor is asked about once more."""
    if not found:
        monkeypatch.setattr(calibrating, "rectify", lambda picture, inner_mm: None)
    pictures = {step: without_mat(picture) for step, picture in table().items()}
    person = Person(pictures, outlines=[CROSSED, WHOLE])
    profile = calibrate(person, WISH_WITHOUT_MAT, lambda _: Reader()).profile
    assert person.statements[0].startswith("That cannot be the floor")
    assert person.shown_steps.count("empty") == 1
    tray = profile.tray.tray()
    assert tray.shape == "oval"
    drawn = np.array(drawn_of(tray, profile.size_px).handles)
    assert drawn == pytest.approx(np.array(WHOLE.handles), abs=1e-3)


def test_cubes_in_a_tray_that_only_a_person_sees_are_taken_out_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the network does not take for a tray is read where it was drawn."""
    found = rectify(without_mat(EMPTY))
    assert found is not None
    monkeypatch.setattr("vision.scene.tray._LEAST_CERTAINTY", 2.0)
    pictures = {step: without_mat(picture) for step, picture in table(empty=WITH_LEFT_CUBES).items()}
    person = Person(pictures, outlines=[drawn_of(found.tray, found.size_px)])
    calibrate(person, WISH_WITHOUT_MAT, lambda _: Reader())
    assert "There seem to be cubes in the tray: 3. Is it really empty?" in person.statements


def test_where_nothing_is_found_and_nobody_draws_it_ends_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calibrating, "rectify", lambda picture, inner_mm: None)
    with pytest.raises(ProfileError, match="Neither tray nor mat") as error:
        calibrate(Person(table()), WISH_WITHOUT_MAT, lambda _: Reader())
    assert "Calibrate page" in str(error.value)


@pytest.mark.parametrize(
    ("wish", "pictures", "words"),
    [
        (Wish("home", "", ("red",)), table(), "Two to eight"),
        (Wish("home", "", ("red", "blue", "red")), table(), "named twice"),
        (Wish("home", "", ("red", "empty")), table(), "are steps"),
        (WISH, table(empty=np.zeros((480, 640, 3), np.uint8)), "all black"),
        (WISH, table(red=EMPTY, yellow=EMPTY), "No cube of any colour"),
    ],
    ids=["one colour", "one twice", "no colour", "lens cap", "no cubes"],
)
def test_what_will_not_succeed_ends_with_a_sentence(
    wish: Wish, pictures: dict[str, Picture], words: str
) -> None:
    """Nothing is kept."""
    with pytest.raises(ProfileError, match=words):
        calibrate(Person(pictures), wish, lambda _: Reader())


class FallingCubes:
    """A camera over a tray into which cubes fall; afterwards, or never, they rest."""

    live = True
    ended = False
    light: LockState | None = None
    trouble = None

    def __init__(self, ends: int) -> None:
        self.pictures = enumerate(frames(Throw(ends=ends), 40))
        self.now_s = 0.0

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        self.now_s += FRAME_MS / 1000
        index, picture = next(self.pictures, (0, None))
        return None if picture is None else Frame(picture, self.now_s * 1000, index)

    def describe(self) -> str:
        return "a tray"

    def close(self) -> None:
        pass


def test_picture_is_taken_when_the_table_rests() -> None:
    """Not while the cubes fall."""
    source = FallingCubes(ends=6)
    settled_picture(source, 20, lambda: source.now_s)
    assert source.now_s == pytest.approx((6 + 1 + 3) * FRAME_MS / 1000, abs=0.1)


def test_table_that_never_rests_is_said() -> None:
    """A fan, a cat."""
    source = FallingCubes(ends=39)
    with pytest.raises(CameraError, match="does not come to rest"):
        settled_picture(source, 2, lambda: source.now_s)


def test_what_covers_the_empty_tray_is_asked_about() -> None:
    """A sleeve would be learned as a part of the table; a tower's foot is one."""
    height, width = EMPTY.shape[:2]
    sleeved = EMPTY.copy()
    cv2.line(sleeved, (width // 2, height // 2), (width // 2 + 60, height), (60, 32, 24), 130)
    pictures = {"empty": sleeved, **{step: picture for step, picture in table().items() if step != "empty"}}
    with pytest.raises(ProfileError) as refused:
        calibrate(Person(pictures, answer=False), WISH, lambda _: Reader())
    assert str(refused.value.sentence) == "Something covers the tray."
    person = Person(pictures)
    assert calibrate(person, WISH, lambda _: Reader()).right
    assert any("foot of a tower" in text for text in person.statements)
    person_of_plain_table = Person(table())
    calibrate(person_of_plain_table, WISH, lambda _: Reader())
    assert not any("foot of a tower" in text for text in person_of_plain_table.statements)


def test_a_size_that_the_mat_measured_is_confirmed_by_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody told it, and it is not the usual one: asked once; a no ends it with what to do."""
    person = Person(table(empty=mat_picture(tray_grey=None)), answer=False)
    located = Located(_corners_of(150.0), 4.0, "square", 0.9)
    monkeypatch.setattr("vision.scene.rectify.locate", lambda _: located)
    with pytest.raises(ProfileError) as refused:
        calibrate(person, WISH, lambda _: Reader())
    assert "150\u00a0×\u00a0150 mm" in person.statements[-1]
    assert "--inner" in refused.value.remedy


def test_a_size_that_was_told_is_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person(table(), answer=True)
    monkeypatch.setattr(
        "vision.scene.rectify.locate", lambda _: Located(_corners_of(150.0), 4.0, "square", 0.9)
    )
    verdict = calibrate(person, replace(WISH, inner_mm=(160.0, 140.0)), lambda _: Reader())
    assert verdict.profile.tray.inner_mm == (160.0, 140.0)
    assert not any("seems to be" in text for text in person.statements)


def _corners_of(side_mm: float) -> Points:
    """Where the finder would see a square tray on `mat_picture`."""
    fiducials = find_fiducials(EMPTY)
    assert fiducials is not None
    return project(SIGNS * CORNER_INSET * side_mm / 2, fiducials.to_px)
