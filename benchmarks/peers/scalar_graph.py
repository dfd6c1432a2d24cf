"""Times forward and backward of a scalar graph in one library; prints microseconds an operation.

usage: python scalar_graph.py {backstep|torch|hips|micrograd} OPERATIONS REPEATS

Runs as a script, so that each library is imported alone: HIPS autograd's package has the name of ours.
"""

import sys
import time


def graph(x, w, b, operations):
    """A chain with re-used leaves: multiply, add, square root, multiply."""
    y = x
    for _ in range(operations // 4):
        y = y * w
        y = y + b
        y = y**0.5
        y = y * w
    return y


def main(library, operations, repeats):
    sys.setrecursionlimit(20_000)
    start = (0.7, 1.1, 0.3)
    if library in ("backstep", "torch"):
        if library == "backstep":
            from snippets.torch_api import torch
        else:
            import torch

            torch.set_num_threads(1)
        leaves = [torch.tensor(v, requires_grad=True) for v in start]

        def once():
            for leaf in leaves:
                leaf.grad = None
            graph(*leaves, operations).backward()

    elif library == "hips":
        import autograd

        gradient = autograd.grad(lambda p: graph(p[0], p[1], p[2], operations))

        def once():
            gradient(start)

    else:
        from micrograd.engine import Value

        def once():
            graph(*(Value(v) for v in start), operations).backward()

    once()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        once()
        times.append(time.perf_counter() - begin)
    print(min(times) / operations * 1e6)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
