"""Compile `tracer.cu` and call it: with nvcc for a graphics card, else with g++ for the processor."""

import ctypes
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from calibration.synth.scene import Floats
from vision.errors import VisionError

LIBRARY = "tracer.so"
_SOURCE = Path(__file__).with_name("tracer.cu")
_CARD = ("nvcc", "-O3", "--use_fast_math", "-arch=native", "-shared", "-Xcompiler", "-fPIC")
_CORES = (
    "g++",
    "-O3",
    "-march=native",
    "-fno-math-errno",  # no -ffast-math: it would disable denormal numbers in the whole process
    "-fno-trapping-math",
    "-fopenmp",
    "-shared",
    "-fPIC",
)


class TracerError(VisionError):
    """The tracer cannot be built, or the card failed."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A scene in the tracer's form: rows of numbers, laid out as the structs of `tracer.cu`."""

    boxes: Floats
    """(N, 17): centre, half sides, three axes, radius of the edges, index of the material."""
    lamps: Floats
    """(N, 13): position, half sides as two vectors, light, 1 for a disc."""
    shades: Floats
    """(N, 12): four corners of an occluder that only blocks light of the first lamp."""
    materials: Floats
    """(N, 14): albedo, roughness, specular share, grain, grime and its size in mm, 1 if clear, refractive
    index, transmittance, spare."""
    corners: Floats
    """(N, 3) mm."""
    normals: Floats
    """(N, 3) outward normals at the corners."""
    triangles: npt.NDArray[np.int32]
    """(N, 4): indices of three corners and of the material."""
    table: npt.NDArray[np.uint8]
    """(H, W, 3): square roots of albedos, 255 for 1."""
    table_mm: tuple[float, float]
    table_z: float
    table_rough: float
    mat: npt.NDArray[np.uint8] | None
    mat_mm: tuple[float, float]
    mat_rough: float
    room: Floats
    """(H, W, 3): light from all sides, top row from above."""
    to_ray: Floats
    """(3, 3): pixel to ray direction."""
    eye: Floats
    """(3,): position of the camera, mm."""


class _Scene(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int) for name in ("boxes", "triangles", "lamps", "shades", "nodes")),
        *(
            (name, ctypes.c_int)
            for name in ("left", "top", "right", "bottom", "step", "samples", "bounces", "seed")
        ),
        *((name, ctypes.c_int * 2) for name in ("table_px", "mat_px", "room_px")),
        *((name, ctypes.c_float * 2) for name in ("table_mm", "mat_mm")),
        *((name, ctypes.c_float) for name in ("table_z", "table_rough", "mat_rough")),
        ("to_ray", ctypes.c_float * 9),
        ("eye", ctypes.c_float * 3),
        *(
            (name, ctypes.c_void_p)
            for name in ("box", "lamp", "shade", "material", "corner", "normal", "triangle")
        ),
        *(
            (name, ctypes.c_void_p)
            for name in ("node_box", "node_at", "thing", "table", "mat", "room", "out")
        ),
    ]


class Tracer(Protocol):
    """The compiled library, or a wrapper that waits for its turn to use it."""

    def trace(self, scene: Any) -> int:
        """Render a `_Scene`, passed by reference; return 0 or the card's error code."""


@cache
def tracer() -> Tracer:
    """Return the compiled tracer, built once per process. Raises `TracerError`."""
    with TemporaryDirectory() as folder:  # a loaded library no longer needs its file
        return load(build(Path(folder)))


def build(folder: Path) -> Path:
    """Compile the library into a folder, for a card if there is one. Raises `TracerError`."""
    library, last_reason = folder / LIBRARY, "there is no compiler"
    for compiler, *options in (_CARD, _CORES) if _failure_reason("nvidia-smi", "-L") is None else (_CORES,):
        language = ["-x", "c++"] if compiler == "g++" else []
        reason = _failure_reason(compiler, *options, *language, str(_SOURCE), "-o", str(library))
        if reason is None:
            return library
        last_reason = reason
    raise TracerError(f"The tracer cannot be built: {last_reason}.", "Install nvcc (CUDA), or g++.")


def _failure_reason(program: str, *options: str) -> str | None:
    """Run a program; return None if it succeeded, else the reason.

    (nvcc compiles without complaint for a card that is not there.)
    """
    executable = shutil.which(program)
    if executable is None:
        return f"there is no {program}"
    done = subprocess.run((executable, *options), capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
    return None if done.returncode == 0 else (done.stderr.strip().splitlines() or ["it ended badly"])[-1]


def load(path: Path) -> Tracer:
    """Load a library that was built before."""
    library = ctypes.CDLL(str(path))
    library.trace.argtypes, library.trace.restype = [ctypes.POINTER(_Scene)], ctypes.c_int
    return cast("Tracer", library)


def trace(
    library: Tracer,
    staged: Staged,
    window: tuple[int, int, int, int],
    *,
    samples: int,
    seed: int,
    step: int = 1,
    bounces: int = 2,
) -> Floats:
    """Render (H, W, 3) linear BGR of a window (left, top, right, bottom), one pixel per `step` x `step`.

    Raises `TracerError`.
    """
    left, top, right, bottom = window
    rows, columns = -(-(bottom - top) // step), -(-(right - left) // step)
    out = np.empty((rows, columns, 3), np.float32)
    scene = _Scene(
        boxes=len(staged.boxes),
        triangles=len(staged.triangles),
        lamps=len(staged.lamps),
        shades=len(staged.shades),
    )
    scene.left, scene.top, scene.right, scene.bottom, scene.step = left, top, right, bottom, step
    scene.samples, scene.bounces, scene.seed = samples, bounces, seed % (1 << 30)
    kept_alive: list[npt.NDArray[Any]] = [out]

    def address_of(array: npt.NDArray[Any]) -> int:
        kept_alive.append(np.ascontiguousarray(array))
        return int(kept_alive[-1].ctypes.data)

    for name, picture in (("table", staged.table), ("room", staged.room), ("mat", staged.mat)):
        if picture is not None:
            setattr(scene, name, address_of(picture))
            setattr(scene, f"{name}_px", (ctypes.c_int * 2)(picture.shape[1], picture.shape[0]))
    scene.table_mm, scene.mat_mm = ((ctypes.c_float * 2)(*two) for two in (staged.table_mm, staged.mat_mm))
    scene.table_z, scene.table_rough, scene.mat_rough = staged.table_z, staged.table_rough, staged.mat_rough
    scene.to_ray = (ctypes.c_float * 9)(*staged.to_ray.ravel().tolist())
    scene.eye = (ctypes.c_float * 3)(*staged.eye.tolist())
    scene.box, scene.lamp, scene.shade = (
        address_of(staged.boxes),
        address_of(staged.lamps),
        address_of(staged.shades),
    )
    scene.material, scene.corner, scene.normal = (
        address_of(staged.materials),
        address_of(staged.corners),
        address_of(staged.normals),
    )
    scene.triangle, scene.out = address_of(staged.triangles), address_of(out)
    error_code = library.trace(ctypes.byref(scene))
    if error_code:
        raise TracerError(
            f"The graphics card refused a picture (CUDA error {error_code}).", "Try fewer at once."
        )
    return out
