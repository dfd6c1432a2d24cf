"""The labs by theme: what each is called, what to watch in it, and which card it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

THEMES = (
    "The graph",
    "Directions and shapes",
    "Training",
    "Cost and memory",
    "Recording and cutting",
    "Edges",
)


@dataclass(frozen=True, slots=True)
class Lab:
    """One lab. ``measures`` is one line for the overview, ``watch`` stands above the lab; ``concepts`` are the
    cards it belongs to, the first one foremost; ``claims`` is what it shows."""

    slug: str
    title: str
    theme: str
    measures: str
    watch: str
    concepts: tuple[str, ...]
    claims: tuple[str, ...]


LABS = (
    Lab(
        "who-is-tracked",
        "Who is tracked",
        "The graph",
        "Operations recorded and bytes held, by who asks for gradients",
        "Switch `requires_grad` on and off for each input. Watch which operations are recorded, and what is held for "
        "backward when none is.",
        ("requires-grad",),
        ("C05", "C06"),
    ),
    Lab(
        "depth",
        "A hundred layers",
        "The graph",
        "Operations, functions and paths of a network of 1 to 100 layers",
        "Make the network deeper. Watch the counts grow while the kinds of functions on the graph stay the same few.",
        ("dag",),
        ("C03", "C04"),
    ),
    Lab(
        "which-path",
        "The path that ran",
        "The graph",
        "The graph and the slope of the branch that ran",
        "Move the input and the number of rounds. Watch the `if` pick another path, and graph and slope follow.",
        ("define-by-run",),
        ("C19",),
    ),
    Lab(
        "paths-and-nodes",
        "Paths against nodes",
        "The graph",
        "Visits of the schedule, calls of the recursion",
        "Stack more diamonds. Watch the naive recursion double with each one while the schedule adds one visit.",
        ("reverse-walk", "dag"),
        ("C16",),
    ),
    Lab(
        "thirty-lines",
        "Thirty lines beside the full engine",
        "The graph",
        "`+=` against `=`, and what a small engine lacks",
        "Change `+=` to `=` and watch one path get lost. Each program below shows something the small engine lacks.",
        ("diamond", "boundary"),
        ("C18", "C53"),
    ),
    Lab(
        "three-ways",
        "Three ways to one slope",
        "Directions and shapes",
        "Autograd, difference quotients with their errors, the formula",
        "Make the step h smaller. Watch the error of the difference quotient fall, then rise again as rounding takes "
        "over; autograd has no h.",
        ("numbers-not-symbols",),
        ("C09", "C10"),
    ),
    Lab(
        "rows-or-columns",
        "Rows or columns",
        "Directions and shapes",
        "Passes and multiply-adds of forward and reverse mode",
        "Fill the Jacobian one pass at a time. Watch forward mode fill a column and reverse mode a row, and count the "
        "passes each needs.",
        ("forward-vs-reverse", "vjp"),
        ("C20", "C21"),
    ),
    Lab(
        "jacobian",
        "The matrix nobody builds",
        "Directions and shapes",
        "Entries and bytes of the Jacobian and of the product",
        "Grow the sizes. Watch the Jacobian's entries multiply while what backward really computes stays as large as "
        "the weights.",
        ("vjp",),
        ("C22",),
    ),
    Lab(
        "bias-over-rows",
        "One bias, many rows",
        "Directions and shapes",
        "The gradient of a bias that was broadcast",
        "Add rows. Watch the bias collect a contribution from each: what was broadcast forward is summed backward.",
        ("vjp",),
        ("C23",),
    ),
    Lab(
        "upstream",
        "The upstream vector",
        "Directions and shapes",
        "No upstream, your own, sum and mean",
        "Type an upstream vector. Watch each entry scale its own slope; `sum()` is all ones, and `mean()` is the sum "
        "divided by three.",
        ("vector-output",),
        ("C24",),
    ),
    Lab(
        "accumulation",
        "With and without clearing",
        "Training",
        "`.grad` and the weight over steps, cleared or not",
        "Stop clearing the gradient. Watch `.grad` carry all steps so far, and the weight overshoot and swing.",
        ("accumulation",),
        ("C25", "C26"),
    ),
    Lab(
        "four-lines",
        "The four lines, in your order",
        "Training",
        "What each of the 24 orders does to the weight",
        "Move the lines of a training step. Watch the weight after each turn: it should go to 2.",
        ("train-step",),
        ("C27", "C28"),
    ),
    Lab(
        "iris",
        "Train on Iris",
        "Training",
        "Loss, accuracy and gradient norm on real data, step by step",
        "Change the learning rate, the width or the batch. Watch the loss fall, the accuracy rise and the gradient "
        "shrink; then open any step and walk through it.",
        ("train-step",),
        ("C29",),
    ),
    Lab(
        "micro-batches",
        "A big batch in small pieces",
        "Training",
        "Gradients of pieces and of the whole; sum and mean by size",
        "Scale each piece's loss, or do not. Watch the gradient agree with the big batch, or come out as many times "
        "too large as there are pieces.",
        ("micro-batches",),
        ("C30", "C31"),
    ),
    Lab(
        "wrong-sign",
        "Right gradients of the wrong loss",
        "Training",
        "gradcheck and the loss, with the sign flipped",
        "Flip the sign of the loss. Watch gradcheck still pass while the weight runs away from its target.",
        ("boundary",),
        ("C52",),
    ),
    Lab(
        "cost",
        "What a backward pass costs",
        "Cost and memory",
        "Multiply-adds forward and backward, layer by layer",
        "Add layers. Watch the ratio of backward to forward multiply-adds go towards two; the first layer is the one "
        "that is cheaper.",
        ("cost",),
        ("C32",),
    ),
    Lab(
        "activation-memory",
        "Bytes held for backward",
        "Cost and memory",
        "Bytes over a run, a budget, and who holds the most",
        "Make the network deeper or the batch larger. Watch the bytes climb through forward and fall through backward, "
        "and who holds the most when the budget is exceeded.",
        ("activation-memory",),
        ("C33", "C35", "C54"),
    ),
    Lab(
        "leak",
        "The list that keeps every graph",
        "Cost and memory",
        "Bytes kept by a list of losses, and three repairs",
        "Four ways to keep the loss of each batch. Watch which one holds more bytes with every batch.",
        ("activation-memory",),
        ("C34",),
    ),
    Lab(
        "checkpointing",
        "Recompute instead of remember",
        "Cost and memory",
        "Peak memory and recomputed layers, by segments",
        "Change the number of segments. Watch peak memory fall to its lowest near the square root of the depth, for "
        "one more forward pass of work.",
        ("checkpointing",),
        ("C36",),
    ),
    Lab(
        "half-precision",
        "Gradients too small for float16",
        "Cost and memory",
        "Underflow, and the loss scale that prevents it",
        "Scale the loss up. Watch a gradient that float16 rounds to zero come back, and overflow when the scale is too "
        "large.",
        ("checkpointing",),
        ("C54",),
    ),
    Lab(
        "no-grad",
        "The same block, not recorded",
        "Recording and cutting",
        "Nodes, bytes and time under no_grad and inference_mode",
        "Choose what the block runs under. Watch nodes and bytes vanish while the values stay, and what happens when "
        "the result is used in a recorded operation.",
        ("no-grad",),
        ("C37", "C38"),
    ),
    Lab(
        "eval-mode",
        "eval() and no_grad()",
        "Recording and cutting",
        "Output, recording and weights in all four combinations",
        "Compare the four combinations. Watch eval change the output, no_grad change the recording, and neither change "
        "the weight.",
        ("eval-mode",),
        ("C39",),
    ),
    Lab(
        "detach",
        "Teacher and student",
        "Recording and cutting",
        "Gradients of both, what was recorded, who shares storage",
        "Cut the teacher off in one of two ways. Watch who gets a gradient, and whether the teacher's part was ever "
        "recorded.",
        ("detach",),
        ("C40", "C41", "C42", "C43"),
    ),
    Lab(
        "graph-lifetime",
        "A second backward",
        "Recording and cutting",
        "The error, and bytes held under both repairs",
        "Call backward twice. Watch the error, and what each of the two repairs holds in memory.",
        ("graph-lifetime",),
        ("C45", "C46"),
    ),
    Lab(
        "in-place",
        "Overwritten before use",
        "Recording and cutting",
        "Version counters, and the rules that object",
        "Write to a value, through itself or through an alias. Watch the version counter, and whether the rule that "
        "saved the value objects.",
        ("in-place",),
        ("C47", "C48"),
    ),
    Lab(
        "conventions",
        "What happens at a kink",
        "Edges",
        "Slopes on both sides of sixteen kinks",
        "Choose an operation. Watch the slope from the left, the slope from the right, and the one number autograd "
        "gives there.",
        ("boundary",),
        ("C49",),
    ),
    Lab(
        "outside",
        "Where gradients stop",
        "Edges",
        "Integers, a trip through NumPy, a Function of your own",
        "Choose a program. Watch integers refused, a round trip through NumPy break the graph, and a Function of your "
        "own mend it.",
        ("boundary",),
        ("C50",),
    ),
)

_BY_SLUG = {lab.slug: lab for lab in LABS}


def slugs() -> tuple[str, ...]:
    """Every lab, in order."""
    return tuple(_BY_SLUG)


def get(slug: str) -> Lab:
    """The lab ``slug``. Raises KeyError."""
    return _BY_SLUG[slug]


def of_theme(theme: str) -> tuple[Lab, ...]:
    """The labs of a theme."""
    return tuple(lab for lab in LABS if lab.theme == theme)


def of_concept(concept: str) -> tuple[Lab, ...]:
    """The labs that belong to a card."""
    return tuple(lab for lab in LABS if concept in lab.concepts)
