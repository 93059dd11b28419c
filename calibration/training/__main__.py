"""`python -m calibration.training`: render, fit, refine, export, measure. See docs/training.md."""

import sys

from calibration.extras import require_packages
from calibration.training.options import build_parser
from vision.errors import VisionError


def main() -> int:
    """Run one verb per invocation, so that a long one can be left unattended."""
    args = build_parser().parse_args()
    require_packages("onnx", "torch")
    from calibration.training.verbs import run

    try:
        return run(args)
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
