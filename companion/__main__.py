"""`python -m companion` is `tenshu`."""

from companion.cli import main

raise SystemExit(main())
