"""The arguments of ``python -m snippets``, and what each command does with its files."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from snippets.cli.report import doctor_text, error_text, steps_text
from snippets.diagnose.experiments import with_experiments
from snippets.limits import Limits
from snippets.pool import Pool, WorkerLost
from snippets.result import Result

RAN, RAISED, USAGE, LIMIT = 0, 1, 2, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    options = _parser().parse_args(arguments)
    pictures = [name for name in ("html", "svg", "dot") if getattr(options, name, None)]
    if pictures and len(options.files) > 1:
        return _usage(f"--{pictures[0]} takes one file at a time")
    if len(pictures) > 1 or (pictures and options.json):
        return _usage("choose one of --json, --html, --svg and --dot")
    try:
        programs = [(name, _read(name)) for name in options.files]
        limits = Limits.from_environment()
    except (OSError, ValueError) as error:
        return _usage(str(error))
    trace = options.command == "doctor" or not options.no_trace
    status = RAN
    try:
        for name, result in _results(programs, limits, trace, experiments=options.command == "doctor"):
            shown = _show_doctor if options.command == "doctor" else _show_run
            status = max(status, shown(name, result, options))
    except WorkerLost as error:
        return _usage(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader went away; leave nothing to flush
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m snippets", description="Run PyTorch-style programs safely.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run programs and show the steps of what they did")
    run.add_argument("files", nargs="+", metavar="FILE", help="a program; - reads standard input")
    run.add_argument("--json", action="store_true", help="print one JSON object a file, in order")
    run.add_argument("--no-trace", action="store_true", help="leave the trace out")
    run.add_argument("--html", metavar="OUT", help="write the walk as one self-contained HTML file")
    run.add_argument("--svg", action="store_true", help="print the graph as SVG")
    run.add_argument("--dot", action="store_true", help="print the graph in Graphviz's language")
    doctor = commands.add_parser("doctor", help="say what is wrong with programs")
    doctor.add_argument("files", nargs="+", metavar="FILE", help="a program; - reads standard input")
    doctor.add_argument("--json", action="store_true", help="print one JSON object a file, in order")
    return parser


def _usage(message: str) -> int:
    print(f"python -m snippets: {message}", file=sys.stderr)
    return USAGE


def _read(name: str) -> str:
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{name} is not a text in UTF-8") from None


def _results(
    programs: Sequence[tuple[str, str]], limits: Limits, trace: bool, *, experiments: bool = False
) -> Iterator[tuple[str, Result]]:
    """The results in the order of the files, as they come; as many at once as there are processors."""
    at_once = max(1, min(len(programs), os.cpu_count() or 1))
    pool = Pool(workers=at_once)

    def result_of(source: str) -> Result:
        result = pool.run(source, limits, trace=trace)
        return with_experiments(source, result, changed) if experiments else result

    def changed(source: str, bounds: Limits) -> Result:
        return pool.run(source, bounds, diagnose=False)

    try:
        with ThreadPoolExecutor(at_once) as threads:
            waiting = [threads.submit(result_of, source) for _, source in programs]
            for (name, _), future in zip(programs, waiting, strict=True):
                yield name, future.result()
    finally:
        pool.close()


def _status(result: Result) -> int:
    return LIMIT if result.limit else RAISED if result.error else RAN


def _show_run(name: str, result: Result, options: argparse.Namespace) -> int:
    status = _status(result)
    if options.json:
        print(json.dumps(result.to_dict(name), separators=(",", ":")), flush=True)
    elif options.html or options.svg or options.dot:
        return _picture(name, result, options)
    else:
        if len(options.files) > 1:
            print(f"== {name}")
        print(steps_text(result, steps=not options.no_trace), end="")
        if result.error:
            print(error_text(name, result), file=sys.stderr)
    return status


def _picture(name: str, result: Result, options: argparse.Namespace) -> int:
    status = _status(result)
    if result.error:
        print(error_text(name, result), file=sys.stderr)
    if result.trace is None or not result.trace.nodes:
        print(f"{name}: there is no graph to show", file=sys.stderr)
        return status or RAISED
    if options.html:
        from snippets.html import page

        text = page(result.trace, title=Path(name).name if name != "-" else "A backward pass, step by step")
        if options.html != "-":
            try:
                Path(options.html).write_text(text, encoding="utf-8")
            except OSError as error:
                return _usage(str(error))
            return status
    else:
        from autograd.dot import dot

        text = dot(result.trace)
        if options.svg:
            from autograd.layout import layout, standalone

            text = standalone(layout(text).svg)
    print(text)
    return status


def _show_doctor(name: str, result: Result, options: argparse.Namespace) -> int:
    if options.json:
        print(json.dumps({"file": name, "error": result.error, "diagnosis": result.diagnosis}), flush=True)
    else:
        print(doctor_text(name, result), end="")
    if result.limit:
        return LIMIT
    faults = any(finding["severity"] == "fault" for finding in result.diagnosis)
    return RAISED if faults or result.error else RAN
