"""``python -m snippets``: run and diagnose programs from the command line."""

import sys

from snippets.cli.command import main

sys.exit(main())
