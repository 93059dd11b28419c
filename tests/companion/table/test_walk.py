"""The calibration's walk in the sensor process: frames from the loop, answers from the page."""

import queue
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.profiles.profile import Lens, load, save
from companion import calibrating
from companion.table.desks.calibration import CalibrationDesk
from companion.table.desks.profiles import (
    profile_in_use,
    profile_names,
    remove_profile,
    rename_profile,
    use_profile,
)
from companion.table.errors import TableRefusal
from companion.table.messages import (
    Calibrate,
    CalibrationAnswer,
    CalibrationEnd,
    CalibrationKeep,
    CalibrationSays,
    CameraSays,
    Json,
    Live,
    Order,
    Report,
    SensorSpec,
    UseProfile,
    WatchLive,
)
from companion.table.sensing.guide import LEFT_AFTER_S, Guide
from companion.table.sensing.walk import wish_of
from tests.calibration.test_profile import COLOURS, EMPTY, learned, with_cubes
from tests.companion.table.tables import hearing
from tests.companion.test_calibrating import without_mat
from tests.patience import PATIENCE_S
from tests.vision.thrown import FRAME_MS
from vision.pictures import Picture, decode_picture
from vision.scene.drawn import DrawnOutline
from vision.sources import Frame

MADE = "2026-11-21T10:00:00+00:00"


class Room:
    """Sensor loop and page in one thread; the walk has its own."""

    def __init__(self, folder: Path) -> None:
        self.reports: queue.Queue[Report] = queue.Queue()
        self.orders: list[Order] = []
        spec = SensorSpec("camera", "none", profiles=str(folder))
        self.now_s = 1000.0
        self.guide = Guide(spec, self.reports.put, clock=lambda: self.now_s)
        self.folder = folder
        self.said: set[str] = set()
        """Keys of what was said on the way."""
        self.desk = CalibrationDesk(lambda: spec, hearing(self.orders))
        self._frames = 0
        self.tray: Picture = EMPTY

    def obey(self, order: Order) -> None:
        self.guide.obey(order, None)

    def step_until(self, *waits: str) -> Json:
        """Feed frames until the walk waits for one of these, or ends."""
        while True:
            self.guide.step(Frame(self.tray, self._frames * FRAME_MS, self._frames))
            self._frames += 1
            try:
                report = self.reports.get(timeout=0.02)
            except queue.Empty:
                assert self._frames * 0.02 < PATIENCE_S
                continue
            self.desk.hear(report)
            if isinstance(report, CalibrationSays):
                state = report.state
                self.said |= {message["key"] for message in state.get("said", ())}
                if state.get("waits") in waits or state["phase"] != "walking":
                    return state

    def answer(self, state: Json, yes: bool = True) -> None:
        self.obey(CalibrationAnswer(yes, state["asked"]))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path / "profiles")


def walk(room: Room, say_yes: bool) -> Json:
    """Two colours, then the test; `say_yes` is the person's verdict on it."""
    room.obey(Calibrate("kitchen", MADE, ("red", "yellow"), 8.0))
    for tray in (
        EMPTY,
        with_cubes(COLOURS["red"]),
        with_cubes(COLOURS["yellow"]),
        with_cubes(COLOURS["red"]),
    ):
        state = room.step_until("ready", "agrees")
        while state["waits"] == "agrees":
            room.answer(state)
            state = room.step_until("ready", "agrees")
        room.tray = tray
        room.answer(state)
    state = room.step_until("agrees")
    while state["phase"] == "walking":
        key = state["line"]["key"]
        room.answer(state, say_yes if key in ("calibrate.is_right", "calibrate.throw_again") else True)
        state = room.step_until("agrees")
    return state


def test_a_good_test_drop_keeps_the_profile_once(room: Room) -> None:
    state = walk(room, say_yes=True)
    assert state["verdict"]["kept"]
    assert load("kitchen", room.folder).made == MADE
    while room.guide.is_leading:
        pass
    assert (room.guide.take_learned_name(), room.guide.take_learned_name()) == ("kitchen", None)
    assert set(room.desk.view()["shown"]) >= {"empty", "red", "yellow", "test"}
    assert room.desk.step_jpeg("red") is not None


