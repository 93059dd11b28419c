"""The shipped networks run with ONNX Runtime, with OpenCV alone, and from any thread."""

from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from multiprocessing import get_context

import cv2
import numpy as np
import pytest

from tests.vision.drawn_tray import drawn_tray
from vision.network import Network, OpenCvNetwork, OrtNetwork, network
from vision.pictures import Picture
from vision.reader import TrayReader


def _weights(name: str) -> bytes:
    return files("vision").joinpath(f"data/{name}.onnx").read_bytes()


@pytest.mark.parametrize(
    ("name", "shapes", "spread"),
    [
        ("cubes", [(1, 448, 448, 3)], 0.01),
        ("cubes", [(1, 512, 448, 3)], 0.01),
        ("tray", [(1, 128, 160, 3)], 0.03),
        ("cover", [(1, 128, 128, 3)], 0.001),
        ("closer", [(7, 64, 64, 4)], 0.05),
        ("wide", [(7, 128, 128, 8), (7, 64, 64, 8)], 0.02),
    ],
)
def test_both_engines_see_the_same(name: str, shapes: list[tuple[int, ...]], spread: float) -> None:
    """To within 8-bit precision, so that a board without ONNX Runtime reads the same."""
    pytest.importorskip("onnxruntime")
    chance = np.random.default_rng(3)
    levels = [chance.integers(0, 255, shape, np.uint8) for shape in shapes]
    ours, theirs = (engine(_weights(name)).run(*levels) for engine in (OrtNetwork, OpenCvNetwork))
    assert len(ours) == len(levels[0])
    assert ours.shape == theirs.shape
    assert float(np.abs(ours - theirs).mean()) < spread * float(np.abs(ours).mean())


@pytest.mark.parametrize("engine", [OrtNetwork, OpenCvNetwork])
def test_threads_do_not_mix_their_pictures(engine: type[OrtNetwork] | type[OpenCvNetwork]) -> None:
    if engine is OrtNetwork:
        pytest.importorskip("onnxruntime")
    net: Network = engine(_weights("tray"))
    chance = np.random.default_rng(5)
    pictures = [chance.integers(0, 255, (1, 128, 160, 3), np.uint8) for _ in range(3)]
    alone = [net.run(picture) for picture in pictures]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda n: net.run(pictures[n % 3]), range(30)))
    assert all(np.allclose(cells, alone[n % 3], atol=1e-4) for n, cells in enumerate(together))


@pytest.mark.parametrize("engine", [OrtNetwork, OpenCvNetwork])
def test_one_network_sees_more_and_fewer_pictures_of_any_size(
    engine: type[OrtNetwork] | type[OpenCvNetwork],
) -> None:
    """Trays come in many sizes and any number of places is in doubt: the output must match a fresh
    network's."""
    if engine is OrtNetwork:
        pytest.importorskip("onnxruntime")
    chance = np.random.default_rng(6)
    for name, shapes in (
        ("closer", [(n, 64, 64, 4) for n in (3, 9, 1)]),
        ("cubes", [(1, height, width, 3) for height, width in ((64, 96), (160, 96), (64, 64))]),
    ):
        net: Network = engine(_weights(name))
        for shape in shapes:
            levels = chance.integers(0, 255, shape, np.uint8)
            np.testing.assert_allclose(net.run(levels), engine(_weights(name)).run(levels), atol=1e-4)


def test_a_network_is_loaded_once() -> None:
    assert network("tray") is network("tray")


def test_where_several_read_side_by_side_no_network_takes_more_than_its_core() -> None:
    """A process that limits OpenCV to one thread limits the networks to one as well."""
    pytest.importorskip("onnxruntime")
    usual = cv2.getNumThreads()
    try:
        cv2.setNumThreads(1)
        alone = OrtNetwork(_weights("tray"), threads=2)
        cv2.setNumThreads(2)
        pair = OrtNetwork(_weights("tray"), threads=2)
    finally:
        cv2.setNumThreads(usual)
    assert [net._session.get_session_options().intra_op_num_threads for net in (alone, pair)] == [1, 2]


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 1), (4, 2)])
def test_a_look_beside_other_work_leaves_a_core_to_it(cores: int, threads: int) -> None:
    """It uses as many threads as help if there are more cores, as on a single-board computer."""
    pytest.importorskip("onnxruntime")
    usual = cv2.getNumThreads()
    try:
        cv2.setNumThreads(cores)
        beside = network("cubes", spare_core=True)
    finally:
        cv2.setNumThreads(usual)
    assert isinstance(beside, OrtNetwork)
    assert beside._session.get_session_options().intra_op_num_threads == threads


def test_a_forked_process_reads_too() -> None:
    """The threads of the parent's networks do not survive the fork."""
    picture = drawn_tray([("red", 0, 0), ("blue", 30, 0)])
    reader = TrayReader()
    before = reader.read(picture).counts
    with get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_counts, (picture,)).get(60) == before


def _counts(picture: Picture) -> dict[str, int]:
    return dict(TrayReader().read(picture).counts)
