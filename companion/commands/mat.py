"""`tenshu mat`: write the sheets to print."""

import argparse
from pathlib import Path

from companion.measures import pdf, size_mm

HELP = "write the printable mat, or an inlay for a dark tray, as PDF"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add [-o FILE] [--paper a4|letter|a3|both] [--inlay] [--inner WxD] [--oval] [--language CODE]."""
    parser.add_argument("-o", "--output", type=pdf, metavar="FILE", help="PDF to write (mat.pdf, inlay.pdf)")
    parser.add_argument(
        "--paper",
        choices=("both", "a4", "letter", "a3"),
        default="both",
        help="both: A4 and US Letter (default)",
    )
    parser.add_argument("--inlay", action="store_true", help="light sheets to cut out and lay in a dark tray")
    parser.add_argument(
        "--inner", type=size_mm, metavar="WxD", help="inner size of your tray in mm, for --inlay (170x170)"
    )
    parser.add_argument("--oval", action="store_true", help="your tray is oval, for --inlay")
    parser.add_argument(
        "--language",
        choices=("en", "ru", "ro", "fr", "de"),
        default="en",
        help="language of the text on the sheet (en)",
    )


def run(args: argparse.Namespace) -> int:
    """Write the PDF and say what it holds."""
    from calibration.sheets.drawing import PAPERS, Shape, inlays
    from calibration.sheets.mat_pdf import write_inlays, write_mat

    papers = PAPERS[args.paper]
    inlay = bool(args.inlay or args.inner or args.oval)
    target = args.output or Path("inlay.pdf" if inlay else "mat.pdf")
    if inlay:
        write_inlays(target, papers, inlays(Shape.OVAL if args.oval else None, args.inner), args.language)
    else:
        write_mat(target, papers, args.language)
    names = " and ".join(paper.title for paper in papers)
    print(f"{target}: {names}. Print at 100 %, not fitted to the page, and check the 100 mm ruler.")
    return 0
