"""The print is what the detector expects: the PDF is rasterised and read back in millimetres."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.sheets import charuco
from calibration.sheets.drawing import Inlay, Paper, Shape
from calibration.sheets.mat_pdf import SheetError, write_inlays, write_mat
from companion.cli import main
from tests.calibration.printed import page_sizes_mm, page_text, printed
from vision.pictures import Picture
from vision.scene.mat import MARKER_CENTRES_MM, MARKER_DICTIONARY, PATCHES, marker_corners_mm

PX = 8


@pytest.fixture(scope="module")
def mat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mat") / "mat.pdf"
    write_mat(path, [Paper.A4, Paper.LETTER])
    return path


def to_mm(points: np.ndarray, paper: Picture) -> np.ndarray:
    """Convert pixels of a printed page to millimetres from its centre."""
    height, width = paper.shape[:2]
    return np.asarray((points + 0.5 - (width / 2, height / 2)) / PX)


def test_pages_are_landscape_a4_and_letter(mat: Path) -> None:
    """True paper sizes, then the board on the first paper; viewers are told not to scale."""
    assert page_sizes_mm(mat) == [
        pytest.approx((297.0, 210.0), abs=0.01),
        pytest.approx((279.4, 215.9), abs=0.01),
        pytest.approx((297.0, 210.0), abs=0.01),
    ]
    assert "/PrintScaling /None" in mat.read_bytes().decode("latin-1")


@pytest.mark.parametrize("page", [0, 1])
def test_markers_lie_where_the_detector_expects_them(mat: Path, page: int) -> None:
    """Each of the 16 corners is within 0.15 mm of the constants."""
    paper = printed(mat, page, PX)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY))
    corners, ids, _ = detector.detectMarkers(paper)
    assert ids is not None
    assert sorted(int(i) for i in ids.ravel()) == list(range(len(MARKER_CENTRES_MM)))
    for quad, marker in zip(corners, ids.ravel(), strict=True):
        assert to_mm(quad[0], paper) == pytest.approx(np.array(marker_corners_mm(int(marker))), abs=0.15)


def test_the_markers_are_those_that_opencv_calls_4x4_50() -> None:
    """Printed mats are in use, so the dictionary must stay."""
    assert cv2.aruco.DICT_4X4_50 == MARKER_DICTIONARY


@pytest.mark.parametrize("page", [0, 1])
def test_patches_have_their_colour_in_their_place(mat: Path, page: int) -> None:
    """Exactly the colour that the reader corrects by, over the whole 12 mm."""
    paper = printed(mat, page, PX)
    height, width = paper.shape[:2]
    for patch in PATCHES:
        x, y = patch.centre_mm
        for dx in (-5.5, 0, 5.5):
            for dy in (-5.5, 0, 5.5):
                pixel = paper[int(height / 2 + (y + dy) * PX), int(width / 2 + (x + dx) * PX)]
                assert tuple(int(v) for v in pixel[::-1]) == pytest.approx(patch.srgb, abs=1)


@pytest.mark.parametrize("page", [0, 1])
def test_the_place_of_the_tray_is_empty(mat: Path, page: int) -> None:
    """A clear tray shows what is printed under it."""
    paper = printed(mat, page, PX)
    height, width = paper.shape[:2]
    half = 88 * PX
    inside = paper[height // 2 - half : height // 2 + half, width // 2 - half : width // 2 + half]
    assert (inside == 255).all()


@pytest.mark.parametrize("page", [0, 1])
def test_ruler_is_100_mm_long(mat: Path, page: int) -> None:
    """Measured on the line under the tray, from its first to its last dark pixel."""
    paper = printed(mat, page, PX)
    height, width = paper.shape[:2]
    row = paper[height // 2 + 94 * PX, width // 2 - 60 * PX : width // 2 + 60 * PX, 1]
    dark = np.flatnonzero(row < 128)
    assert (dark[-1] - dark[0]) / PX == pytest.approx(100, abs=0.4)  # the line itself is 0.25 mm thick
    assert "100 mm" in page_text(mat, page)
    assert "Print at 100 %" in page_text(mat, page)


def test_lens_board_is_read_back(mat: Path) -> None:
    """All inner corners are found, 25 mm apart; the mat's detector sees no marker on it."""
    paper = printed(mat, 2, PX)
    found, ids, _, _ = cv2.aruco.CharucoDetector(charuco.board()).detectBoard(paper)
    columns, rows = charuco.SQUARES
    assert ids is not None
    assert len(ids) == (columns - 1) * (rows - 1)
    seen = to_mm(np.asarray(found).reshape(-1, 2), paper)
    meant = np.asarray(charuco.board().getChessboardCorners())[ids.ravel(), :2]
    centred = meant - (columns * charuco.SQUARE_MM / 2, rows * charuco.SQUARE_MM / 2)
    assert np.abs(seen - centred).max() < 0.15
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY))
    assert detector.detectMarkers(paper)[1] is None


