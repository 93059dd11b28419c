"""`python -m companion` is the same as `tenshu`."""

from companion.cli import main

raise SystemExit(main())
