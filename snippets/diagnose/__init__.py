"""The Doctor: from a trace, its source and its error to what is wrong, where, and the smallest repair."""

from snippets.diagnose.doctor import diagnose
from snippets.diagnose.report import FAULT, NOTE, Report

__all__ = ["FAULT", "NOTE", "Report", "diagnose"]
