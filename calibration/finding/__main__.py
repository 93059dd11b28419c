"""`python -m calibration.finding -n 2000 --minutes 9`: render, fit, export floats. See docs/training.md."""

import argparse
import sys
from pathlib import Path

from calibration.extras import require_packages
from calibration.written import check_writable
from vision.errors import VisionError

_FLOATS = Path("calibration/training/weights/tray-float.onnx")


def main() -> int:
    """Render, train and export in one go: some fifteen minutes on two cores."""
    parser = argparse.ArgumentParser(prog="python -m calibration.finding", description=__doc__)
    parser.add_argument("-n", type=int, default=2000, help="rendered pictures")
    parser.add_argument("--seed", type=int, default=500_000, help="of the first picture")
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--real", type=Path, help="folder of labelled pictures; only its tuning half is used")
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders to use whole")
    parser.add_argument("-o", "--output", type=Path, default=_FLOATS)
    args = parser.parse_args()
    try:  # fail before minutes of rendering
        check_writable(args.output, "another file")
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    require_packages("onnx", "torch")
    import torch

    from calibration.finding.fit import fit
    from calibration.finding.net import TrayNet, export
    from calibration.finding.views import labelled, render_many
    from calibration.measuring.labels import entries_of
    from calibration.progress import say

    torch.set_num_threads(args.workers)
    try:
        real = labelled(args.real, entries_of(args.real, "tune")) if args.real else []
        for folder in args.also:
            real += labelled(folder, entries_of(folder))
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    tables = render_many(range(args.seed, args.seed + args.n), args.workers)
    net = TrayNet()
    fit(net, tables, real, args.minutes, say)
    export(net, args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
