"""`python -m calibration.training`: render, fit, refine, export, measure. See docs/training.md."""

import sys

from calibration.extras import require_packages
from calibration.training.options import build_parser
from calibration.written import check_writable
from vision.errors import VisionError


def main() -> int:
    """Run one verb per invocation, so that a long one can be left unattended."""
    args = build_parser().parse_args()
    try:
        for target in (getattr(args, name, None) for name in ("file", "output")):
            if target is not None:  # fail before hours of work
                check_writable(target, "another file")
        require_packages("onnx", "torch")
        from calibration.training.verbs import run

        return run(args)
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
