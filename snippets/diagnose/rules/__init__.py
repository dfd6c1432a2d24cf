"""The rules, most important first. Each takes a Reading and yields reports; it states what it looks for."""

from collections.abc import Callable, Iterator

from snippets.diagnose.reading import Reading
from snippets.diagnose.report import Report
from snippets.diagnose.rules import (
    accumulation,
    aliasing,
    constants,
    indexing,
    infinities,
    inplace,
    leaves,
    lifetime,
    losses,
    modules,
    objective,
    optimizers,
    recording,
    shapes,
    slopes,
)

Rule = Callable[[Reading], Iterator[Report]]

#: Rules that explain the error that stopped the snippet come first; then what went wrong in silence.
RULES: tuple[Rule, ...] = (
    lifetime.checkpoint_without_grad,
    lifetime.derivative_of_derivative,
    recording.backward_without_history,
    recording.untracked_refused,
    recording.numpy_on_recorded,
    recording.not_in_graph,
    recording.python_value,
    lifetime.graph_freed,
    inplace.saved_value_changed,
    inplace.write_to_leaf,
    inplace.write_to_view,
    shapes.scalar_wanted,
    leaves.dtype_without_derivative,
    leaves.leaf_reassigned,
    leaves.gradient_is_none,
    leaves.gradient_of_non_leaf,
    leaves.misspelt,
    modules.unregistered,
    optimizers.optimizer_parameters,
    shapes.misread_upstream,
    infinities.nan_or_inf,
    recording.leaf_behind_a_cut,
    recording.state_cut_in_loop,
    recording.gradient_of_unmarked,
    inplace.result_thrown_away,
    optimizers.order_of_lines,
    accumulation.piled_up,
    accumulation.scale_of_the_loss,
    accumulation.sum_that_diverges,
    losses.misused_loss,
    shapes.silent_broadcast,
    modules.mode_of_modules,
    slopes.flat_operation,
    constants.cancelled_paths,
    inplace.silent_write,
    aliasing.shared_storage,
    objective.wrong_sign,
    lifetime.graphs_pile_up,
    constants.detached_too_late,
    constants.copy_with_history,
    constants.target_with_history,
    indexing.index_assignment,
    slopes.kink_or_tie,
)