def test_a_bad_one_is_kept_only_when_the_person_wants_it(room: Room) -> None:
    state = walk(room, say_yes=False)
    assert not state["verdict"]["right"]
    assert profile_names(SensorSpec("0", "none", profiles=str(room.folder))) == []
    while room.guide.is_leading:
        pass
    room.obey(CalibrationKeep())
    assert load("kitchen", room.folder).name == "kitchen"


def test_a_tray_that_is_kept_already_is_replaced_only_if_wanted(room: Room) -> None:
    """It is the first question: no ends the walk, and a new name asks nothing."""
    walk(room, say_yes=True)
    [profile] = room.folder.glob("*.json")
    bytes_before = profile.read_bytes()
    room.obey(Calibrate("kitchen", "2026-12-01T10:00:00+00:00", ("red", "yellow")))
    state = room.step_until("ready", "agrees")
    assert (state["line"]["key"], state["line"]["params"]) == ("calibrate.replace", {"name": "kitchen"})
    room.answer(state, yes=False)
    assert [message["key"] for message in room.step_until("ready")["error"]] == [
        "calibrate.stays",
        "calibrate.other_name",
    ]
    room.obey(Calibrate("Kitchen", MADE, ("red", "yellow")))
    assert room.step_until("ready", "agrees")["line"]["key"] == "calibrate.empty"
    room.obey(CalibrationEnd())
    assert profile.read_bytes() == bytes_before


def test_a_full_disk_ends_no_walk_and_keep_can_be_tried_again(room: Room) -> None:
    """Neither a step's picture nor the profile can be written: a file is where the folder should be."""
    room.folder.write_text("")
    state = walk(room, say_yes=True)
    assert (state["phase"], state["verdict"]["right"], state["verdict"]["kept"]) == ("done", True, False)
    assert state["verdict"]["trouble"]["key"] == "calibrate.not_written"
    assert set(room.desk.view()["shown"]) >= {"empty", "red", "yellow", "test"}
    assert "calibrate.no_step_picture" in room.said
    while room.guide.is_leading:
        pass
    room.obey(CalibrationKeep())
    assert room.step_until("never")["verdict"]["trouble"] is not None
    assert room.guide.take_learned_name() is None
    room.folder.unlink()
    room.obey(CalibrationKeep())
    verdict = room.step_until("never")["verdict"]
    assert (verdict["kept"], verdict["trouble"]) == (True, None)
    assert load("kitchen", room.folder).made == MADE
    assert room.guide.take_learned_name() == "kitchen"


def test_a_second_tap_answers_no_later_question(room: Room) -> None:
    room.obey(Calibrate("kitchen", MADE, ("red", "yellow")))
    first_question = room.step_until("ready")
    room.answer(first_question)
    second_question = room.step_until("ready", "agrees")
    room.answer(first_question)
    assert second_question["asked"] == first_question["asked"] + 1
    assert room.guide.is_leading
    room.obey(CalibrationEnd())
    assert not room.guide.is_leading
    assert room.step_until("ready")["phase"] == "off"


def test_a_walk_whose_page_nobody_looks_at_is_left_after_a_minute(room: Room) -> None:
    """A game waits for the camera; looking in between restarts the minute."""
    room.obey(Calibrate("kitchen", MADE, ("red", "yellow")))
    room.step_until("ready")
    room.now_s += LEFT_AFTER_S
    room.guide.end_if_left()
    assert room.guide.is_leading
    room.obey(WatchLive())
    room.now_s += LEFT_AFTER_S
    room.guide.end_if_left()
    assert room.guide.is_leading
    room.now_s += LEFT_AFTER_S
    room.guide.end_if_left()
    assert not room.guide.is_leading
    assert room.step_until("ready")["phase"] == "off"


