"""`tenshu doctor`: what is plugged in, what is missing, what to do about it."""

import argparse
import json

from companion.measures import board_port, place

HELP = "check cameras, load cell, light and mat, and say what to do"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add [--camera SPEC]… [--profile NAME] [--port-serial PATH|auto|none] [--data DIR] [--json]."""
    parser.add_argument(
        "--camera",
        action="append",
        metavar="SPEC",
        help="number, URL, video or folder instead of all USB cameras; none: counts by hand",
    )
    parser.add_argument("--profile", metavar="NAME", help="check that the table is still as calibrated")
    parser.add_argument(
        "--port-serial",
        type=board_port,
        metavar="PATH|auto|none",
        help="port of the load cell, instead of trying all that may be one",
    )
    parser.add_argument(
        "--data", type=place, metavar="DIR", help="where tables and profiles are kept (also TENSHU_DATA)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")


def run(args: argparse.Namespace) -> int:
    """Print the findings; return 2 if one is a fault."""
    from calibration.profiles.profile import load
    from companion.doctor import examine
    from companion.findings import Finding, Level
    from companion.places import data_dir, profiles_dir

    marks = {Level.OK: "✓", Level.NOTE: "·", Level.FAULT: "✗"}
    findings: list[Finding] = []
    profile = load(args.profile, profiles_dir(args.data)) if args.profile is not None else None
    data = args.data.absolute() if args.data else data_dir()  # `examine` reports a file in its place
    for finding in examine(args.camera, data, profile, args.port_serial):
        findings.append(finding)
        if not args.json:
            print(f"{marks[finding.level]} {finding.what:<9} {finding.sentence}")
            if finding.remedy:
                print(f"            → {finding.remedy}")
    faults = sum(finding.level is Level.FAULT for finding in findings)
    if args.json:
        lines = [
            {"what": f.what, "level": f.level.value, "sentence": f.sentence, "remedy": f.remedy}
            for f in findings
        ]
        print(json.dumps({"well": not faults, "findings": lines}))
    elif not faults:
        print("Everything needed is there.")
    return 2 if faults else 0
