"""`python -m calibration.covering -n 3000 --minutes 25`: render, fit, export. See docs/training.md."""

import argparse
import sys
from pathlib import Path

from calibration.extras import require_packages
from calibration.written import check_writable
from vision.errors import VisionError


def main() -> int:
    """Render, train and export in one go: some forty minutes on two cores."""
    parser = argparse.ArgumentParser(prog="python -m calibration.covering", description=__doc__)
    parser.add_argument("-n", type=int, default=3000, help="rendered pictures")
    parser.add_argument("--seed", type=int, default=2_300_000, help="of the first picture")
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--real", type=Path, help="folder of labelled pictures; only its tuning half is used")
    parser.add_argument("-o", "--output", type=Path, default=Path("vision/data/cover.onnx"))
    args = parser.parse_args()
    try:  # fail before minutes of rendering
        check_writable(args.output, "another file")
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    require_packages("onnx", "torch")
    import torch

    from calibration.covering.fit import WIDE, fit
    from calibration.covering.views import labelled, render_many
    from calibration.finding.net import TrayNet, export
    from calibration.measuring.labels import entries_of
    from calibration.progress import say
    from calibration.training.quantize import read_levels
    from vision.scene.covered import VIEW_PX

    torch.set_num_threads(args.workers)
    try:
        real = labelled(args.real, entries_of(args.real, "tune")) if args.real else []
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    rendered = render_many(range(args.seed, args.seed + args.n), args.workers)
    net = TrayNet(maps=1, wide=WIDE)
    fit(net, rendered, real, args.minutes, say)
    floats = args.output.with_name(f"{args.output.stem}-float.onnx")
    export(net, floats, (VIEW_PX, VIEW_PX))
    read_levels(floats, args.output)
    floats.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