def test_what_is_wrong_with_the_picture_ends_it_with_a_sentence(room: Room) -> None:
    room.tray = np.zeros_like(EMPTY)
    room.obey(Calibrate("kitchen", MADE, ("red", "yellow")))
    room.answer(room.step_until("ready"))
    state = room.step_until("agrees")
    assert state["phase"] == "failed"
    assert state["error"][0]["key"] == "trouble.lens_cap"


DRAWN = DrawnOutline("square", ((0.2, 0.1), (0.8, 0.1), (0.8, 0.9), (0.2, 0.9)))


def ask_for_floor(room: Room, tray: Picture) -> Json:
    """The walk's question, with the bare picture beside it."""
    room.tray = tray
    room.obey(Calibrate("bare", MADE, ("red", "yellow"), 8.0))
    room.answer(room.step_until("ready"))
    state = room.step_until("floor")
    assert state["floor"]["size"] == [tray.shape[1], tray.shape[0]]
    return state


@pytest.mark.parametrize("drawn", [None, DRAWN], ids=["as found", "drawn"])
def test_the_floor_of_a_tray_without_the_mat_is_asked_for(room: Room, drawn: DrawnOutline | None) -> None:
    """Yes accepts what was found, or what was drawn instead; the next step is shown with that outline."""
    state = ask_for_floor(room, without_mat(EMPTY))
    assert state["line"]["key"] == "calibrate.outline_right"
    found = state["floor"]["outline"]
    assert (found["shape"], len(found["handles"])) == ("square", 4)
    bare = room.desk.step_jpeg("empty")
    room.obey(CalibrationAnswer(True, state["asked"], drawn))
    after = room.step_until("ready")
    assert after["step"] == "red"
    assert after["floor"] is None
    lined = room.desk.step_jpeg("empty")
    assert bare is not None
    assert lined is not None
    yellow = outline_yellowness(lined, DRAWN.handles[0]) - outline_yellowness(bare, DRAWN.handles[0])
    assert (yellow > 20) == (drawn is not None)
    room.obey(CalibrationEnd())


def outline_yellowness(jpeg: bytes, corner: tuple[float, float]) -> float:
    """How yellow the floor's upper edge is, some way to the right of its corner."""
    picture = decode_picture(jpeg, "a step").astype(float)
    x, y = round((corner[0] + 0.3) * picture.shape[1]), round(corner[1] * picture.shape[0])
    blue, green, red = picture[y - 1 : y + 2, x - 20 : x + 20].mean(axis=(0, 1))
    return float(min(green, red) - blue)