@pytest.mark.parametrize(("page", "width_mm", "depth_mm"), [(0, 170, 170), (1, 210, 150)])
def test_inlay_cut_line_fits_into_the_tray(
    tmp_path: Path, page: int, width_mm: float, depth_mm: float
) -> None:
    """With half a millimetre of play on each side; nothing is printed inside the line."""
    path = tmp_path / "inlay.pdf"
    write_inlays(path, [Paper.A4])
    paper = printed(path, page, PX)
    height, width = paper.shape[:2]
    middle_row = np.flatnonzero(paper[height // 2, :, 1] < 128)
    middle_column = np.flatnonzero(paper[: height // 2 + int(depth_mm * PX / 2) + PX, width // 2, 1] < 128)
    assert (middle_row[-1] - middle_row[0]) / PX == pytest.approx(width_mm - 1, abs=0.4)
    assert (middle_column[-1] - middle_column[0]) / PX == pytest.approx(depth_mm - 1, abs=0.4)
    assert len(middle_row) < 8


@pytest.mark.parametrize("shape", list(Shape))
def test_a_tray_that_is_deeper_than_wide_has_its_inlay_lying(tmp_path: Path, shape: Shape) -> None:
    """The cut-out can be turned, so 120 × 200 mm fits on A4."""
    path = tmp_path / "inlay.pdf"
    write_inlays(path, [Paper.A4], [Inlay(shape, 120, 200)])
    ink = np.argwhere(printed(path, 0)[: 170 * 8].max(axis=2) < 200)
    (top, left), (bottom, right) = ink.min(axis=0) / 8, ink.max(axis=0) / 8
    assert (right - left, bottom - top) == pytest.approx((199, 119), abs=0.5)
    assert "120 × 200 mm" in page_text(path, 0)


@pytest.mark.parametrize(
    ("side", "paper", "others"),
    [
        ((178, 178), Paper.A4, "US Letter (--paper letter) or A3 (--paper a3)."),
        ((287, 174), Paper.LETTER, "A4 (--paper a4) or A3 (--paper a3)."),
    ],
)
def test_every_paper_that_has_room_is_named(
    tmp_path: Path, side: tuple[float, float], paper: Paper, others: str
) -> None:
    """Someone without an A3 printer may have the other paper."""
    with pytest.raises(SheetError) as caught:
        write_inlays(tmp_path / "inlay.pdf", [paper], [Inlay(Shape.SQUARE, *side)])
    assert caught.value.remedy == f"Print it on {others}"


def test_inlay_that_does_not_fit_on_the_paper_is_refused(tmp_path: Path) -> None:
    """A 260 mm tray needs A3."""
    big = Inlay(Shape.SQUARE, 260, 260)
    with pytest.raises(SheetError, match="does not fit on A4"):
        write_inlays(tmp_path / "inlay.pdf", [Paper.A4], [big])
    write_inlays(tmp_path / "inlay.pdf", [Paper.A3], [big])
    with pytest.raises(SheetError, match="The largest is 410 × 261 mm, on A3"):
        write_inlays(tmp_path / "inlay.pdf", [Paper.A3], [Inlay(Shape.SQUARE, 400, 400)])


def test_the_same_mat_is_the_same_file(mat: Path, tmp_path: Path) -> None:
    """There is no date inside, so builds can be compared."""
    write_mat(tmp_path / "again.pdf", [Paper.A4, Paper.LETTER])
    assert (tmp_path / "again.pdf").read_bytes() == mat.read_bytes()


def test_command_writes_the_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`tenshu mat` on one paper, and an inlay for one's own tray."""
    assert main(["mat", "-o", str(tmp_path / "a.pdf"), "--paper", "letter"]) == 0
    assert len(page_sizes_mm(tmp_path / "a.pdf")) == 2
    assert main(["mat", "--inner", "200x140", "--oval", "-o", str(tmp_path / "b.pdf")]) == 0
    assert "200 × 140 mm" in page_text(tmp_path / "b.pdf", 0)
    assert "US Letter" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--inner", "320x200", "--paper", "a4"], "does not fit on A4"),
        (["-o", "/nowhere/mat.pdf"], "cannot be written"),
    ],
)
def test_command_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """One sentence and exit status 2."""
    assert main(["mat", "-o", str(tmp_path / "x.pdf"), *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    "asked", [["--inner", "200x140", "--oval"], ["--inner", "150x120"], ["--oval"], ["--inlay"]]
)
def test_an_inlay_never_takes_the_place_of_the_mat(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`tenshu mat --inner 200x140 --oval` makes an inlay even without `--inlay`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mat.pdf").write_text("the mat")
    assert main(["mat", *asked]) == 0
    assert (tmp_path / "mat.pdf").read_text() == "the mat"
    assert (tmp_path / "inlay.pdf").exists()