def test_a_tray_that_is_not_found_is_drawn_from_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bad drawing is asked for once more."""
    monkeypatch.setattr(calibrating, "rectify", lambda picture, inner_mm: None)
    state = ask_for_floor(room, without_mat(EMPTY))
    assert (state["line"]["key"], state["floor"]["outline"]) == ("calibrate.draw_floor", None)
    first, second, third, fourth = DRAWN.handles
    room.obey(CalibrationAnswer(True, state["asked"], DrawnOutline("square", (first, third, second, fourth))))
    again = room.step_until("floor")
    assert [message["key"] for message in again["said"]] == ["calibrate.no_floor"]
    room.obey(CalibrationAnswer(True, again["asked"], DRAWN))
    assert room.step_until("ready")["step"] == "red"
    room.obey(CalibrationEnd())


def test_size_that_the_page_sends_is_that_of_the_profile(tmp_path: Path) -> None:
    """There is no mat to give it, and no estimate changes it."""
    wish = wish_of(Calibrate("kitchen", MADE, inner_mm=(150.0, 120.0)), tmp_path)
    assert (wish.inner_mm, len(wish.colours), wish.replaces) == ((150.0, 120.0), 6, False)


def test_whoever_calibrates_again_may_keep_the_lens(tmp_path: Path) -> None:
    """It was calibrated at the terminal; calibrating on the page lost it without a word."""
    lens = Lens((900.0, 0.0, 445.0, 0.0, 900.0, 315.0, 0.0, 0.0, 1.0), (0.1, 0.0, 0.0, 0.0, 0.0), 0.3)
    save(replace(learned(), name="kitchen", lens=lens), tmp_path)
    wish = wish_of(Calibrate("kitchen", MADE), tmp_path)
    assert wish.replaces
    assert wish.lens_before is not None
    assert wish.lens_before.scaled_to(learned().size_px).matrix == pytest.approx(lens.matrix)


def test_live_pictures_come_only_while_somebody_looks(room: Room) -> None:
    room.guide.step(Frame(EMPTY, 0.0, 0))
    assert room.reports.empty()
    assert room.desk.view()["facts"] is None
    assert room.orders == [WatchLive()]
    room.obey(WatchLive())
    room.guide.step(Frame(EMPTY, 1.0, 1))
    live = room.reports.get_nowait()
    assert isinstance(live, Live)
    assert room.desk.hear(live)
    facts = room.desk.view()["facts"]
    assert (facts["markers"], facts["trouble"], bool(facts["outline"])) == (4, "", True)


def test_the_tray_chosen_last_is_read_unless_one_was_named(tmp_path: Path) -> None:
    spec = SensorSpec("0", "none", profiles=str(tmp_path))
    (tmp_path / "kitchen.json").write_text("{}")
    assert profile_in_use(spec) is None
    use_profile(spec, "kitchen")
    assert profile_in_use(spec) == "kitchen"
    assert profile_in_use(SensorSpec("0", "none", "attic", str(tmp_path))) == "attic"
    assert profile_in_use(SensorSpec("demo", "demo", profiles=str(tmp_path))) is None
    use_profile(spec, None)
    assert profile_in_use(spec) is None
    use_profile(spec, "gone")
    assert profile_in_use(spec) is None


def test_a_camera_that_took_over_has_a_tray_of_its_own(tmp_path: Path) -> None:
    """Once a phone's place was calibrated, the first camera was read with that tray when the phone had
    gone."""
    home = SensorSpec("0", "none", profiles=str(tmp_path))
    phone = replace(home, camera="phone", away=True)
    for name in ("kitchen", "by phone"):
        save(replace(learned(), name=name), tmp_path)
    use_profile(home, "kitchen")
    use_profile(phone, "by phone")
    assert (profile_in_use(home), profile_in_use(phone)) == ("kitchen", "by phone")
    assert profile_in_use(replace(phone, taught=False)) is None
    rename_profile(home, "by phone", "bridge")
    assert (profile_in_use(home), profile_in_use(phone)) == ("kitchen", "bridge")
    remove_profile(home, "bridge")
    assert (profile_in_use(home), profile_in_use(phone)) == ("kitchen", None)


def test_whether_a_tray_is_read_follows_the_camera_of_now(tmp_path: Path) -> None:
    """A phone took over and was read without a profile: the page said that the tray is in use, and picking it
    changed nothing."""
    page = DeskRig()
    page.spec = replace(page.spec, profiles=str(tmp_path))
    save(replace(learned(), name="kitchen"), tmp_path)
    page.desk.use("kitchen")
    assert page.orders == [UseProfile()]
    assert page.desk.view()["in_use"] == "kitchen"
    page.spec = replace(page.spec, camera="phone", taught=False, away=True)
    assert page.desk.view()["in_use"] is None


def test_a_walk_that_breaks_is_over_and_says_so(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page said that Tenshu was thinking, forever."""
    monkeypatch.setattr("companion.table.sensing.walk.calibrate", lambda *_: 1 // 0)
    room.obey(Calibrate("kitchen", MADE))
    state = room.step_until("ready")
    assert (state["phase"], [message["key"] for message in state["error"]]) == ("failed", ["error.http_500"])


def test_what_is_asked_of_the_empty_tray_keeps_its_picture(room: Room) -> None:
    """After "Take out of the picture …" the question belonged to no step."""
    room.tray = with_cubes(COLOURS["red"])
    room.obey(Calibrate("kitchen", MADE, ("red", "yellow"), 8.0))
    room.answer(room.step_until("ready"))
    for line in ("is_empty", "take_away", "is_empty"):
        while (state := room.step_until("ready", "agrees"))["line"]["key"] == "calibrate.size_right":
            room.answer(state)
        assert (state["line"]["key"], state["step"]) == (f"calibrate.{line}", "empty")
        room.answer(state, yes=line == "take_away")
    room.obey(CalibrationEnd())


def test_questions_are_numbered_over_all_walks(room: Room) -> None:
    """A page that had answered the first question of one walk took that of the next as answered."""
    questions = []
    for name in ("kitchen", "attic"):
        room.obey(Calibrate(name, MADE, ("red", "yellow")))
        state = room.step_until("ready")
        while state["phase"] != "walking":  # the walk before has ended
            state = room.step_until("ready")
        questions.append(state["asked"])
        room.obey(CalibrationEnd())
    next_room = Room(room.folder)  # the sensor process was restarted: a page may have slept meanwhile
    next_room.obey(Calibrate("cellar", MADE, ("red", "yellow")))
    questions.append(next_room.step_until("ready")["asked"])
    next_room.obey(CalibrationEnd())
    assert len(set(questions)) == 3


LIVE = Live(b"jpeg", {})
WALKING = CalibrationSays({"phase": "walking"})


class DeskRig:
    """The page's side alone, with a clock of its own."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.orders: list[Order] = []
        self.spec = SensorSpec("0", "none")
        self.desk = CalibrationDesk(lambda: self.spec, hearing(self.orders), lambda: self.now_s)


def test_a_picture_is_still_where_a_page_asks_and_none_comes() -> None:
    """But not if nobody has asked: then no picture had to come."""
    page = DeskRig()
    page.desk.hear(LIVE)
    for wait_s, still in ((1000.0, False), (3.0, False), (3.0, True)):
        page.now_s += wait_s
        assert page.desk.view()["still"] is still
    page.desk.hear(LIVE)
    assert page.desk.view()["still"] is False


def test_what_ails_the_camera_is_told_beside_the_walk_and_being_calibrated_is_none() -> None:
    page = DeskRig()
    says = CameraSays("photos", "It is cut short.", "Copy it again.", "picture_cut", file="throw 7.png")
    assert page.desk.hear(says) is False  # the table hears it too
    assert page.desk.view()["ails"] == {
        "sentence": says.sentence, "remedy": says.remedy, "key": says.key, "file": "throw 7.png",
    }  # fmt: skip
    page.desk.hear(CameraSays("0", "It is being calibrated.", "End that.", "calibrating"))
    assert page.desk.view()["ails"] is None


def test_a_walk_begins_once_and_only_before_a_camera() -> None:
    page, wish = DeskRig(), Calibrate("kitchen", MADE)
    page.desk.hear(WALKING)
    with pytest.raises(TableRefusal) as runs:
        page.desk.begin(wish)
    assert (runs.value.key, runs.value.status) == ("calibration_runs", 409)
    page.desk.hear(CameraSays("none"))  # the sensors are switched off: nobody is being led any more
    assert (page.desk.view()["phase"], page.desk.view()["camera"]) == ("off", False)
    with pytest.raises(TableRefusal) as blind:
        page.desk.begin(wish)
    assert blind.value.key == "calibrates_no_camera"
    page.desk.hear(CameraSays("phone"))  # another camera than the one that Tenshu was started with
    page.desk.begin(wish)
    assert page.orders[-1] == wish
    assert page.desk.view()["phase"] == "walking"
    with pytest.raises(TableRefusal) as twice:  # the second's name and colours replaced the first's
        page.desk.begin(Calibrate("attic", MADE))
    assert twice.value.key == "calibration_runs"
    page.desk.hear(CalibrationSays({"phase": "off"}))
    page.desk.order = lambda _: False
    with pytest.raises(TableRefusal) as unheard:
        page.desk.begin(wish)
    assert unheard.value.key == "calibrates_no_camera"
    assert page.desk.view()["phase"] == "off"
